import { Type, type Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from './fields.js'
import { SessionGap } from './session-gaps.js'

/** `clinician`, `client`, or `speaker_1` and so on for a voice that could not be told (ruling 6). */
export const isSpeaker = (text: string): boolean => /^(clinician|client|speaker_[1-9]\d{0,3})$/.test(text)

const Speaker = Type.String({
  description: '`clinician`, `client` or `speaker_N`',
  maxLength: 50,
  examples: ['client'],
})

/** Who somebody is to the client of the record, who is `client`. */
export const SPEAKER_ROLES = ['client', 'partner', 'parent', 'child', 'other', 'clinician'] as const
export type SpeakerRole = (typeof SPEAKER_ROLES)[number]

/** More than any group session has. */
const voicesMax = 100

/** As people are called in a room; longer is no name. */
const speakerNameLengthMax = 80

/** Lines whose voice is put right with one call: more is a recording in which the voices were not told apart. */
const linesMax = 500

const Voice = Type.Integer({
  minimum: 1,
  maximum: 9_999,
  description: 'One voice of the recording, by its number',
  examples: [2],
})

const SpeakerName = Type.String({
  minLength: 1,
  maxLength: speakerNameLengthMax,
  'x-trimmed': true,
  description: "As the note is to call them: letters, digits, spaces and `. , ' -`",
  examples: ['Ben'],
})

const Role = oneOf(SPEAKER_ROLES, {
  description:
    'Who it is to the client of the session. `client` and `clinician` become the `speaker` of the lines; every other role is a `speaker_N`',
  examples: ['partner'],
})

export const TranscriptSpeaker = Type.Object(
  { voice: Voice, speaker: Speaker, name: Nullable(SpeakerName), role: Nullable(Role) },
  { $id: 'TranscriptSpeaker', description: 'Somebody who is heard in the recording' },
)
export type TranscriptSpeaker = Static<typeof TranscriptSpeaker>

/** How a clinician tells of a session that was not recorded. */
export const ACCOUNT_SOURCES = ['typed', 'dictated'] as const

export const TranscriptItem = Type.Object({
  startTime: Type.Number({ description: 'Seconds from the start of the recording', examples: [12.4] }),
  endTime: Type.Number({ description: 'Seconds from the start of the recording', examples: [15.92] }),
  speaker: Speaker,
  transcript: Type.String({ examples: ['I slept better this week.'] }),
  voice: Type.Optional(
    Type.Integer({
      description:
        'Whose voice it is: a `voice` of the transcript’s `speakers`. Not of what was typed or dictated',
      examples: [1],
    }),
  ),
  source: Type.Optional(
    oneOf(ACCOUNT_SOURCES, {
      description:
        'The session was not recorded: the clinician typed it, and its times are 0, or dictated it, and its times are those of the dictation. Only where it is so',
    }),
  ),
  corrections: Type.Optional(
    Type.Array(
      Type.Object({
        heard: Type.String({ examples: ['search for line'] }),
        corrected: Type.String({ examples: ['sertraline'] }),
      }),
      { description: 'Names that were misheard and put right in `transcript`; only where there are any' },
    ),
  ),
})
export type TranscriptItem = Static<typeof TranscriptItem>

/** The clinician's own account of a session, not something that was said in it. */
export const isAccountItem = ({ source }: { source?: TranscriptItem['source'] | undefined }): boolean =>
  source !== undefined

export const Transcript = Type.Object(
  {
    id: Id,
    sessionId: Id,
    transcriptItems: Type.Array(TranscriptItem),
    speakers: Type.Optional(
      Type.Array(TranscriptSpeaker, {
        description:
          'Whoever is heard, by voice, with the name and role that somebody gave them. Not where the transcript was typed or dictated',
      }),
    ),
    gaps: Type.Optional(
      Type.Array(SessionGap, { description: 'What was off the record; only where something was' }),
    ),
    isOneVoice: Type.Optional(
      Type.Boolean({
        description:
          'Only one voice was told apart in three minutes or more: perhaps the other one was in headphones. Only where it is so',
      }),
    ),
    createdAt: Timestamp,
  },
  { $id: 'Transcript', description: 'Diarized; in the order of speaking. Its `id` is the session’s' },
)
export type Transcript = Static<typeof Transcript>

export const TranscriptPatch = Type.Object(
  {
    speakers: Type.Record(Type.String(), Speaker, {
      // More voices than any group session has.
      maxProperties: 100,
      description:
        'From each label to be changed to its new one, all at once: two may be swapped. The note is not written again by itself',
      examples: [{ speaker_1: 'client' }],
    }),
  },
  { $id: 'TranscriptPatch' },
)
export type TranscriptPatch = Static<typeof TranscriptPatch>

export const SpeakersChange = Type.Object(
  {
    speakers: Type.Array(
      Type.Object({
        voice: Voice,
        name: Type.Optional(Nullable(SpeakerName)),
        role: Type.Optional(Nullable(Role)),
      }),
      {
        maxItems: voicesMax,
        description:
          'Who they are, by voice: what is given takes the place of what was, `null` takes it away, the rest stays. The note is not written again by itself',
      },
    ),
    lines: Type.Optional(
      Type.Array(
        Type.Object({
          item: Type.Integer({ minimum: 0, description: 'Index into `transcriptItems`', examples: [12] }),
          voice: Voice,
        }),
        { maxItems: linesMax, description: 'Lines that another voice said than was heard' },
      ),
    ),
  },
  {
    $id: 'SpeakersChange',
    // Whole: which lines there are, nobody knows.
    examples: [
      {
        speakers: [
          { voice: 1, name: 'Ana', role: 'client' },
          { voice: 2, name: 'Ben', role: 'partner' },
        ],
      },
    ],
  },
)
export type SpeakersChange = Static<typeof SpeakersChange>
