import { Nullable } from '@casenote/contract'
import { Type, type Static } from 'typebox'

/**
 * What an operator may write into a file: a whole instrument, or a text pack that gives one its words in a language.
 * Nothing unknown is allowed, so that a misspelt field is an error and not silence. docs/assessments.md explains it.
 */
const strict = { additionalProperties: false }

const Key = Type.String({ pattern: '^[a-z][a-z0-9_]{0,49}$' })
const Text = Type.String({ minLength: 1, maxLength: 2_000, pattern: '^\\S([\\s\\S]*\\S)?$' })
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const Language = Type.String({ pattern: '^[a-z]{2,3}(-[A-Z][A-Za-z]{1,3})?$' })
const Loinc = Type.String({ pattern: '^\\d{1,7}-\\d$' })
const Points = Type.Integer({ minimum: 0, maximum: 1_000 })
const Keys = Type.Array(Key, { minItems: 1, maxItems: 200 })

const sum = { sum: Keys, times: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }
const count = {
  count: Type.Array(
    Type.Object({ of: Keys, from: Type.Optional(Points), to: Type.Optional(Points) }, strict),
    { minItems: 1, maxItems: 200 },
  ),
}
const bounds = { atLeast: Type.Optional(Points), atMost: Type.Optional(Points) }

/** Added-up points, or how many questions have points within bounds. */
const Measure = Type.Union([Type.Object(sum, strict), Type.Object(count, strict)])
const Condition = Type.Union([
  Type.Object({ ...sum, ...bounds }, strict),
  Type.Object({ ...count, ...bounds }, strict),
])
const Conditions = Type.Array(Condition, { minItems: 1, maxItems: 20 })

const FileQuestion = Type.Object(
  {
    key: Key,
    /** Neutral, for lists and charts; quotes nothing. Needed where the words may not be shown. */
    label: Type.Optional(Text),
    /** The name of an answer set. */
    answers: Key,
    /** False for a gate or a question about function, which does not complete the sentence of the lead-in. */
    hasLeadIn: Type.Optional(Type.Boolean()),
    isReversed: Type.Optional(Type.Boolean()),
    /** Asked only if all of these hold; they look at earlier questions. */
    onlyIf: Type.Optional(Conditions),
    /** What a question counts that was not asked. */
    pointsIfSkipped: Type.Optional(Points),
    /** From this answer on the client is shown crisis help and the score is flagged. */
    selfHarmFrom: Type.Optional(Points),
    selfHarmAsks: Type.Optional(Type.Literal('thoughts')),
    /** Our own words beside a question, by language. */
    help: Type.Optional(Type.Record(Language, Text)),
    loinc: Type.Optional(Loinc),
  },
  strict,
)

const BandSet = Type.Object(
  {
    key: Key,
    name: Text,
    source: Text,
    bands: Type.Array(Type.Object({ from: Points, key: Key, name: Text }, strict), {
      minItems: 1,
      maxItems: 20,
    }),
  },
  strict,
)

const Scoring = Type.Object(
  {
    total: Measure,
    betterWhen: Type.Union([Type.Literal('lower'), Type.Literal('higher')]),
    subscales: Type.Optional(
      Type.Array(Type.Object({ key: Key, name: Text, measure: Measure }, strict), { maxItems: 50 }),
    ),
    /** The first one is the `severity` of a score. */
    bandSets: Type.Array(BandSet, { maxItems: 10 }),
    criteria: Type.Optional(
      Type.Array(Type.Object({ key: Key, name: Text, source: Text, when: Conditions }, strict), {
        maxItems: 20,
      }),
    ),
    flags: Type.Optional(
      Type.Array(Type.Object({ key: Key, name: Text, when: Conditions }, strict), { maxItems: 20 }),
    ),
    /** Only where it is published; otherwise a missing answer means no score. */
    missing: Type.Optional(
      Type.Object({ proratedUpTo: Type.Integer({ minimum: 1, maximum: 50 }), source: Text }, strict),
    ),
    change: Type.Optional(
      Type.Object(
        {
          source: Text,
          meaningful: Type.Optional(Points),
          reliable: Type.Optional(Points),
          recoveredAt: Type.Optional(Points),
          remittedAt: Type.Optional(Points),
          responsePercent: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
        },
        strict,
      ),
    ),
  },
  strict,
)

const Texts = Type.Object(
  {
    /** Our own words before the form. */
    intro: Type.Optional(Text),
    leadIn: Type.Optional(Text),
    /** As the form in this language is credited; else as the instrument is. */
    attribution: Type.Optional(Text),
    questions: Type.Record(Key, Text),
    /** The words of the answers, by answer set, then by value. */
    answers: Type.Record(Key, Type.Record(Type.String({ pattern: '^\\d{1,4}$' }), Text)),
    help: Type.Optional(Type.Record(Key, Text)),
  },
  strict,
)

export const InstrumentFile = Type.Object(
  {
    format: Type.Literal(1),
    id: Key,
    version: Day,
    name: Text,
    description: Text,
    recall: Text,
    rights: Type.Object(
      { terms: Text, source: Text, attribution: Nullable(Text), permission: Nullable(Text) },
      strict,
    ),
    loinc: Type.Object({ panel: Nullable(Loinc), score: Nullable(Loinc) }, strict),
    answerSets: Type.Record(Key, Type.Array(Points, { minItems: 2, maxItems: 50 })),
    questions: Type.Array(FileQuestion, { minItems: 1, maxItems: 200 }),
    scoring: Scoring,
    texts: Type.Record(Language, Texts),
  },
  strict,
)

export const TextPackFile = Type.Object(
  {
    format: Type.Literal(1),
    /** The instrument that gets these words. */
    completes: Key,
    version: Day,
    language: Language,
    /** Who permitted the words to be shown, when, and where that is filed. */
    permission: Text,
    texts: Texts,
  },
  strict,
)

export type InstrumentFile = Static<typeof InstrumentFile>
export type TextPackFile = Static<typeof TextPackFile>
export type InstrumentTexts = Static<typeof Texts>
export type Measure = Static<typeof Measure>
export type Condition = Static<typeof Condition>
