import { Type, type Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from './fields.js'

/** A day: no recording is longer. */
const secondsMax = 86_400

const Seconds = (description: string, example: number) =>
  Type.Number({ minimum: 0, maximum: secondsMax, description, examples: [example] })

/** What was off the record in a session (decision 0049). */
export const SessionGap = Type.Object(
  {
    id: Id,
    kind: oneOf(['off_record', 'struck'] as const, {
      description:
        '`off_record`: the recorder paused, or had no sound, and nothing was kept. `struck`: it was recorded, and taken out',
    }),
    start: Seconds('Seconds from the start of the recording', 312.4),
    end: Seconds('The same as `start` where nothing was recorded', 371.9),
    seconds: Seconds('How long it was', 59.5),
    by: Type.Object({
      kind: oneOf(['clinician', 'partner'] as const),
      id: Id,
    }),
    at: Timestamp,
  },
  { description: 'A stretch that was off the record. What was said in it is kept nowhere' },
)
export type SessionGap = Static<typeof SessionGap>

const GapPlace = Type.Object({
  /** Segment of the recording, as its uploads are numbered. */
  segment: Type.Integer({ minimum: 0, maximum: 199 }),
  /** Recorded sound from the segment's begin. */
  seconds: Type.Number({ minimum: 0, maximum: secondsMax }),
})

/** While it is recorded: the widget's own. `from` and `to` where it knows them: they count, and `start` and `end` are about where. */
export const NewGap = Type.Object({
  id: Type.String({ format: 'uuid' }),
  start: Type.Number({ minimum: 0, maximum: secondsMax }),
  end: Type.Number({ minimum: 0, maximum: secondsMax }),
  seconds: Type.Number({ minimum: 0, maximum: secondsMax }),
  at: Type.String({ format: 'date-time' }),
  from: Type.Optional(GapPlace),
  to: Type.Optional(GapPlace),
})
export type NewGap = Static<typeof NewGap>

/** The widget's own: what is about to be struck back of a recording that goes on. */
export const HeardStretch = Type.Object({
  start: Type.Number({ minimum: 0, maximum: secondsMax }),
  end: Type.Number({ minimum: 0, maximum: secondsMax }),
})
export type HeardStretch = Static<typeof HeardStretch>

export const StretchToStrike = Type.Object(
  {
    start: Seconds('Seconds from the start of the recording', 312.4),
    end: Seconds('Seconds from the start of the recording; after `start`', 371.9),
    preview: Type.Optional(
      Type.Boolean({ description: 'Only says what would go. Nothing is changed', examples: [false] }),
    ),
    dangerSeen: Type.Optional(
      Type.Boolean({
        description: 'Whoever asks has read what was said about danger in the stretch, and it is to go',
        examples: [false],
      }),
    ),
  },
  { $id: 'StretchToStrike' },
)
export type StretchToStrike = Static<typeof StretchToStrike>

export const StruckStretch = Type.Object(
  {
    sessionId: Id,
    start: Seconds('Where it begins: with the line in which `start` lies', 310.2),
    end: Seconds('Where it ends: with the line in which `end` lies', 372.6),
    lines: Type.Integer({ description: 'How many lines of the transcript are in it', examples: [7] }),
    linkedSessions: Type.Integer({
      description: 'From how many linked sessions lines go, too, with all that was written of them',
      examples: [0],
    }),
    danger: Type.Array(
      Type.Object({
        label: Type.String({ examples: ['Suicidal thoughts, now'] }),
        words: Type.String({ examples: ['I have thought about not being here.'] }),
        startTime: Type.Number({ description: 'Seconds from the start of the recording', examples: [318.2] }),
      }),
      {
        description:
          'What was said about danger in it, also what is denied or only suspected. Told by the preview alone: empty once it is struck',
      },
    ),
    isStruck: Type.Boolean({ description: 'False for a preview', examples: [true] }),
  },
  { $id: 'StruckStretch' },
)
export type StruckStretch = Static<typeof StruckStretch>

/** The widget's own: what was said about danger in a stretch, as far as it was heard. */
export const HeardDanger = Type.Object({
  danger: StruckStretch.properties.danger,
  /** In seconds of the recording: what was said later was not looked at. Null: nothing was. */
  lookedTo: Nullable(Type.Number()),
  /** Later only plain words were looked for: the reader was not done in time. Null: nowhere else. */
  readTo: Nullable(Type.Number()),
})
export type HeardDanger = Static<typeof HeardDanger>
