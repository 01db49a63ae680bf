import { Type, type Static, type TProperties } from 'typebox'
import { CONSENT_METHODS, CONSENT_RELATIONS, RecordingConsentState } from './consents.js'
import type { EventType, WebhookEvent } from './events.js'
import { Id, oneOf, Timestamp } from './fields.js'
import { SessionFailure } from './session-failure.js'
import { PLAN_STATUSES } from './treatment-plans.js'

/** What is sent for each event, for the OpenAPI document. `events.ts` has the same as types, which a check below compares. */

const url = (description: string, example: string) =>
  Type.String({ format: 'uri', description, examples: [`https://notes.example.org/v2${example}`] })

const someId = '7f1c5f0e-6f0a-4b9e-9d0c-2f3b6f3f9a11'

const sessionFields = {
  sessionId: Id,
  sessionExternalId: Type.Optional(
    Type.String({
      description: 'Your own identifier of the session; absent if you gave none',
      examples: ['appointment-20261115-0930'],
    }),
  ),
  clientId: Id,
  clinicianId: Id,
  clinicId: Id,
  organizationId: Id,
}

const noteFields = {
  ...sessionFields,
  progressNoteId: Id,
  progressNoteUrl: url(
    'GET /sessions/{sessionId}/progress-note of this note',
    `/sessions/${someId}/progress-note`,
  ),
  organization: Type.String({
    format: 'uuid',
    deprecated: true,
    description: 'The same as `organizationId`, which replaces it',
    examples: [someId],
  }),
}

const body = <Name extends EventType, Payload extends TProperties>(
  eventType: Name,
  $id: string,
  payload: Payload,
) =>
  Type.Object(
    { eventType: Type.Literal(eventType), timeStamp: Timestamp, payload: Type.Object(payload) },
    { $id },
  )

const dedupeByNote = 'Drop what you have seen by `eventType` and `progressNoteId`.'
const dedupeBySession = 'Drop what you have seen by `eventType` and `sessionId`.'

const consentDescription =
  'About a client and no session. Only to endpoints that name it in `eventTypes`. Drop what you have seen by `eventType` and `consentId`.'

const consentFields = {
  clientId: Id,
  consentId: Id,
  relation: oneOf(CONSENT_RELATIONS, { examples: ['self'] }),
  method: oneOf(CONSENT_METHODS, { examples: ['signed_on_page'] }),
  recordingConsent: RecordingConsentState,
  consentsUrl: url('GET /clients/{clientId}/consents', `/clients/${someId}/consents`),
}

/** Every event; a new one of `EVENT_TYPES` has to be written down here before it compiles. */
export const EVENT_BODIES = {
  progress_note_generated: {
    summary: 'A progress note was written',
    description: `The note can be fetched. ${dedupeByNote}`,
    schema: body('progress_note_generated', 'ProgressNoteGeneratedEvent', noteFields),
  },
  progress_note_regenerated: {
    summary: 'A progress note was written again',
    description: `After a magic edit or a regeneration; \`progressNoteId\` may differ. Fetch the note and replace what you stored. ${dedupeByNote}`,
    schema: body('progress_note_regenerated', 'ProgressNoteRegeneratedEvent', noteFields),
  },
  progress_note_finalized: {
    summary: 'A progress note was finalized and is locked',
    description: `Changes of the note are refused with 403 from now on. ${dedupeByNote}`,
    schema: body('progress_note_finalized', 'ProgressNoteFinalizedEvent', noteFields),
  },
  transcript_ready: {
    summary: 'The transcript is there',
    description: `The recording was fetched and understood. ${dedupeBySession}`,
    schema: body('transcript_ready', 'TranscriptReadyEvent', {
      ...sessionFields,
      transcriptUrl: url('GET /sessions/{sessionId}/transcript', `/sessions/${someId}/transcript`),
    }),
  },
  session_transcript_error: {
    summary: 'Transcription failed',
    description: `Neither transcript nor note will come of this session. ${dedupeBySession}`,
    schema: body('session_transcript_error', 'SessionTranscriptErrorEvent', {
      ...sessionFields,
      error: Type.String({
        description: 'For people',
        examples: ['The file was not fetched: the file server has no file at this link.'],
      }),
      failure: SessionFailure,
    }),
  },
  session_failed: {
    summary: 'A session failed after its transcript',
    description: `No note will come of this session; its transcript stays. Only to endpoints that name it in \`eventTypes\`. ${dedupeBySession}`,
    schema: body('session_failed', 'SessionFailedEvent', {
      ...sessionFields,
      error: Type.String({ description: 'For people', examples: ['The note could not be written.'] }),
      failure: SessionFailure,
    }),
  },
  mdm_elements_identified: {
    summary: 'MDM elements are there',
    description: `For prescriber note types only. ${dedupeBySession}`,
    schema: body('mdm_elements_identified', 'MdmElementsIdentifiedEvent', {
      ...sessionFields,
      mdmId: Id,
      mdmUrl: url('GET /sessions/{sessionId}/mdm', `/sessions/${someId}/mdm`),
    }),
  },
  assessment_completed: {
    summary: 'A client completed assessments',
    description:
      'About a client and no session: none of the common fields is there. Drop what you have seen by `eventType` and each `assessmentScores[].id`.',
    schema: body('assessment_completed', 'AssessmentCompletedEvent', {
      patientId: Type.String({ format: 'uuid', description: 'The client', examples: [someId] }),
      assessmentScores: Type.Array(
        Type.Object({
          id: Id,
          assessmentId: Type.String({ description: 'Which assessment', examples: ['phq9'] }),
          assessmentScoreUrl: url('GET /assessment-scores/{id}', `/assessment-scores/${someId}`),
        }),
      ),
    }),
  },
  treatment_plan_changed: {
    summary: 'A treatment plan was signed or ended',
    description:
      'About a client and no session. Only to endpoints that name it in `eventTypes`. Drop what you have seen by `eventType`, `treatmentPlanId`, `version` and `status`.',
    schema: body('treatment_plan_changed', 'TreatmentPlanChangedEvent', {
      clientId: Id,
      treatmentPlanId: Id,
      version: Type.Integer({ minimum: 1, examples: [1] }),
      status: oneOf(PLAN_STATUSES, { examples: ['active'] }),
      treatmentPlanUrl: url('GET /treatment-plans/{treatmentPlanId}', `/treatment-plans/${someId}`),
    }),
  },
  consent_given: {
    summary: 'Somebody agreed that a client is recorded',
    description: consentDescription,
    schema: body('consent_given', 'ConsentGivenEvent', consentFields),
  },
  consent_withdrawn: {
    summary: 'A consent to be recorded was withdrawn',
    description: consentDescription,
    schema: body('consent_withdrawn', 'ConsentWithdrawnEvent', consentFields),
  },
} as const satisfies Record<EventType, { summary: string; description: string; schema: unknown }>

type Described = Static<(typeof EVENT_BODIES)[EventType]['schema']>

/** Whether two types are the same as far as values go; `never` where they are not, which no value is. */
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : never) : never

true satisfies Same<Described, WebhookEvent>
