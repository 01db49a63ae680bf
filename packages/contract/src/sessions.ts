import { Type, type Static } from 'typebox'
import type { SessionEventPayload } from './events.js'
import { externalIdLengthMax, fileUrlLengthMax, Id, Nullable, oneOf, Timestamp } from './fields.js'
import { NOTE_TYPES } from './notes.js'
import { SessionContextChange } from './session-context.js'
import { sessionTextLengthMax } from './text-bounds.js'
import { SessionFailure } from './session-failure.js'

/** Ruling 5. */
export const SESSION_STATUSES = [
  'awaiting_audio',
  'fetching',
  'transcribing',
  'generating',
  'completed',
  'failed',
] as const
export type SessionStatus = (typeof SESSION_STATUSES)[number]

/** Where what is known of a session comes from: it was recorded, or its clinician typed or dictated what happened. */
export const SESSION_SOURCES = ['recording', 'typed', 'dictated'] as const
export type SessionSource = (typeof SESSION_SOURCES)[number]

const FileUrl = Type.String({
  format: 'uri',
  'x-needed-without': 'text',
  'x-or-scheme': 'casenote',
  minLength: 1,
  maxLength: fileUrlLengthMax,
  description:
    'Absolute URL that the recording is fetched from, for example a presigned one. Production: https and a public host. A sandbox also takes `casenote://test/success` and the other test recordings of the guide about it. Needed unless there is a `text`',
  examples: ['https://recordings.ehr.example/2026/11/15/session.mp3'],
})

const SessionExternalId = Type.String({
  maxLength: externalIdLengthMax,
  description: 'Your own identifier of the session; echoed in events; need not be unique',
  examples: ['appointment-20261115-0930'],
})

/** What every installation knows: its recognizer, reader, rules and notes. */
export const homeLanguage = 'en'

/** BCP 47, the primary tag alone. Which of them an installation offers is its operator's to say (decision 0052). */
export const sessionLanguagePattern = '^[a-z]{2,3}$'

/** What is said of one that is not offered. */
export const wordOffered = (languages: readonly string[]): string =>
  `language must be one of the following values: ${languages.join(', ')}`

const NoteType = oneOf(NOTE_TYPES, { description: 'What kind of note is written', examples: ['soap'] })

export const Session = Type.Object(
  {
    id: Id,
    sessionId: Id,
    sessionExternalId: Nullable(SessionExternalId),
    fileUrl: Nullable(Type.String({ description: 'As given; `null` for a session of the widget' })),
    clientId: Id,
    clinicianId: Id,
    clinicId: Id,
    organizationId: Id,
    noteType: NoteType,
    templateId: Type.String({
      description:
        'Id of the template that its note is written with; a built-in template has the note type for its id',
      examples: ['soap'],
    }),
    source: oneOf(SESSION_SOURCES, {
      description:
        '`typed`, `dictated`: the session was not recorded; the transcript is what the clinician typed or dictated about it',
    }),
    language: Nullable(
      Type.String({
        description:
          'What was said in it, by the word of somebody who was there; `null`: nobody said, and it is taken for English unless it is not understood',
        examples: ['en'],
      }),
    ),
    status: oneOf(SESSION_STATUSES, {
      description:
        '`completed`: every step has ended; the progress note tells its own state. `failed` is final',
    }),
    progress: Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Share of the work that is done; never falls, and is 1 exactly when `status` is `completed`',
      examples: [0.6],
    }),
    failure: Nullable(SessionFailure),
    startedAt: Nullable(Timestamp),
    retryOf: Nullable(
      Type.String({
        format: 'uuid',
        description:
          'The failed session whose recording or text this one has: it is processed again. `null` for all others',
        examples: ['7f1c5f0e-6f0a-4b9e-9d0c-2f3b6f3f9a11'],
      }),
    ),
    sharedFrom: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'The session of several people of which this is one person’s part; only where it is one. Not for clinicians who do not treat all of them',
        examples: ['7f1c5f0e-6f0a-4b9e-9d0c-2f3b6f3f9a11'],
      }),
    ),
    linkedSessions: Type.Optional(
      Type.Array(Id, {
        description:
          'The sessions that others who are heard have of their own; only where there are any. Not for clinicians who do not treat all of them',
      }),
    ),
    createdAt: Timestamp,
  },
  { $id: 'Session' },
)
export type Session = Static<typeof Session>

export const SessionCreate = Type.Object(
  {
    fileUrl: Type.Optional(FileUrl),
    text: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: sessionTextLengthMax,
          'x-trimmed': true,
          description:
            'Instead of `fileUrl`: what happened, in the clinician’s own words, where nobody was recorded. It becomes the transcript, as items of the speaker `clinician`',
          examples: [
            'Client reports low mood since May, worse in the mornings. Denies SI. Plan: sleep diary, back in a week.',
          ],
        }),
      ),
    ),
    dictated: Type.Optional(
      Nullable(
        Type.Boolean({
          description:
            'With `fileUrl`: only the clinician is heard in it, who tells of the session afterwards. All of it becomes items of the speaker `clinician`, no voices are told apart, and no consent to be recorded is asked for',
          examples: [false],
        }),
      ),
    ),
    clinicianId: Type.Optional(
      Nullable(
        Type.String({
          format: 'uuid',
          description: 'A clinician who treats the client; without it the primary one',
          examples: ['7f1c5f0e-6f0a-4b9e-9d0c-2f3b6f3f9a11'],
        }),
      ),
    ),
    sessionExternalId: Type.Optional(Nullable(SessionExternalId)),
    noteType: Type.Optional(
      Nullable(
        oneOf(NOTE_TYPES, {
          description:
            'Without it the clinician’s default, else `soap`. The two prescriber types need a prescriber',
          examples: ['soap'],
        }),
      ),
    ),
    templateId: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 64,
          description:
            'A template that the clinician can use (`GET /templates`), of the `noteType` if both are given. Without it the nearest default of the type',
          examples: ['soap'],
        }),
      ),
    ),
    language: Type.Optional(
      Nullable(
        Type.String({
          pattern: sessionLanguagePattern,
          description:
            'The language of the session, by the word of somebody who was there: the primary tag of BCP 47, one of those that this installation offers (always `en`). Whatever is heard is taken then; a session that nobody says it of fails where it is not understood',
          examples: ['en'],
        }),
      ),
    ),
    startedAt: Type.Optional(
      Nullable(
        Type.String({
          format: 'date-time',
          description: 'When the session took place',
          examples: ['2026-11-15T09:30:00.000Z'],
        }),
      ),
    ),
    context: Type.Optional(Nullable(SessionContextChange)),
  },
  {
    $id: 'SessionCreate',
    // Whole, because `fileUrl` and `text` exclude each other.
    examples: [
      {
        fileUrl: 'https://recordings.ehr.example/2026/11/15/session.mp3',
        sessionExternalId: 'appointment-20261115-0930',
        noteType: 'soap',
        startedAt: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type SessionCreate = Static<typeof SessionCreate>

export const Summary = Type.Object(
  {
    id: Id,
    summaryId: Id,
    sessionId: Id,
    summary: Type.String({ examples: ['The client reported better sleep and less worry at work.'] }),
    createdAt: Timestamp,
  },
  { $id: 'Summary' },
)
export type Summary = Static<typeof Summary>

/** The common fields of six of the seven events (contract part 6). */
export function toSessionPayload(session: {
  sessionId: string
  sessionExternalId: string | null
  clientId: string
  clinicianId: string
  clinicId: string
  organizationId: string
}): SessionEventPayload {
  const { sessionId, sessionExternalId, clientId, clinicianId, clinicId, organizationId } = session
  return {
    sessionId,
    ...(sessionExternalId === null ? {} : { sessionExternalId }),
    clientId,
    clinicianId,
    clinicId,
    organizationId,
  }
}
