// Written by `npm run generate` from openapi.json. Not to be changed by hand.
export interface PartnerCredentials {
  clientId: string
  clientSecret: string
}

/** Why a session failed; there is none unless its status is `failed` */
export interface SessionFailure {
  /** Stable: branch on this. New ones may come; the guide about errors lists those of now */
  code: string
  /** The same in words, with nothing of the session in it */
  message: string
  /** Something was wanting that may be there now: `POST /sessions/{sessionId}/retry` can help. `false`: it would end the same way again */
  retryable: boolean
}

/** Application error */
export interface PartnerApiError {
  error: {
    /** Internal and unstable: do not match on it */
    type: string
    /** An object for validation failures, a plain string for everything else */
    message:
      | string
      | {
          /** One message for each offending field, field name first */
          message: string[]
          error: 'Bad Request'
          statusCode: 400
        }
    /** The HTTP status; branch on this */
    statusCode: number
    /** ISO 8601 with `Z`, to the millisecond */
    timestamp: string
    /** Reserved; always empty */
    details: unknown[]
  }
  failure?: SessionFailure
  /** The failed path as routed inside, without `/v2`; diagnostic only */
  path: string
}

/** Answered by the gateway, before the application is reached */
export interface GatewayError {
  message: 'Missing Authentication Token' | 'Forbidden' | 'Too Many Requests' | 'Limit Exceeded'
}

export interface PartnerToken {
  /** Sent in the `Access-Token` header, not as `Authorization` */
  accessToken: string
  expiresIn: 3600
  tokenType: 'Bearer'
}

export interface Partner {
  /** Version-4 UUID */
  id: string
  name: string
  environment: 'sandbox' | 'production'
  callbackUrl: string | null
  limits: {
    ratePerSecond: number
    burst: number
    perDay: number
  }
  /** Whether a POST with an `Idempotency-Key` is done once in 24 hours; the operator switches it on */
  idempotency: boolean
  /** Whether an `externalId` or `sessionExternalId` that is taken is refused with 409; the operator switches it on */
  uniqueExternalIds: boolean
  /** What is checked before a note is signed, and what a failed check does: nothing (`off`), a warning in the widget, no signature in the widget, or none in the widget and none by `finalize`. The operator sets it */
  signingChecks: {
    danger_not_written: 'off' | 'warn' | 'block_in_widget' | 'block_everywhere'
    unsupported_sentence: 'off' | 'warn' | 'block_in_widget' | 'block_everywhere'
    empty_section: 'off' | 'warn' | 'block_in_widget' | 'block_everywhere'
    cloned_text: 'off' | 'warn' | 'block_in_widget' | 'block_everywhere'
    service_minutes: 'off' | 'warn' | 'block_in_widget' | 'block_everywhere'
    goal_not_linked: 'off' | 'warn' | 'block_in_widget' | 'block_everywhere'
  }
  /** Whether you may erase clients and what is theirs for good; the operator switches it on */
  partnerErasure: boolean
  /** Whether recordings need the client’s consent: then a session from `fileUrl` is refused without it */
  requiresRecordingConsent: boolean
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

export interface PartnerPatch {
  /** Where events are sent: the primary webhook endpoint. `null` removes it. Production: https and a public host. */
  callbackUrl?: string | null
  /** One more header, with the lower-case hex HMAC-SHA256 of the raw body, keyed with the whole newest `clientSecret` */
  digestHeader?: string | null
}

export interface Organization {
  /** Version-4 UUID */
  id: string
  name: string
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

export interface PageMeta {
  totalItems: number
  /** 1 for an empty list */
  totalPages: number
  /** 10, unless `Casenote-Page-Size` asked for another size */
  itemsPerPage: number
  currentPage: number
}

export interface Clinic {
  /** Version-4 UUID */
  id: string
  name: string
  /** Version-4 UUID */
  organizationId: string
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

export interface Program {
  /** Version-4 UUID */
  id: string
  name: string
  /** Version-4 UUID */
  organizationId: string
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

export interface ClinicianInput {
  firstName: string
  lastName: string
  email: string
  /** The caller's own identifier; free-form, expected to be unique within an organization, not enforced */
  externalId?: string | null
  /** May use prescriber note types */
  prescriber?: boolean
  /** Used for sessions that name no note type. A prescriber note type needs a prescriber */
  defaultNoteType?:
    | 'soap'
    | 'dap'
    | 'birp'
    | 'girp'
    | 'pirp'
    | 'psychotherapy_intake'
    | 'psychiatric_evaluation'
    | 'medication_management'
    | null
  /** Who co-signs what this clinician signs in the widget: another active clinician. Null, the default: nobody has to */
  supervisorId?: string | null
}

export interface Clinician {
  /** Version-4 UUID */
  id: string
  firstName: string
  lastName: string
  email: string
  /** The caller's own identifier; free-form, expected to be unique within an organization, not enforced */
  externalId: string | null
  /** Version-4 UUID */
  clinicId: string
  /** May use prescriber note types */
  prescriber: boolean
  /** Used for sessions that name no note type. A prescriber note type needs a prescriber */
  defaultNoteType:
    | 'soap'
    | 'dap'
    | 'birp'
    | 'girp'
    | 'pirp'
    | 'psychotherapy_intake'
    | 'psychiatric_evaluation'
    | 'medication_management'
    | null
  /** Who co-signs what this clinician signs in the widget: another active clinician. Null, the default: nobody has to */
  supervisorId: string | null
  /** False while deactivated: no tokens, no new sessions; what they recorded and wrote stays */
  active: boolean
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

/** What is left out stays; `null` clears an optional field */
export interface ClinicianPatch {
  firstName?: string
  lastName?: string
  email?: string
  /** The caller's own identifier; free-form, expected to be unique within an organization, not enforced */
  externalId?: string | null
  /** May use prescriber note types */
  prescriber?: boolean
  /** Used for sessions that name no note type. A prescriber note type needs a prescriber */
  defaultNoteType?:
    | 'soap'
    | 'dap'
    | 'birp'
    | 'girp'
    | 'pirp'
    | 'psychotherapy_intake'
    | 'psychiatric_evaluation'
    | 'medication_management'
    | null
  /** Who co-signs what this clinician signs in the widget: another active clinician. Null, the default: nobody has to */
  supervisorId?: string | null
}

export interface ClinicianTokens {
  AccessToken: string
  /** Reserved; identical to AccessToken */
  IdToken: string
  /** Single-use, rotating, valid for 7 days */
  RefreshToken: string
  ExpiresIn: 600
}

export interface ClientInput {
  lastName: string
  /** ISO 8601 date, a real day from 1880 until today */
  dateOfBirth: string
  firstName?: string | null
  email?: string | null
  /** Begins with `+` and the calling code; kept and matched as given */
  phoneNumber?: string | null
  /** The caller's own identifier; free-form, expected to be unique within an organization, not enforced */
  externalId?: string | null
  /** What the client reads: a BCP 47 tag of language, script and region, kept as given. Their pages and mails are in it where there are words in it (`en`, `es`) */
  language?: string | null
  /** Programs of the client's organization */
  programIds?: string[] | null
}

export interface Client {
  /** Version-4 UUID */
  id: string
  firstName: string | null
  lastName: string
  /** The caller's own identifier; free-form, expected to be unique within an organization, not enforced */
  externalId: string | null
  email: string | null
  /** Begins with `+` and the calling code; kept and matched as given */
  phoneNumber: string | null
  /** ISO 8601 date, a real day from 1880 until today */
  dateOfBirth: string
  /** What the client reads: a BCP 47 tag of language, script and region, kept as given. Their pages and mails are in it where there are words in it (`en`, `es`) */
  language: string | null
  status: 'awaiting_invite' | 'active' | 'archived' | 'declined' | 'invite_sent' | 'pending' | 'unknown'
  /** Version-4 UUID */
  clinicianId: string
  /** Version-4 UUID */
  clinicId: string
  /** Version-4 UUID */
  organizationId: string
  /** Programs of the client's organization */
  programIds: string[]
  /** Whether the client agreed to be recorded: `given`, `withdrawn`, or `none` where nobody has agreed yet */
  recordingConsent: 'given' | 'withdrawn' | 'none'
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

/** What is left out stays; `null` clears an optional field */
export interface ClientPatch {
  lastName?: string
  /** ISO 8601 date, a real day from 1880 until today */
  dateOfBirth?: string
  firstName?: string | null
  email?: string | null
  /** Begins with `+` and the calling code; kept and matched as given */
  phoneNumber?: string | null
  /** The caller's own identifier; free-form, expected to be unique within an organization, not enforced */
  externalId?: string | null
  /** What the client reads: a BCP 47 tag of language, script and region, kept as given. Their pages and mails are in it where there are words in it (`en`, `es`) */
  language?: string | null
  /** Programs of the client's organization */
  programIds?: string[] | null
}

export interface InvitedClient {
  /** Version-4 UUID */
  id: string
  firstName: string | null
  lastName: string
  /** The caller's own identifier; free-form, expected to be unique within an organization, not enforced */
  externalId: string | null
  email: string | null
  /** Begins with `+` and the calling code; kept and matched as given */
  phoneNumber: string | null
  /** ISO 8601 date, a real day from 1880 until today */
  dateOfBirth: string
  /** What the client reads: a BCP 47 tag of language, script and region, kept as given. Their pages and mails are in it where there are words in it (`en`, `es`) */
  language: string | null
  status: 'awaiting_invite' | 'active' | 'archived' | 'declined' | 'invite_sent' | 'pending' | 'unknown'
  /** Version-4 UUID */
  clinicianId: string
  /** Version-4 UUID */
  clinicId: string
  /** Version-4 UUID */
  organizationId: string
  /** Programs of the client's organization */
  programIds: string[]
  /** Whether the client agreed to be recorded: `given`, `withdrawn`, or `none` where nobody has agreed yet */
  recordingConsent: 'given' | 'withdrawn' | 'none'
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
  /** Hand it to the client. Shown once; a later invitation replaces it */
  inviteUrl: string
  /** Whether the service sends the link to the client's e-mail address itself; false: the caller hands it over */
  isEmailed: boolean
}

export interface ClientTransfer {
  /** A clinician of the client's organization */
  clinicianId: string
}

export interface SecondaryCliniciansInput {
  /** Clinicians of the client's organization */
  clinicianIds: string[]
}

export interface SecondaryClinicians {
  /** All who are assigned now */
  clinicianIds: string[]
}

export interface Consent {
  /** Version-4 UUID */
  id: string
  /** Version-4 UUID */
  clientId: string
  /** Who agreed, as it was typed; `null`: the client, whose name nobody typed */
  personName: string | null
  /** `self`, a `guardian` who speaks for the client, or another `participant` of the session */
  relation: 'self' | 'guardian' | 'participant'
  /** Signed on the client’s page, signed in the room on the clinician’s screen or on paper, or given by word */
  method: 'signed_on_page' | 'signed_in_room' | 'by_word'
  /** Version of the text that was agreed to */
  textVersion: string
  /** Whose text it is: the client’s clinic’s, its organization’s, the partner’s, or the one that comes with Casenote */
  textOwner: 'clinic' | 'organization' | 'partner' | 'casenote' | null
  /** Id of the text that was read; `null`: the one that comes with Casenote, or words that nobody kept */
  textId: string | null
  /** Language of the text that was read */
  language: 'en' | 'es' | null
  status: 'given' | 'withdrawn'
  /** ISO 8601 with `Z`, to the millisecond */
  givenAt: string
  attestedBy: {
    /** Who says so: the clinician, the partner, or the client on their own page */
    kind: 'clinician' | 'partner' | 'client'
    /** Version-4 UUID */
    id: string
  }
  /** ISO 8601 with `Z`, to the millisecond */
  withdrawnAt: string | null
  withdrawnBy: {
    /** Who says so: the clinician, the partner, or the client on their own page */
    kind: 'clinician' | 'partner' | 'client'
    /** Version-4 UUID */
    id: string
  } | null
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

export interface ConsentCreate {
  /** How it was given. What is signed on the client’s page is made there */
  method: 'signed_in_room' | 'by_word'
  /** Version of the text that was agreed to */
  textVersion: string
  /** Whose text it is: the client’s clinic’s, its organization’s, the partner’s, or the one that comes with Casenote */
  textOwner?: 'clinic' | 'organization' | 'partner' | 'casenote' | null
  /** The `textId` of the consent text that was read. Without it the text is found by what else is said of it, for the clinic that the client is of by now */
  textId?: string | null
  /** Language of the text that was read */
  language?: 'en' | 'es' | null
  /** `self`, a `guardian` who speaks for the client, or another `participant` of the session */
  relation?: 'self' | 'guardian' | 'participant' | null
  /** As it was typed */
  personName?: string | null
}

export interface ConsentWithText {
  /** Version-4 UUID */
  id: string
  /** Version-4 UUID */
  clientId: string
  /** Who agreed, as it was typed; `null`: the client, whose name nobody typed */
  personName: string | null
  /** `self`, a `guardian` who speaks for the client, or another `participant` of the session */
  relation: 'self' | 'guardian' | 'participant'
  /** Signed on the client’s page, signed in the room on the clinician’s screen or on paper, or given by word */
  method: 'signed_on_page' | 'signed_in_room' | 'by_word'
  /** Version of the text that was agreed to */
  textVersion: string
  /** Whose text it is: the client’s clinic’s, its organization’s, the partner’s, or the one that comes with Casenote */
  textOwner: 'clinic' | 'organization' | 'partner' | 'casenote' | null
  /** Id of the text that was read; `null`: the one that comes with Casenote, or words that nobody kept */
  textId: string | null
  /** Language of the text that was read */
  language: 'en' | 'es' | null
  status: 'given' | 'withdrawn'
  /** ISO 8601 with `Z`, to the millisecond */
  givenAt: string
  attestedBy: {
    /** Who says so: the clinician, the partner, or the client on their own page */
    kind: 'clinician' | 'partner' | 'client'
    /** Version-4 UUID */
    id: string
  }
  /** ISO 8601 with `Z`, to the millisecond */
  withdrawnAt: string | null
  withdrawnBy: {
    /** Who says so: the clinician, the partner, or the client on their own page */
    kind: 'clinician' | 'partner' | 'client'
    /** Version-4 UUID */
    id: string
  } | null
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
  /** The words that were read, whatever is asked by now: paragraphs, with an empty line between them. `null`: nobody kept them, as where a clinician asked in words of their own */
  text: string | null
}

export interface ConsentText {
  /** Version-4 UUID */
  clientId: string
  /** Id of the text; `null`: the one that comes with Casenote */
  textId: string | null
  /** Version of the text that was agreed to */
  version: string
  /** Whose text it is: the client’s clinic’s, its organization’s, the partner’s, or the one that comes with Casenote */
  owner: 'clinic' | 'organization' | 'partner' | 'casenote'
  /** Language of the text that was read */
  language: 'en' | 'es'
  /** Paragraphs, with an empty line between them */
  text: string
}

export interface ConsentLink {
  /** Version-4 UUID */
  clientId: string
  /** For the client alone; shown this once. A new link ends the one before */
  url: string
  /** ISO 8601 with `Z`, to the millisecond */
  expiresAt: string
}

/** All its texts together have at most 65536 bytes, as JSON in UTF-8 */
export interface TreatmentPlanCreate {
  /** All of them; what is left out is removed */
  goals: {
    /** Id of an entry that the plan has already, so that it stays the same one; without it the entry is new */
    id?: string | null
    text: string
    status?: 'open' | 'met' | 'set_aside'
    targetDate?: string | null
    objectives?: {
      /** Id of an entry that the plan has already, so that it stays the same one; without it the entry is new */
      id?: string | null
      text: string
      targetDate?: string | null
    }[]
    interventions?: string[]
  }[]
  title?: string | null
  startsOn?: string | null
  /** When it is looked at again */
  reviewOn?: string | null
  problems?: {
    /** Id of an entry that the plan has already, so that it stays the same one; without it the entry is new */
    id?: string | null
    text: string
  }[]
}

export interface TreatmentPlan {
  /** Version-4 UUID */
  id: string
  /** Version-4 UUID */
  treatmentPlanId: string
  /** Version-4 UUID */
  clientId: string
  /** A client has at most one `active` plan; `ended` is final */
  status: 'draft' | 'active' | 'ended'
  version: number
  title: string | null
  startsOn: string | null
  /** When it is looked at again */
  reviewOn: string | null
  problems: {
    /** Version-4 UUID */
    id: string
    text: string
  }[]
  goals: {
    /** Version-4 UUID */
    id: string
    text: string
    status: 'open' | 'met' | 'set_aside'
    targetDate: string | null
    objectives: {
      /** Version-4 UUID */
      id: string
      text: string
      targetDate: string | null
    }[]
    interventions: string[]
  }[]
  signedBy: {
    /** `clinician`: in the widget; `partner`: by the Partner API */
    kind: 'clinician' | 'partner'
    /** Version-4 UUID */
    id: string
    /** Name of the clinician, as they are called today */
    name: string | null
    /** ISO 8601 with `Z`, to the millisecond */
    at: string
  } | null
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
  /** ISO 8601 with `Z`, to the millisecond */
  updatedAt: string
  /** ISO 8601 with `Z`, to the millisecond */
  endedAt: string | null
}

/** All its texts together have at most 65536 bytes, as JSON in UTF-8, those that stay included */
export interface TreatmentPlanChange {
  /** All of them; what is left out is removed */
  goals?: {
    /** Id of an entry that the plan has already, so that it stays the same one; without it the entry is new */
    id?: string | null
    text: string
    status?: 'open' | 'met' | 'set_aside'
    targetDate?: string | null
    objectives?: {
      /** Id of an entry that the plan has already, so that it stays the same one; without it the entry is new */
      id?: string | null
      text: string
      targetDate?: string | null
    }[]
    interventions?: string[]
  }[]
  title?: string | null
  startsOn?: string | null
  /** When it is looked at again */
  reviewOn?: string | null
  problems?: {
    /** Id of an entry that the plan has already, so that it stays the same one; without it the entry is new */
    id?: string | null
    text: string
  }[]
}

export interface TreatmentPlanVersion {
  /** Version-4 UUID */
  id: string
  version: number
  title: string | null
  startsOn: string | null
  /** When it is looked at again */
  reviewOn: string | null
  problems: {
    /** Version-4 UUID */
    id: string
    text: string
  }[]
  goals: {
    /** Version-4 UUID */
    id: string
    text: string
    status: 'open' | 'met' | 'set_aside'
    targetDate: string | null
    objectives: {
      /** Version-4 UUID */
      id: string
      text: string
      targetDate: string | null
    }[]
    interventions: string[]
  }[]
  signedBy: {
    /** `clinician`: in the widget; `partner`: by the Partner API */
    kind: 'clinician' | 'partner'
    /** Version-4 UUID */
    id: string
    /** Name of the clinician, as they are called today */
    name: string | null
    /** ISO 8601 with `Z`, to the millisecond */
    at: string
  } | null
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

export interface ClientExport {
  /** Version-4 UUID */
  id: string
  /** Version-4 UUID */
  clientId: string
  /** `expired`: the file was deleted; ask for another export */
  status: 'preparing' | 'ready' | 'failed' | 'expired'
  /** Size of the file; `null` until it is ready */
  sizeBytes: number | null
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
  /** ISO 8601 with `Z`, to the millisecond */
  readyAt: string | null
  /** When the file is deleted: a day after it was ready, or when another export of the client is */
  expiresAt: string | null
}

export interface SessionContextChange {
  /** As your chart words them */
  diagnoses?: string[]
  /** What the client takes, as your chart words it */
  medicines?: string[]
  /** Goals that you keep yourself; those of a treatment plan kept here need not be given again */
  goals?: {
    /** Your own id of the goal, and of no other one */
    goalId?: string | null
    text: string
  }[]
  /** The plan that the last session ended with */
  lastPlan?: string | null
  /** The client’s pronouns */
  pronouns?: string | null
  /** Names that must not stand in the note; they are taken out wherever they would */
  namesToKeepOut?: string[]
  /** The code that the session is billed with */
  serviceCode?: string | null
  /** When what is billed began */
  startedAt?: string | null
  /** When what is billed ended; after `startedAt` */
  endedAt?: string | null
}

export interface SessionCreate {
  /** Absolute URL that the recording is fetched from, for example a presigned one. Production: https and a public host. A sandbox also takes `casenote://test/success` and the other test recordings of the guide about it. Needed unless there is a `text` */
  fileUrl?: string
  /** Instead of `fileUrl`: what happened, in the clinician’s own words, where nobody was recorded. It becomes the transcript, as items of the speaker `clinician` */
  text?: string | null
  /** With `fileUrl`: only the clinician is heard in it, who tells of the session afterwards. All of it becomes items of the speaker `clinician`, no voices are told apart, and no consent to be recorded is asked for */
  dictated?: boolean | null
  /** A clinician who treats the client; without it the primary one */
  clinicianId?: string | null
  /** Your own identifier of the session; echoed in events; need not be unique */
  sessionExternalId?: string | null
  /** Without it the clinician’s default, else `soap`. The two prescriber types need a prescriber */
  noteType?:
    | 'soap'
    | 'dap'
    | 'birp'
    | 'girp'
    | 'pirp'
    | 'psychotherapy_intake'
    | 'psychiatric_evaluation'
    | 'medication_management'
    | null
  /** A template that the clinician can use (`GET /templates`), of the `noteType` if both are given. Without it the nearest default of the type */
  templateId?: string | null
  /** The language of the session, by the word of somebody who was there: the primary tag of BCP 47, one of those that this installation offers (always `en`). Whatever is heard is taken then; a session that nobody says it of fails where it is not understood */
  language?: string | null
  /** When the session took place */
  startedAt?: string | null
  context?: SessionContextChange | null
}

export interface Session {
  /** Version-4 UUID */
  id: string
  /** Version-4 UUID */
  sessionId: string
  /** Your own identifier of the session; echoed in events; need not be unique */
  sessionExternalId: string | null
  /** As given; `null` for a session of the widget */
  fileUrl: string | null
  /** Version-4 UUID */
  clientId: string
  /** Version-4 UUID */
  clinicianId: string
  /** Version-4 UUID */
  clinicId: string
  /** Version-4 UUID */
  organizationId: string
  /** What kind of note is written */
  noteType:
    | 'soap'
    | 'dap'
    | 'birp'
    | 'girp'
    | 'pirp'
    | 'psychotherapy_intake'
    | 'psychiatric_evaluation'
    | 'medication_management'
  /** Id of the template that its note is written with; a built-in template has the note type for its id */
  templateId: string
  /** `typed`, `dictated`: the session was not recorded; the transcript is what the clinician typed or dictated about it */
  source: 'recording' | 'typed' | 'dictated'
  /** What was said in it, by the word of somebody who was there; `null`: nobody said, and it is taken for English unless it is not understood */
  language: string | null
  /** `completed`: every step has ended; the progress note tells its own state. `failed` is final */
  status: 'awaiting_audio' | 'fetching' | 'transcribing' | 'generating' | 'completed' | 'failed'
  /** Share of the work that is done; never falls, and is 1 exactly when `status` is `completed` */
  progress: number
  failure: SessionFailure | null
  /** ISO 8601 with `Z`, to the millisecond */
  startedAt: string | null
  /** The failed session whose recording or text this one has: it is processed again. `null` for all others */
  retryOf: string | null
  /** The session of several people of which this is one person’s part; only where it is one. Not for clinicians who do not treat all of them */
  sharedFrom?: string
  /** The sessions that others who are heard have of their own; only where there are any. Not for clinicians who do not treat all of them */
  linkedSessions?: string[]
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

export interface SessionContext {
  /** Version-4 UUID */
  sessionId: string
  /** As your chart words them */
  diagnoses: string[]
  /** What the client takes, as your chart words it */
  medicines: string[]
  goals: {
    goalId: string | null
    text: string
  }[]
  /** The plan that the last session ended with */
  lastPlan: string | null
  /** The client’s pronouns */
  pronouns: string | null
  /** Names that must not stand in the note; they are taken out wherever they would */
  namesToKeepOut: string[]
  /** The code that the session is billed with */
  serviceCode: string | null
  /** When what is billed began */
  startedAt: string | null
  /** When what is billed ended; after `startedAt` */
  endedAt: string | null
  /** ISO 8601 with `Z`, to the millisecond */
  updatedAt: string | null
}

/** Somebody who is heard in the recording */
export interface TranscriptSpeaker {
  /** One voice of the recording, by its number */
  voice: number
  /** `clinician`, `client` or `speaker_N` */
  speaker: string
  /** As the note is to call them: letters, digits, spaces and `. , ' -` */
  name: string | null
  /** Who it is to the client of the session. `client` and `clinician` become the `speaker` of the lines; every other role is a `speaker_N` */
  role: 'client' | 'partner' | 'parent' | 'child' | 'other' | 'clinician' | null
}

/** Diarized; in the order of speaking. Its `id` is the session’s */
export interface Transcript {
  /** Version-4 UUID */
  id: string
  /** Version-4 UUID */
  sessionId: string
  transcriptItems: {
    /** Seconds from the start of the recording */
    startTime: number
    /** Seconds from the start of the recording */
    endTime: number
    /** `clinician`, `client` or `speaker_N` */
    speaker: string
    transcript: string
    /** Whose voice it is: a `voice` of the transcript’s `speakers`. Not of what was typed or dictated */
    voice?: number
    /** The session was not recorded: the clinician typed it, and its times are 0, or dictated it, and its times are those of the dictation. Only where it is so */
    source?: 'typed' | 'dictated'
    /** Names that were misheard and put right in `transcript`; only where there are any */
    corrections?: {
      heard: string
      corrected: string
    }[]
  }[]
  /** Whoever is heard, by voice, with the name and role that somebody gave them. Not where the transcript was typed or dictated */
  speakers?: TranscriptSpeaker[]
  /** What was off the record; only where something was */
  gaps?: {
    /** Version-4 UUID */
    id: string
    /** `off_record`: the recorder paused, or had no sound, and nothing was kept. `struck`: it was recorded, and taken out */
    kind: 'off_record' | 'struck'
    /** Seconds from the start of the recording */
    start: number
    /** The same as `start` where nothing was recorded */
    end: number
    /** How long it was */
    seconds: number
    by: {
      kind: 'clinician' | 'partner'
      /** Version-4 UUID */
      id: string
    }
    /** ISO 8601 with `Z`, to the millisecond */
    at: string
  }[]
  /** Only one voice was told apart in three minutes or more: perhaps the other one was in headphones. Only where it is so */
  isOneVoice?: boolean
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

export interface TranscriptPatch {
  /** From each label to be changed to its new one, all at once: two may be swapped. The note is not written again by itself */
  speakers: Record<string, string>
}

export interface SpeakersChange {
  /** Who they are, by voice: what is given takes the place of what was, `null` takes it away, the rest stays. The note is not written again by itself */
  speakers: {
    /** One voice of the recording, by its number */
    voice: number
    /** As the note is to call them: letters, digits, spaces and `. , ' -` */
    name?: string | null
    /** Who it is to the client of the session. `client` and `clinician` become the `speaker` of the lines; every other role is a `speaker_N` */
    role?: 'client' | 'partner' | 'parent' | 'child' | 'other' | 'clinician' | null
  }[]
  /** Lines that another voice said than was heard */
  lines?: {
    /** Index into `transcriptItems` */
    item: number
    /** One voice of the recording, by its number */
    voice: number
  }[]
}

export interface LinkedSessionCreate {
  /** Who it is: another client than the one of the session */
  clientId: string
  /** The client’s, of the transcript’s `speakers` */
  voices: number[]
  /** A clinician who treats the client; without it the one of the session if they do, else the primary one */
  clinicianId?: string | null
  /** Your own identifier of the new session */
  sessionExternalId?: string | null
  /** As of any session */
  noteType?:
    | 'soap'
    | 'dap'
    | 'birp'
    | 'girp'
    | 'pirp'
    | 'psychotherapy_intake'
    | 'psychiatric_evaluation'
    | 'medication_management'
    | null
  /** As of any session */
  templateId?: string | null
}

export interface StretchToStrike {
  /** Seconds from the start of the recording */
  start: number
  /** Seconds from the start of the recording; after `start` */
  end: number
  /** Only says what would go. Nothing is changed */
  preview?: boolean
  /** Whoever asks has read what was said about danger in the stretch, and it is to go */
  dangerSeen?: boolean
}

export interface StruckStretch {
  /** Version-4 UUID */
  sessionId: string
  /** Where it begins: with the line in which `start` lies */
  start: number
  /** Where it ends: with the line in which `end` lies */
  end: number
  /** How many lines of the transcript are in it */
  lines: number
  /** From how many linked sessions lines go, too, with all that was written of them */
  linkedSessions: number
  /** What was said about danger in it, also what is denied or only suspected. Told by the preview alone: empty once it is struck */
  danger: {
    label: string
    words: string
    /** Seconds from the start of the recording */
    startTime: number
  }[]
  /** False for a preview */
  isStruck: boolean
}

export interface NoteSection {
  key: string
  title: string
  content: string
  evidence: {
    sentence: string
    /** Indexes into the transcript’s `transcriptItems` */
    transcriptItems: number[]
    /** False only for a sentence that was refused */
    supported: boolean
    /** `verified`: a language model compared it with the transcript, and exact checks found nothing; `exact_checks_only`: no model did; `refused`: not borne out; `clinicians_words`: typed or asked for by the clinician */
    judgement: 'verified' | 'exact_checks_only' | 'refused' | 'clinicians_words'
    /** Why it was refused */
    reason:
      | 'no_evidence'
      | 'number'
      | 'dose'
      | 'medicine'
      | 'quote'
      | 'denial'
      | 'not_asked'
      | 'speaker'
      | 'contradicted'
      | 'not_said'
      | 'certainty'
      | 'time'
      | 'whose'
      | 'act'
      | 'must_not'
      | null
  }[]
}

export interface ReviewItem {
  id: string
  kind: 'danger' | 'medicine' | 'allergy' | 'score' | 'decision' | 'template'
  label: string
  /** As said */
  words: string
  transcriptItems: number[]
  reason:
    | 'not_written'
    | 'contradicted'
    | 'suspected'
    | 'quoted_instead'
    | 'left_out'
    | 'no_unit'
    | 'unclear_answer'
    | 'must_stand'
    | 'not_read'
  /** Who said the words, as in the transcript; only where several people besides the clinician spoke */
  speaker?: string
}

export interface CoSignature {
  /** `awaited`: signed and locked, the supervisor has yet to sign; `returned`: given back, and open for changes again */
  state: 'awaited' | 'returned'
  /** Whose signature is awaited: the supervisor whom the signer has now. Null: they have none any more, and sign once more; or nothing is awaited */
  supervisor: {
    /** Version-4 UUID */
    id: string
    /** As they are called today */
    name: string
    active: boolean
  } | null
  /** Who gave it back last and why, until it is signed again */
  returned: {
    by: {
      /** Version-4 UUID */
      id: string
      /** As they are called today */
      name: string
    }
    reason: string
    /** ISO 8601 with `Z`, to the millisecond */
    at: string
  } | null
}

export interface Addendum {
  /** Version-4 UUID */
  id: string
  text: string
  author: {
    /** `clinician`: in the widget; `partner`: by the Partner API */
    kind: 'clinician' | 'partner'
    /** Version-4 UUID */
    id: string
    /** Name of the clinician, as they are called today */
    name: string | null
  }
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

export interface ProgressNote {
  /** Version-4 UUID */
  id: string
  /** Changes with every regeneration; every id that the note ever had keeps leading to it */
  progressNoteId: string
  /** Version-4 UUID */
  sessionId: string
  noteType:
    | 'soap'
    | 'dap'
    | 'birp'
    | 'girp'
    | 'pirp'
    | 'psychotherapy_intake'
    | 'psychiatric_evaluation'
    | 'medication_management'
  template: {
    noteType:
      | 'soap'
      | 'dap'
      | 'birp'
      | 'girp'
      | 'pirp'
      | 'psychotherapy_intake'
      | 'psychiatric_evaluation'
      | 'medication_management'
    /** As chosen in the widget */
    sessionType: string | null
    /** Id of the template that it is written with */
    id: string
    version: number
    title: string
    sections: {
      key: string
      title: string
      /** Which kinds of talk stand in it, as in the template */
      holds: (
        | 'danger'
        | 'reported'
        | 'medicines'
        | 'allergies'
        | 'observed'
        | 'judgement'
        | 'done'
        | 'response'
        | 'plan'
        | 'presenting'
        | 'adherence'
        | 'med_response'
        | 'side_effects'
        | 'substance'
        | 'goal'
        | 'treatment_goals'
        | 'strengths'
        | 'psych_history'
        | 'medical'
        | 'family_history'
        | 'social_history'
        | 'trauma_history'
        | 'scores'
        | 'med_change'
      )[]
    }[]
  }
  preferences: {
    treatmentApproaches: string[]
    sessionSetting: string | null
  }
  /** `generating` exactly while `isLoading`; `failed`: there is no text, and none is being written */
  status: 'generating' | 'generated' | 'regenerated' | 'finalized' | 'failed'
  /** True while generating */
  isLoading: boolean
  /** Its texts went with a stretch that was struck, and it is being written again, or that has failed: then it is regenerated, or given words by `PATCH` */
  isEmptied: boolean
  /** Empty or partial while generating */
  note: NoteSection[]
  /** Said and not written, or to be looked at before signing; danger first */
  review: ReviewItem[]
  /** Open goals of the treatment plan and of the session’s `context` when it was written, each with the sentences that speak to it */
  goals: {
    goalId: string
    /** `null` for a goal of the session’s `context` */
    treatmentPlanId: string | null
    /** Empty: nothing in the note speaks to it */
    sentences: {
      section: string
      sentence: string
    }[]
  }[]
  writer: {
    /** `extract`: quotes of what was said, chosen without a language model; `embedded`: rules of an earlier version */
    engine: 'extract' | 'openai' | 'local' | 'embedded'
    model: string
    /** The note holds quotes and no prose */
    isExtract: boolean
  } | null
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
  /** ISO 8601 with `Z`, to the millisecond */
  updatedAt: string
  /** ISO 8601 with `Z`, to the millisecond */
  finalizedAt: string | null
  signedBy: {
    /** `clinician`: in the widget; `partner`: by the Partner API */
    kind: 'clinician' | 'partner'
    /** Version-4 UUID */
    id: string
    /** Name of the clinician, as they are called today */
    name: string | null
    /** ISO 8601 with `Z`, to the millisecond */
    at: string
  } | null
  coSignedBy: {
    /** `clinician`: in the widget; `partner`: by the Partner API */
    kind: 'clinician' | 'partner'
    /** Version-4 UUID */
    id: string
    /** Name of the clinician, as they are called today */
    name: string | null
    /** ISO 8601 with `Z`, to the millisecond */
    at: string
  } | null
  coSignature: CoSignature | null
  /** Added after it was finalized, oldest first, at most 50; the finalized text never changes */
  addenda: Addendum[]
}

export interface ProgressNoteVersion {
  /** Version-4 UUID */
  id: string
  version: number
  /** The id that the note had with this version */
  progressNoteId: string
  origin: 'generation' | 'regeneration' | 'magic_edit' | 'edit'
  note: NoteSection[]
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

export interface MagicEdit {
  /** Version-4 UUID */
  id: string
  /** The id that the note had when the edit was asked for */
  progressNoteId: string
  /** Version-4 UUID */
  sessionId: string
  /** Version-4 UUID */
  clientId: string
  /** Version-4 UUID */
  clinicianId: string
  userInstructions: string
  status: 'pending' | 'completed' | 'failed'
  failureReason: string | null
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
  /** ISO 8601 with `Z`, to the millisecond */
  completedAt: string | null
}

export interface SigningCheck {
  code:
    | 'danger_not_written'
    | 'unsupported_sentence'
    | 'empty_section'
    | 'cloned_text'
    | 'service_minutes'
    | 'goal_not_linked'
  /** What the partner wants of it; checks that are `off` are not listed */
  mode: 'off' | 'warn' | 'block_in_widget' | 'block_everywhere'
  /** `not_checked`: there was no answer in time, or nothing to check it by; it stops nobody */
  state: 'passed' | 'failed' | 'not_checked'
  /** A plain sentence; null where it passed */
  message: string | null
  findings: {
    /** The section it is about, or in which it belongs */
    sectionKey: string | null
    /** As it stands in the note */
    sentence: string | null
    /** What was said, in short */
    label: string | null
    /** As said; of a goal, as it is worded */
    words: string | null
    /** To be written as it is for `write_words`, from which the service knows the words again; null where nobody said them in this session, as an answer of a questionnaire */
    quote: string | null
    /** Indexes into the transcript’s `transcriptItems` */
    transcriptItems: number[]
    /** How it is put right. `write_words`: write what was said into the section; `change_sentence`: correct or remove it; `fill_section`: write the section; `rewrite_sentence`: say it of this session, or remove it; `correct_service`: correct `serviceCode`, `startedAt` or `endedAt` of the session’s context; `write_about_goal`: say what was done about it, in words of the goal */
    mend:
      | 'write_words'
      | 'change_sentence'
      | 'fill_section'
      | 'rewrite_sentence'
      | 'correct_service'
      | 'write_about_goal'
  }[]
  /** How many were found; 50 of them are listed at most */
  total: number
}

export interface SigningChecks {
  /** Version-4 UUID */
  progressNoteId: string
  /** Version-4 UUID */
  sessionId: string
  checks: SigningCheck[]
  /** Whether one that failed keeps the note from being signed in the widget */
  blocksWidget: boolean
  /** Whether one that failed keeps it from being finalized by the Partner API */
  blocksPartnerApi: boolean
}

export interface AddendumRequest {
  /** White space around it is trimmed */
  text: string
  /** A version-4 UUID of your choice, lower case. The same one sent again, after a lost answer, adds nothing */
  id?: string
}

export interface ProgressNotePatch {
  /** All sections; what is left out is removed. `evidence` may be sent back as read and is not taken: it stays with the sentences that stayed */
  note: {
    /** A section of the note’s template; none twice */
    key: string
    /** Without it the template’s */
    title?: string
    content: string
  }[]
}

export interface MagicEditRequest {
  /** What to change, in plain words; white space around it is trimmed */
  userInstructions: string
}

/** Medical decision making elements of a session with a prescriber note type */
export interface MdmElements {
  /** Version-4 UUID */
  id: string
  /** Version-4 UUID */
  mdmId: string
  /** Version-4 UUID */
  sessionId: string
  problemsAddressed: {
    problem: string
    level: 'na' | 'minimal' | 'low' | 'moderate' | 'high'
    rationale: string
    /** Indexes into the transcript’s `transcriptItems` */
    evidence: number[]
  }[]
  riskOfComplications: {
    level: 'na' | 'minimal' | 'low' | 'moderate' | 'high'
    rationale: string
    /** Indexes into the transcript’s `transcriptItems` */
    evidence: number[]
  }
  crisisInterventionIdentified: boolean
  crisisInterventionRationale: string | null
  /** Indexes into the transcript’s `transcriptItems` */
  crisisInterventionEvidence: number[]
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

export interface Summary {
  /** Version-4 UUID */
  id: string
  /** Version-4 UUID */
  summaryId: string
  /** Version-4 UUID */
  sessionId: string
  summary: string
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

export interface Assessment {
  id: string
  name: string
  description: string
  /** Whether the clinic administers it by default */
  isDefault: boolean
  /** Questions that count towards the score */
  questionCount: number
  /** When the version of the assessment that is administered now was published here */
  createdAt: string
}

export interface AssessmentAdministration {
  /** Ids of assessments that the clinic offers. One named twice is administered once. */
  assessmentIds: string[]
  /** How long the link works; 30 days unless it is said */
  expiresInDays?: number | null
  /** False: nothing is sent to the client even where the service could; the caller hands over the link */
  sendEmail?: boolean | null
}

export interface AssessmentAssignment {
  /** Version-4 UUID */
  id: string
  assessmentId: string
  status: 'outstanding' | 'completed' | 'expired' | 'revoked'
  /** The page on which the client answers. Shown once; give it to the client only. */
  url: string
  /** ISO 8601 with `Z`, to the millisecond */
  expiresAt: string
}

export interface AssessmentAssignments {
  assignments: AssessmentAssignment[]
  /** Whether the service sends the link to the client's e-mail address itself; false: the caller hands it over */
  isEmailed: boolean
}

export interface ListedAssignment {
  /** Version-4 UUID */
  id: string
  assessmentId: string
  /** Version-4 UUID */
  clientId: string
  status: 'outstanding' | 'completed' | 'expired' | 'revoked'
  /** ISO 8601 with `Z`, to the millisecond */
  expiresAt: string
  /** ISO 8601 with `Z`, to the millisecond */
  completedAt: string | null
  /** What became of the newest mail with this link; `null` if none was to be sent, or that is long ago */
  emailStatus: 'waiting' | 'sent' | 'failed' | 'cancelled' | null
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

export interface AssessmentReissue {
  /** How long the link works; 30 days unless it is said */
  expiresInDays?: number | null
  /** False: nothing is sent to the client even where the service could; the caller hands over the link */
  sendEmail?: boolean | null
}

export interface ReissuedAssignment {
  /** Version-4 UUID */
  id: string
  assessmentId: string
  status: 'outstanding' | 'completed' | 'expired' | 'revoked'
  /** The page on which the client answers. Shown once; give it to the client only. */
  url: string
  /** ISO 8601 with `Z`, to the millisecond */
  expiresAt: string
  /** Whether the service sends the link to the client's e-mail address itself; false: the caller hands it over */
  isEmailed: boolean
}

export interface AssessmentAnswer {
  questionKey: string
  questionDisplay: string
  answerValue: number
  answerDisplay: string
}

export interface AssessmentScore {
  /** Version-4 UUID */
  id: string
  assessmentId: string
  /** Version-4 UUID */
  clientId: string
  /** The total */
  score: number
  /** The band of the total, or of a screen whether it is `positive`; `null` for an assessment without bands */
  severity: string | null
  /** What needs a look whatever the total is, such as an answer about self-harm: `self_harm` */
  flags: string[]
  /** ISO 8601 with `Z`, to the millisecond */
  completedAt: string
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
  /** As they were worded when the client answered */
  answers: AssessmentAnswer[]
  subscales: {
    key: string
    name: string
    score: number
  }[]
  /** The total in every published set of bands; the first one is `severity` */
  bands: {
    set: string
    setName: string
    band: string
    bandName: string
  }[]
  /** Published rules beyond the total. Not a diagnosis */
  criteria: {
    key: string
    name: string
    isMet: boolean
  }[]
  change: {
    /** Version-4 UUID */
    previousScoreId: string
    /** This total less the one before */
    difference: number
    /** Whether the change is larger than the assessment's own error explains; `null` where no value is published */
    reliable: 'improved' | 'worsened' | 'none' | null
    /** Whether the change is large enough to matter; `null` where no value is published */
    meaningful: 'improved' | 'worsened' | 'none' | null
  } | null
  /** The version of the assessment that was answered */
  assessmentVersion: string
  /** The version of the rules that counted */
  scorerVersion: string
  /** What it was answered in */
  language: string | null
}

export interface ClientBrief {
  /** Version-4 UUID */
  clientId: string
  lastSession: {
    /** Version-4 UUID */
    sessionId: string
    /** Version-4 UUID */
    progressNoteId: string
    /** ISO 8601 with `Z`, to the millisecond */
    at: string
    noteType:
      | 'soap'
      | 'dap'
      | 'birp'
      | 'girp'
      | 'pirp'
      | 'psychotherapy_intake'
      | 'psychiatric_evaluation'
      | 'medication_management'
    /** ISO 8601 with `Z`, to the millisecond */
    signedAt: string | null
    /** What the note’s section says that holds the plan. Null where it says nothing, and where the clinician has left that section out: then it stands with what was reported, in the section that holds `reported` */
    plan: string | null
    /** What was agreed on or proposed for the time until this session */
    homework: {
      /** As said */
      words: string
      transcriptItems: number[]
    }[]
  } | null
  /** A newer session than `lastSession`, of which a stretch was struck and whose note has not been written again yet. What is told here is without it */
  emptiedSession: {
    /** Version-4 UUID */
    sessionId: string
    /** ISO 8601 with `Z`, to the millisecond */
    at: string
  } | null
  openDanger: {
    /** Newest first */
    items: {
      /** Version-4 UUID */
      id: string
      label: string
      /** The question of a questionnaire that was answered; null for what was said */
      question: string | null
      words: string
      /** Version-4 UUID */
      sessionId: string | null
      /** ISO 8601 with `Z`, to the millisecond */
      at: string
    }[]
    total: number
  }
  /** One for each instrument */
  scores: {
    assessmentId: string
    name: string
    score: number
    severityName: string | null
    /** ISO 8601 with `Z`, to the millisecond */
    completedAt: string
    /** Against the score before */
    change: number | null
    /** Whether it is larger than the instrument’s own error; null where nobody published a value */
    reliableChange: 'improved' | 'worsened' | 'none' | null
    scoreMin: number
    scoreMax: number
    /** The newest, oldest first */
    points: {
      /** ISO 8601 with `Z`, to the millisecond */
      at: string
      score: number
    }[]
  }[]
  /** The open goals of the active treatment plan */
  goals: {
    /** Version-4 UUID */
    id: string
    text: string
    targetDate: string | null
  }[]
}

export interface TimelineEntry {
  /** Version-4 UUID */
  id: string
  /** `danger_ended`: a clinician closed it, or a signed note holds it */
  kind: 'session' | 'note_finalized' | 'assessment_completed' | 'danger_opened' | 'danger_ended'
  /** ISO 8601 with `Z`, to the millisecond */
  at: string
  /** Version-4 UUID */
  sessionId: string | null
  /** Version-4 UUID */
  progressNoteId: string | null
  /** Version-4 UUID */
  assessmentScoreId: string | null
  /** The note’s title, the assessment’s name, or what was said about danger, in short */
  label: string
  /** For a session its `status`; for danger that ended `closed` or `held` */
  status: string | null
  score: number | null
  severityName: string | null
}

export interface WebhookEndpoint {
  /** Version-4 UUID */
  id: string
  url: string
  eventTypes: (
    | 'progress_note_generated'
    | 'progress_note_regenerated'
    | 'progress_note_finalized'
    | 'transcript_ready'
    | 'session_transcript_error'
    | 'mdm_elements_identified'
    | 'assessment_completed'
    | 'session_failed'
    | 'treatment_plan_changed'
    | 'consent_given'
    | 'consent_withdrawn'
  )[]
  enabled: boolean
  /** `gone`: it answered 410. `failing`: every attempt of 5 days failed. `null`: not disabled by us. */
  disabledReason: 'gone' | 'failing' | null
  digestHeader: string | null
  /** Whether it is the `callbackUrl` of the partner */
  isPrimary: boolean
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

export interface NewWebhookEndpoint {
  /** Where events are sent. Production: https and a public host. */
  url: string
  /** Which events are sent. If never given: the seven of the contract; further ones (session_failed, treatment_plan_changed, consent_given, consent_withdrawn) go only to endpoints that name them */
  eventTypes?: (
    | 'progress_note_generated'
    | 'progress_note_regenerated'
    | 'progress_note_finalized'
    | 'transcript_ready'
    | 'session_transcript_error'
    | 'mdm_elements_identified'
    | 'assessment_completed'
    | 'session_failed'
    | 'treatment_plan_changed'
    | 'consent_given'
    | 'consent_withdrawn'
  )[]
  enabled?: boolean
  /** One more header, with the lower-case hex HMAC-SHA256 of the raw body, keyed with the whole newest `clientSecret` */
  digestHeader?: string | null
}

export interface WebhookEndpointPatch {
  /** Where events are sent. Production: https and a public host. */
  url?: string
  /** Which events are sent. If never given: the seven of the contract; further ones (session_failed, treatment_plan_changed, consent_given, consent_withdrawn) go only to endpoints that name them */
  eventTypes?: (
    | 'progress_note_generated'
    | 'progress_note_regenerated'
    | 'progress_note_finalized'
    | 'transcript_ready'
    | 'session_transcript_error'
    | 'mdm_elements_identified'
    | 'assessment_completed'
    | 'session_failed'
    | 'treatment_plan_changed'
    | 'consent_given'
    | 'consent_withdrawn'
  )[]
  /** Nothing is sent to an endpoint that is not enabled */
  enabled?: boolean
  /** One more header, with the lower-case hex HMAC-SHA256 of the raw body, keyed with the whole newest `clientSecret` */
  digestHeader?: string | null
}

export interface WebhookTest {
  eventType:
    | 'progress_note_generated'
    | 'progress_note_regenerated'
    | 'progress_note_finalized'
    | 'transcript_ready'
    | 'session_transcript_error'
    | 'mdm_elements_identified'
    | 'assessment_completed'
    | 'session_failed'
    | 'treatment_plan_changed'
    | 'consent_given'
    | 'consent_withdrawn'
}

export interface WebhookAttempt {
  /** ISO 8601 with `Z`, to the millisecond */
  at: string
  /** The HTTP status; `null` without an answer */
  status: number | null
  durationMs: number
  /** Why there was no answer */
  error: string | null
}

export interface WebhookDelivery {
  /** Version-4 UUID */
  id: string
  eventType:
    | 'progress_note_generated'
    | 'progress_note_regenerated'
    | 'progress_note_finalized'
    | 'transcript_ready'
    | 'session_transcript_error'
    | 'mdm_elements_identified'
    | 'assessment_completed'
    | 'session_failed'
    | 'treatment_plan_changed'
    | 'consent_given'
    | 'consent_withdrawn'
  /** The `webhook-id` header: one for each event */
  webhookId: string
  status: 'pending' | 'delivering' | 'succeeded' | 'failed' | 'cancelled'
  /** Oldest first; the newest 50 of them */
  attempts: WebhookAttempt[]
  /** ISO 8601 with `Z`, to the millisecond */
  nextAttemptAt: string | null
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

export interface WebhookRecovery {
  /** Events recorded at this moment or later */
  since: string
}

export interface WebhookRecovered {
  recovered: number
}

export interface SandboxAnswers {
  /** As the client would give them, one for each question that is asked */
  answers: {
    questionKey: string
    answerValue: number
  }[]
}

export interface SandboxTokenExpiry {
  /** `partner`: all partner access tokens of this tenant, the one of this call included. `clinician`: the access and refresh tokens of one clinician */
  kind: 'partner' | 'clinician'
  /** Version-4 UUID */
  clinicianId?: string | null
}

export interface ExpiredTokens {
  kind: 'partner' | 'clinician'
  /** Version-4 UUID */
  clinicianId: string | null
  /** ISO 8601 with `Z`, to the millisecond */
  expiredAt: string
}

export interface SandboxFaultRequest {
  /** What the calls are answered with, in the body and headers that it really has */
  status: 429 | 500 | 503
  /** How many calls are answered so */
  count: number
  /** Only calls whose path begins so after `/v2`; all of them unless it is said */
  pathPrefix?: string | null
}

export interface SandboxFault {
  /** What the calls are answered with, in the body and headers that it really has */
  status: 429 | 500 | 503
  /** How many calls are answered so */
  count: number
  /** How many of them are still to come */
  remaining: number
  pathPrefix: string | null
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string
}

/** The one that was asked for last; `null`: none */
export interface SandboxFaults {
  fault: SandboxFault | null
}

export interface SandboxClockMove {
  /** How far the clock of this sandbox is moved ahead; it never goes back */
  advanceSeconds: number
}

export interface SandboxClock {
  /** What the clock of this sandbox shows: by it links expire, webhooks are tried again and recordings are kept */
  now: string
  /** ISO 8601 with `Z`, to the millisecond */
  realNow: string
  /** How far it was moved, all in all */
  aheadSeconds: number
}

export interface RequestLog {
  /** The `X-Request-Id` of the answer */
  requestId: string
  /** ISO 8601 with `Z`, to the millisecond */
  at: string
  method: string | null
  /** As this document writes it, with the names of ids instead of them */
  path: string | null
  /** The `operationId` */
  operation: string
  status: number
  /** The error’s code, where the answer named one */
  code: string | null
  latencyMs: number
  /** The ids in the path, whoever’s they are */
  ids: {
    kind: string
    id: string
  }[]
}

export interface Template {
  id: string
  /** The newest */
  version: number
  noteType:
    | 'soap'
    | 'dap'
    | 'birp'
    | 'girp'
    | 'pirp'
    | 'psychotherapy_intake'
    | 'psychiatric_evaluation'
    | 'medication_management'
  title: string
  /** Who can use it: `built_in` and `tenant` all clinicians, else those of one clinic, or one of them */
  scope: 'built_in' | 'tenant' | 'clinic' | 'clinician'
  /** Version-4 UUID */
  clinicId: string | null
  /** Version-4 UUID */
  clinicianId: string | null
  /** Used where a session names its note type and no template; a clinician’s wins over the clinic’s, and that over the tenant’s */
  isDefault: boolean
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string | null
}

export interface NoteTemplate {
  /** Version of the format of the file: 1 */
  format: number
  /** Lower-case letters, digits, underscores and dashes */
  id: string
  /** Greater with every change; a note keeps the one that it was written with */
  version: number
  /** The type that its notes are of */
  noteType:
    | 'soap'
    | 'dap'
    | 'birp'
    | 'girp'
    | 'pirp'
    | 'psychotherapy_intake'
    | 'psychiatric_evaluation'
    | 'medication_management'
  title: string
  voice: {
    person: 'client' | 'patient'
    form?: 'prose' | 'points'
  }
  /** A sentence with one of these is refused in any section */
  mustNot?: string[]
  sections: {
    /** Lower-case letters, digits and underscores */
    key: string
    title: string
    /** What clinicians call it besides key and title */
    names?: string[]
    /** Which kinds of talk stand here; the first is what the title says. One section holds `danger`, and one `reported` */
    holds?: (
      | 'danger'
      | 'reported'
      | 'medicines'
      | 'allergies'
      | 'observed'
      | 'judgement'
      | 'done'
      | 'response'
      | 'plan'
      | 'presenting'
      | 'adherence'
      | 'med_response'
      | 'side_effects'
      | 'substance'
      | 'goal'
      | 'treatment_goals'
      | 'strengths'
      | 'psych_history'
      | 'medical'
      | 'family_history'
      | 'social_history'
      | 'trauma_history'
      | 'scores'
      | 'med_change'
    )[]
    /** What belongs here, for the writer. Never evidence: what nobody said is not written */
    guide: string
    alsoGuide?: string
    /** For a full session */
    words: {
      least: number
      most: number
    }
    layout?: 'paragraph' | 'bullets'
    /** What does not stand is listed in the note’s `review` */
    must?: {
      what: string
      /** It stands where the section has one of these */
      words: string[]
    }[]
    /** A sentence with one of these is refused in this section */
    mustNot?: string[]
  }[]
}

export interface TemplateWithFile {
  id: string
  /** The newest */
  version: number
  noteType:
    | 'soap'
    | 'dap'
    | 'birp'
    | 'girp'
    | 'pirp'
    | 'psychotherapy_intake'
    | 'psychiatric_evaluation'
    | 'medication_management'
  title: string
  /** Who can use it: `built_in` and `tenant` all clinicians, else those of one clinic, or one of them */
  scope: 'built_in' | 'tenant' | 'clinic' | 'clinician'
  /** Version-4 UUID */
  clinicId: string | null
  /** Version-4 UUID */
  clinicianId: string | null
  /** Used where a session names its note type and no template; a clinician’s wins over the clinic’s, and that over the tenant’s */
  isDefault: boolean
  /** ISO 8601 with `Z`, to the millisecond */
  createdAt: string | null
  template: NoteTemplate
}

/** Without `clinicId` and `clinicianId` a new template is for the whole tenant, and one that is known stays whose it is; at most one of them is given. `template` has at most 65536 bytes, as JSON in UTF-8 */
export interface TemplateInput {
  template: NoteTemplate
  /** Version-4 UUID */
  clinicId?: string | null
  /** Version-4 UUID */
  clinicianId?: string | null
  isDefault?: boolean
}

export interface WritingPreferences {
  /** How long the prose of a note is; quotes, and what nobody said, do not grow */
  length: 'shorter' | 'usual' | 'longer'
  /** Keys of sections that are not written. Where danger and where what was told stand is always written */
  leftOut: string[]
  /** A sentence with one of these is refused, and marked if it stays */
  avoidedPhrases: string[]
}

/** What is left out stays */
export interface WritingPreferencesPatch {
  /** How long the prose of a note is; quotes, and what nobody said, do not grow */
  length?: 'shorter' | 'usual' | 'longer'
  /** Keys of sections that are not written. Where danger and where what was told stand is always written */
  leftOut?: string[]
  /** A sentence with one of these is refused, and marked if it stays */
  avoidedPhrases?: string[]
}

export interface RecordErasureRequest {
  /** There is no way back, and no backup brings it back: say so */
  confirm: 'erase'
  /** Signed notes go with it. Without it a record that has any is refused with 409 */
  includeSignedNotes?: boolean
}

export interface ErasureReceipt {
  statement: {
    what: string
    /** Version-4 UUID */
    erasureId: string
    /** Version-4 UUID */
    partnerId: string
    kind: 'client' | 'session' | 'transcript' | 'draft'
    /** What was erased; of a note the id that it has here, which never changes */
    subjectId: string
    /** Version-4 UUID */
    clientId: string
    askedBy: 'operator' | 'partner' | 'restore'
    /** ISO 8601 with `Z`, to the millisecond */
    askedAt: string
    /** ISO 8601 with `Z`, to the millisecond */
    doneAt: string
    /** How many recordings went with it */
    recordings: number
    /** Whether the client’s own key was destroyed: what backups still hold of the client opens for nobody */
    isKeyDestroyed: boolean
    /** The id that it was asked for by, where a partner asked */
    askedId?: string
  }
  keyVersion: number
  /** PEM, Ed25519. Compare it with the one that the operator gave you */
  publicKey: string
  /** Base64, of `statement` as JSON without spaces, in the order in which it came */
  signature: string
}

export interface Erasure {
  /** Version-4 UUID */
  id: string
  kind: 'client' | 'session' | 'transcript' | 'draft'
  /** The id that was asked for: of a transcript its session’s, of a draft its note’s */
  subjectId: string
  /** Version-4 UUID */
  clientId: string
  /** `refused`: something was signed, or placed under a legal hold, since it was asked for */
  status: 'erasing' | 'erased' | 'refused'
  /** ISO 8601 with `Z`, to the millisecond */
  requestedAt: string
  /** ISO 8601 with `Z`, to the millisecond */
  finishedAt: string | null
  receipt: ErasureReceipt | null
}

export interface ErasureRequest {
  /** There is no way back, and no backup brings it back: say so */
  confirm: 'erase'
}

export interface ProgressNoteGeneratedEvent {
  eventType: 'progress_note_generated'
  /** ISO 8601 with `Z`, to the millisecond */
  timeStamp: string
  payload: {
    /** Version-4 UUID */
    sessionId: string
    /** Your own identifier of the session; absent if you gave none */
    sessionExternalId?: string
    /** Version-4 UUID */
    clientId: string
    /** Version-4 UUID */
    clinicianId: string
    /** Version-4 UUID */
    clinicId: string
    /** Version-4 UUID */
    organizationId: string
    /** Version-4 UUID */
    progressNoteId: string
    /** GET /sessions/{sessionId}/progress-note of this note */
    progressNoteUrl: string
    /** The same as `organizationId`, which replaces it */
    organization: string
  }
}

export interface ProgressNoteRegeneratedEvent {
  eventType: 'progress_note_regenerated'
  /** ISO 8601 with `Z`, to the millisecond */
  timeStamp: string
  payload: {
    /** Version-4 UUID */
    sessionId: string
    /** Your own identifier of the session; absent if you gave none */
    sessionExternalId?: string
    /** Version-4 UUID */
    clientId: string
    /** Version-4 UUID */
    clinicianId: string
    /** Version-4 UUID */
    clinicId: string
    /** Version-4 UUID */
    organizationId: string
    /** Version-4 UUID */
    progressNoteId: string
    /** GET /sessions/{sessionId}/progress-note of this note */
    progressNoteUrl: string
    /** The same as `organizationId`, which replaces it */
    organization: string
  }
}

export interface ProgressNoteFinalizedEvent {
  eventType: 'progress_note_finalized'
  /** ISO 8601 with `Z`, to the millisecond */
  timeStamp: string
  payload: {
    /** Version-4 UUID */
    sessionId: string
    /** Your own identifier of the session; absent if you gave none */
    sessionExternalId?: string
    /** Version-4 UUID */
    clientId: string
    /** Version-4 UUID */
    clinicianId: string
    /** Version-4 UUID */
    clinicId: string
    /** Version-4 UUID */
    organizationId: string
    /** Version-4 UUID */
    progressNoteId: string
    /** GET /sessions/{sessionId}/progress-note of this note */
    progressNoteUrl: string
    /** The same as `organizationId`, which replaces it */
    organization: string
  }
}

export interface TranscriptReadyEvent {
  eventType: 'transcript_ready'
  /** ISO 8601 with `Z`, to the millisecond */
  timeStamp: string
  payload: {
    /** Version-4 UUID */
    sessionId: string
    /** Your own identifier of the session; absent if you gave none */
    sessionExternalId?: string
    /** Version-4 UUID */
    clientId: string
    /** Version-4 UUID */
    clinicianId: string
    /** Version-4 UUID */
    clinicId: string
    /** Version-4 UUID */
    organizationId: string
    /** GET /sessions/{sessionId}/transcript */
    transcriptUrl: string
  }
}

export interface SessionTranscriptErrorEvent {
  eventType: 'session_transcript_error'
  /** ISO 8601 with `Z`, to the millisecond */
  timeStamp: string
  payload: {
    /** Version-4 UUID */
    sessionId: string
    /** Your own identifier of the session; absent if you gave none */
    sessionExternalId?: string
    /** Version-4 UUID */
    clientId: string
    /** Version-4 UUID */
    clinicianId: string
    /** Version-4 UUID */
    clinicId: string
    /** Version-4 UUID */
    organizationId: string
    /** For people */
    error: string
    failure: SessionFailure
  }
}

export interface SessionFailedEvent {
  eventType: 'session_failed'
  /** ISO 8601 with `Z`, to the millisecond */
  timeStamp: string
  payload: {
    /** Version-4 UUID */
    sessionId: string
    /** Your own identifier of the session; absent if you gave none */
    sessionExternalId?: string
    /** Version-4 UUID */
    clientId: string
    /** Version-4 UUID */
    clinicianId: string
    /** Version-4 UUID */
    clinicId: string
    /** Version-4 UUID */
    organizationId: string
    /** For people */
    error: string
    failure: SessionFailure
  }
}

export interface MdmElementsIdentifiedEvent {
  eventType: 'mdm_elements_identified'
  /** ISO 8601 with `Z`, to the millisecond */
  timeStamp: string
  payload: {
    /** Version-4 UUID */
    sessionId: string
    /** Your own identifier of the session; absent if you gave none */
    sessionExternalId?: string
    /** Version-4 UUID */
    clientId: string
    /** Version-4 UUID */
    clinicianId: string
    /** Version-4 UUID */
    clinicId: string
    /** Version-4 UUID */
    organizationId: string
    /** Version-4 UUID */
    mdmId: string
    /** GET /sessions/{sessionId}/mdm */
    mdmUrl: string
  }
}

export interface AssessmentCompletedEvent {
  eventType: 'assessment_completed'
  /** ISO 8601 with `Z`, to the millisecond */
  timeStamp: string
  payload: {
    /** The client */
    patientId: string
    assessmentScores: {
      /** Version-4 UUID */
      id: string
      /** Which assessment */
      assessmentId: string
      /** GET /assessment-scores/{id} */
      assessmentScoreUrl: string
    }[]
  }
}

export interface TreatmentPlanChangedEvent {
  eventType: 'treatment_plan_changed'
  /** ISO 8601 with `Z`, to the millisecond */
  timeStamp: string
  payload: {
    /** Version-4 UUID */
    clientId: string
    /** Version-4 UUID */
    treatmentPlanId: string
    version: number
    status: 'draft' | 'active' | 'ended'
    /** GET /treatment-plans/{treatmentPlanId} */
    treatmentPlanUrl: string
  }
}

export interface ConsentGivenEvent {
  eventType: 'consent_given'
  /** ISO 8601 with `Z`, to the millisecond */
  timeStamp: string
  payload: {
    /** Version-4 UUID */
    clientId: string
    /** Version-4 UUID */
    consentId: string
    relation: 'self' | 'guardian' | 'participant'
    method: 'signed_on_page' | 'signed_in_room' | 'by_word'
    /** Whether the client agreed to be recorded: `given`, `withdrawn`, or `none` where nobody has agreed yet */
    recordingConsent: 'given' | 'withdrawn' | 'none'
    /** GET /clients/{clientId}/consents */
    consentsUrl: string
  }
}

export interface ConsentWithdrawnEvent {
  eventType: 'consent_withdrawn'
  /** ISO 8601 with `Z`, to the millisecond */
  timeStamp: string
  payload: {
    /** Version-4 UUID */
    clientId: string
    /** Version-4 UUID */
    consentId: string
    relation: 'self' | 'guardian' | 'participant'
    method: 'signed_on_page' | 'signed_in_room' | 'by_word'
    /** Whether the client agreed to be recorded: `given`, `withdrawn`, or `none` where nobody has agreed yet */
    recordingConsent: 'given' | 'withdrawn' | 'none'
    /** GET /clients/{clientId}/consents */
    consentsUrl: string
  }
}
