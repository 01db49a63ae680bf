import { Type, type Static } from 'typebox'
import { MAIL_STATUSES } from './assessments.js'
import { externalIdLengthMax, Id, nameLengthMax, Nullable, oneOf, Timestamp } from './fields.js'
import { NOTE_TYPES } from './notes.js'
import { NOTE_STATUSES } from './progress-notes.js'
import { CONTEXT_FIELDS, SessionContextChange } from './session-context.js'
import { SESSION_SOURCES, SESSION_STATUSES, sessionLanguagePattern } from './sessions.js'
import { PageOf, PageQuery } from './lists.js'
import { WIDGET_STAGES } from './widget-stages.js'
import { WORK_STATES } from './widget-work.js'

/** What the widget's frame and the service say to each other: ours, unpublished, one version at both ends. */

/** Who the widget acts for, and what they may choose. */
export const WidgetClinician = Type.Object({
  id: Id,
  firstName: Type.String(),
  lastName: Type.String(),
  prescriber: Type.Boolean(),
  defaultNoteType: oneOf(NOTE_TYPES),
  /** Whether a language model writes here: without one fewer magic edits can be done. */
  hasModel: Type.Boolean(),
  /** What may be said in a session here: `en`, and what the speech engine knows besides. */
  languages: Type.Array(Type.String()),
  /** Without any input for so long the frame covers what it shows. */
  idleMinutes: Type.Integer(),
  /** Who co-signs; null: nobody has to. */
  supervisor: Nullable(Type.Object({ name: Type.String(), isActive: Type.Boolean() })),
})
export type WidgetClinician = Static<typeof WidgetClinician>

/** Seal what a browser keeps of recordings until they are uploaded; the newest first. Never kept by the browser. */
export const RecordingKeys = Type.Object({
  keys: Type.Array(Type.Object({ version: Type.Integer(), key: Type.String() })),
})
export type RecordingKeys = Static<typeof RecordingKeys>

export const WidgetClient = Type.Object({
  id: Id,
  firstName: Nullable(Type.String()),
  lastName: Type.String(),
  dateOfBirth: Type.String(),
  isArchived: Type.Boolean(),
  /** When this client's consent to be recorded was recorded last; null: never, or withdrawn. */
  consentedAt: Nullable(Timestamp),
})
export type WidgetClient = Static<typeof WidgetClient>

export const WidgetSession = Type.Object({
  sessionId: Id,
  sessionExternalId: Nullable(Type.String()),
  client: Type.Object({
    id: Id,
    firstName: Nullable(Type.String()),
    lastName: Type.String(),
    dateOfBirth: Type.String(),
  }),
  noteType: oneOf(NOTE_TYPES),
  source: oneOf(SESSION_SOURCES),
  /** What was said in it, by the word of somebody who was there; null: nobody said. */
  language: Nullable(Type.String()),
  status: oneOf(SESSION_STATUSES),
  /** Share of all the work, as the Partner API tells it. */
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  stage: oneOf(WIDGET_STAGES),
  /** Share of this stage; null where it cannot be told. */
  stageProgress: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
  /** A sentence for the clinician; null unless the session failed. */
  failure: Nullable(Type.String()),
  /** It failed because nobody here understood it: the clinician may say that it was in English. */
  canWriteAnyway: Type.Boolean(),
  /** It failed for want of something that may be there now. */
  canBeTriedAgain: Type.Boolean(),
  /** The session that has its recording or text since; null where there is none, or where it was withdrawn. */
  triedAgainAs: Nullable(Id),
  /** It failed, and no session that it was tried again as has its words, or is about to: what is struck is struck here. */
  hasWordsOfTries: Type.Boolean(),
  /** Whether the recording can still be played. */
  hasAudio: Type.Boolean(),
  note: Type.Object({
    progressNoteId: Id,
    status: oneOf(NOTE_STATUSES),
    isLoading: Type.Boolean(),
    /** It has been written once: what is under way may replace a text. */
    hasText: Type.Boolean(),
    /** Changes with whatever changes the note: sections written, edits, finalizing. The `ETag` of the note. */
    etag: Type.String(),
    /** Signed, and waiting for the supervisor: who signed, and who may sign now. Null where nothing waits. */
    awaited: Nullable(
      Type.Object({
        signerId: Id,
        signerName: Type.String(),
        signedAt: Timestamp,
        supervisorId: Nullable(Id),
      }),
    ),
  }),
  /** Changes when speakers are corrected. */
  hasTranscript: Type.Boolean(),
  /** Only one voice was told apart in a recording that is long enough to tell. */
  isOneVoice: Type.Boolean(),
  /** What the page knew beside the session, and was refused: the note does without. */
  contextLeftOut: Type.Array(oneOf(CONTEXT_FIELDS)),
  hasSummary: Type.Boolean(),
  hasMdm: Type.Boolean(),
  /** Whose session it is; others who treat the client may read it. */
  clinicianId: Id,
  /** False for a supervisor who reads it to co-sign, and for nothing else. */
  isTreated: Type.Boolean(),
  /** The withdrawn session whose recording this is. */
  correctionOf: Nullable(Id),
  /** The session that has this one's recording since it was withdrawn; null where the clinician may not open that one, too. */
  correctedBy: Nullable(Id),
  /** It was kept under the wrong client: whatever came of it is taken back. */
  isWithdrawn: Type.Boolean(),
  startedAt: Nullable(Timestamp),
  createdAt: Timestamp,
})
export type WidgetSession = Static<typeof WidgetSession>

/** The clinician's own sessions, newest first. */
export const WidgetWorkQuery = Type.Object({
  ...PageQuery.properties,
  /** Without: all of them. */
  state: Type.Optional(oneOf(WORK_STATES)),
  /** Name of the client, or a part of it. */
  name: Type.Optional(Type.String({ maxLength: 200 })),
})
export type WidgetWorkQuery = Static<typeof WidgetWorkQuery>

const Counted = Type.Integer({ minimum: 0 })

export const WidgetWork = Type.Object({
  ...PageOf(WidgetSession).properties,
  /** Whatever the page is filtered by. */
  counts: Type.Object({ ready: Counted, underway: Counted, failed: Counted }),
})
export type WidgetWork = Static<typeof WidgetWork>

const label = Type.String({ minLength: 1, maxLength: nameLengthMax })

export const WidgetSessionCreate = Type.Object({
  /** Chosen by the frame and kept with the recording: a repeated call gives the same session. */
  recordingId: Type.String({ format: 'uuid' }),
  sessionExternalId: Type.Optional(Nullable(Type.String({ maxLength: externalIdLengthMax }))),
  noteType: Type.Optional(Nullable(oneOf(NOTE_TYPES))),
  /** Empty: the usual one of the note type. */
  templateId: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
  sessionType: Type.Optional(Nullable(label)),
  sessionSetting: Type.Optional(Nullable(label)),
  /** Of what was recorded any, also one that was offered only when the recording began; of a typed text one that is offered. Empty: nobody said. */
  language: Type.Optional(Nullable(Type.String({ pattern: sessionLanguagePattern }))),
  usingHeadphones: Type.Optional(Nullable(Type.Boolean())),
  treatmentApproaches: Type.Optional(Type.Array(label, { maxItems: 20 })),
  startedAt: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
  /** Now, by the clock that told `startedAt`: how long ago that was, whatever the clock shows. */
  sentAt: Type.Optional(Type.String({ format: 'date-time' })),
  context: Type.Optional(Nullable(SessionContextChange)),
  /** What the frame had to leave out of it, since it was refused. */
  contextLeftOut: Type.Optional(Type.Array(oneOf(CONTEXT_FIELDS), { maxItems: CONTEXT_FIELDS.length })),
})
export type WidgetSessionCreate = Static<typeof WidgetSessionCreate>

/** The recording is whole: its segments in order, each an upload of this session. */
export const RecordingCompletion = Type.Object({
  uploadIds: Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, maxItems: 200 }),
  /** The consent was withdrawn while it was recorded, and the clinician was told to keep what there is. */
  isKept: Type.Optional(Type.Boolean()),
})
export type RecordingCompletion = Static<typeof RecordingCompletion>

/** With the answer to a piece of a recording, where the client's consent does not hold any more: the recorder ends. */
export const recordingConsentHeader = 'casenote-recording-consent'

/** With what is sent of a recording after a withdrawal: the clinician was asked, and it is kept. Without it nothing more is taken. */
export const recordingKeptHeader = 'casenote-recording-kept'

/** One chunk of `GET /widget/v1/sessions/{sessionId}/events`: `event: session`, the session as data. */
export const widgetSessionEvent = 'session'

export const NoteRestoration = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  /** Only these sections, of a version of the same note type; without it the whole note. */
  sectionKeys: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 100 }),
  ),
})
export type NoteRestoration = Static<typeof NoteRestoration>

export const NoteRegeneration = Type.Object({
  noteType: Type.Optional(Nullable(oneOf(NOTE_TYPES))),
  templateId: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
})
export type NoteRegeneration = Static<typeof NoteRegeneration>

/** One instrument's scores over time, ready to be drawn. */
export const AssessmentTrend = Type.Object({
  assessmentId: Type.String(),
  name: Type.String(),
  scoreMin: Type.Number(),
  scoreMax: Type.Number(),
  /** From low to high; `to` is included. */
  bands: Type.Array(
    Type.Object({ from: Type.Number(), to: Type.Number(), severity: Type.String(), name: Type.String() }),
  ),
  /** WHO-5 and the like: more is better. */
  isHigherBetter: Type.Boolean(),
  points: Type.Array(
    Type.Object({
      scoreId: Id,
      completedAt: Timestamp,
      score: Type.Number(),
      severity: Nullable(Type.String()),
      /** In words, as the version that was answered has them; null where it has none. */
      severityName: Nullable(Type.String()),
      flags: Type.Array(Type.String()),
      /** Against the point before. */
      change: Nullable(Type.Number()),
      /** Whether the change is larger than the instrument's own error explains; null where nobody published a value. */
      reliableChange: Nullable(oneOf(['improved', 'worsened', 'none'] as const)),
    }),
  ),
})
export type AssessmentTrend = Static<typeof AssessmentTrend>

export const WidgetAssessments = Type.Object({
  outstanding: Type.Array(
    Type.Object({
      id: Id,
      assessmentId: Type.String(),
      name: Type.String(),
      assignedAt: Timestamp,
      /** When its link was first opened, with the right date of birth; null: not yet. */
      openedAt: Nullable(Timestamp),
      expiresAt: Timestamp,
      /** What became of the mail with its link; null: none was to be sent, or that is long ago. */
      emailStatus: Nullable(oneOf(MAIL_STATUSES)),
      /** Names of what else waits and was sent with it, by one link. */
      sentWith: Type.Array(Type.String()),
    }),
  ),
  /** What can be sent, the clinic's usual ones first. */
  offered: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), description: Type.String() })),
  /** Whether the service sends mail, and knows where to. */
  canMail: Type.Boolean(),
  /** Answers that somebody must see, from finished and from abandoned assessments; newest first. */
  alerts: Type.Array(
    Type.Object({
      assignmentId: Id,
      assessmentId: Type.String(),
      name: Type.String(),
      questionDisplay: Type.String(),
      answerDisplay: Type.String(),
      answeredAt: Timestamp,
    }),
  ),
  trends: Type.Array(AssessmentTrend),
})
export type WidgetAssessments = Static<typeof WidgetAssessments>
