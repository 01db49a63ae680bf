// The keys of each resource (contract part 2, ruling 6) and the values that are listed there.

const common = ['id', 'createdAt']

export const clinicianKeys = [
  ...common,
  'firstName',
  'lastName',
  'email',
  'externalId',
  'clinicId',
  'prescriber',
  'defaultNoteType',
]

export const clientKeys = [
  ...common,
  'firstName',
  'lastName',
  'externalId',
  'email',
  'phoneNumber',
  'dateOfBirth',
  'status',
  'clinicianId',
  'clinicId',
  'organizationId',
  'programIds',
]

export const sessionKeys = [
  ...common,
  'sessionId',
  'sessionExternalId',
  'fileUrl',
  'clientId',
  'clinicianId',
  'clinicId',
  'organizationId',
  'noteType',
  'status',
  'progress',
]

export const progressNoteKeys = [
  ...common,
  'progressNoteId',
  'sessionId',
  'noteType',
  'template',
  'preferences',
  'status',
  'isLoading',
  'note',
  'updatedAt',
  'finalizedAt',
]

export const magicEditKeys = [
  ...common,
  'progressNoteId',
  'sessionId',
  'clientId',
  'clinicianId',
  'userInstructions',
  'status',
  'failureReason',
  'completedAt',
]

export const webhookEndpointKeys = [
  ...common,
  'url',
  'eventTypes',
  'enabled',
  'disabledReason',
  'digestHeader',
  'isPrimary',
]

export const deliveryKeys = [...common, 'eventType', 'webhookId', 'status', 'attempts', 'nextAttemptAt']

export const clientStatuses = [
  'awaiting_invite',
  'active',
  'archived',
  'declined',
  'invite_sent',
  'pending',
  'unknown',
]

export const sessionStatuses = ['fetching', 'transcribing', 'generating', 'completed', 'failed']

export const noteTypes = [
  'soap',
  'dap',
  'birp',
  'girp',
  'pirp',
  'psychotherapy_intake',
  'psychiatric_evaluation',
  'medication_management',
]

export const prescriberNoteTypes = ['psychiatric_evaluation', 'medication_management']

export const eventTypes = [
  'progress_note_generated',
  'progress_note_regenerated',
  'progress_note_finalized',
  'transcript_ready',
  'session_transcript_error',
  'mdm_elements_identified',
  'assessment_completed',
]

export const consentKeys = [
  'id',
  'clientId',
  'personName',
  'relation',
  'method',
  'textVersion',
  'textOwner',
  'textId',
  'language',
  'status',
  'givenAt',
  'attestedBy',
  'withdrawnAt',
  'withdrawnBy',
  'createdAt',
]

export const treatmentPlanKeys = [
  'id',
  'treatmentPlanId',
  'clientId',
  'status',
  'version',
  'title',
  'startsOn',
  'reviewOn',
  'problems',
  'goals',
  'signedBy',
  'createdAt',
  'updatedAt',
  'endedAt',
]
