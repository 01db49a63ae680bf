import { Type, type Static } from 'typebox'
import { Id, oneOf, Timestamp } from './fields.js'
import { SessionGap } from './session-gaps.js'

/** `clinician`, `client`, or `speaker_1` and so on for a voice that could not be told (ruling 6). */
export const isSpeaker = (text: string): boolean => /^(clinician|client|speaker_[1-9]\d{0,3})$/.test(text)

const Speaker = Type.String({
  description: '`clinician`, `client` or `speaker_N`',
  maxLength: 50,
  examples: ['client'],
})

export const TranscriptItem = Type.Object({
  startTime: Type.Number({ description: 'Seconds from the start of the recording', examples: [12.4] }),
  endTime: Type.Number({ description: 'Seconds from the start of the recording', examples: [15.92] }),
  speaker: Speaker,
  transcript: Type.String({ examples: ['I slept better this week.'] }),
  source: Type.Optional(
    oneOf(['typed'] as const, {
      description:
        'Nobody was recorded: the clinician typed it about the session, and its times are 0. Only where it is so',
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

export const Transcript = Type.Object(
  {
    id: Id,
    sessionId: Id,
    transcriptItems: Type.Array(TranscriptItem),
    gaps: Type.Optional(
      Type.Array(SessionGap, { description: 'What was off the record; only where something was' }),
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
