import { MDM_LEVELS, NOTE_TYPES, oneOf, REFUSAL_REASONS } from '@casenote/contract'
import { Type, type Static } from 'typebox'
import { DANGER_ELEMENTS, DANGER_MATTERS } from '../../reader/reading.js'

/** What a model is told, and must keep to. The names are short, for they are written hundreds of times. */

const sentenceLengthMax = 600
const sentencesMax = 40
const itemsMax = 40
const rationaleLengthMax = 500

const closed = { additionalProperties: false } as const

const Items = (itemCount: number, least = 0) =>
  Type.Array(Type.Integer({ minimum: 0, maximum: itemCount - 1 }), { minItems: least, maxItems: itemsMax })

const Sentence = (itemCount: number) =>
  Type.Object(
    { text: Type.String({ minLength: 1, maxLength: sentenceLengthMax }), items: Items(itemCount) },
    closed,
  )

const layout = oneOf(['paragraph', 'bullets'])

export const Section = (itemCount: number) =>
  Type.Object({ layout, sentences: Type.Array(Sentence(itemCount), { maxItems: sentencesMax }) }, closed)
export type Section = Static<ReturnType<typeof Section>>

/** One member for each section: constrained decoding keeps the keys and their order, and none can come twice. */
export const Note = (keys: readonly string[], itemCount: number) =>
  Type.Object(Object.fromEntries(keys.map((key) => [key, Section(itemCount)])), closed)

export const FACT_TOPICS = [
  'symptoms',
  'risk',
  'medication',
  'substance_use',
  'history',
  'functioning',
  'mental_status',
  'assessment',
  'intervention',
  'response',
  'goal',
  'plan',
] as const

/** With the length of a fact bounded, so is what all of them take in the next prompt. */
export const factLengthMax = 240

export const Facts = (itemCount: number, factsMax: number) =>
  Type.Object(
    {
      facts: Type.Array(
        Type.Object(
          {
            topic: oneOf(FACT_TOPICS),
            text: Type.String({ minLength: 1, maxLength: factLengthMax }),
            items: Type.Array(Type.Integer({ minimum: 0, maximum: itemCount - 1 }), {
              minItems: 1,
              maxItems: 8,
            }),
          },
          closed,
        ),
        { maxItems: factsMax },
      ),
    },
    closed,
  )
export type Fact = Static<ReturnType<typeof Facts>>['facts'][number]

/** An hour of crisis talk has some thirty; more is a model that lists every line. */
const dangerMax = 60

export const Danger = (itemCount: number) =>
  Type.Object(
    {
      findings: Type.Array(
        Type.Object(
          {
            matter: oneOf(DANGER_MATTERS),
            element: oneOf(DANGER_ELEMENTS),
            standing: oneOf(['affirmed', 'denied', 'unclear']),
            time: oneOf(['present', 'past']),
            whose: oneOf(['client', 'other']),
            items: Items(itemCount, 1),
            words: Type.String({ minLength: 1, maxLength: 400 }),
          },
          closed,
        ),
        { maxItems: dangerMax },
      ),
    },
    closed,
  )
export type Danger = Static<ReturnType<typeof Danger>>

/** Those that the task explains; the others are the exact checks'. */
const verdictReasons = REFUSAL_REASONS.filter(
  (reason) => reason !== 'no_evidence' && reason !== 'not_asked' && reason !== 'must_not',
)

export const Verdicts = (itemCount: number, sentenceCount: number) =>
  Type.Object(
    {
      verdicts: Type.Array(
        Type.Object(
          {
            n: Type.Integer({ minimum: 1, maximum: sentenceCount }),
            verdict: oneOf(['borne_out', 'refused']),
            reason: Type.Union([oneOf(verdictReasons), Type.Null()]),
            items: Items(itemCount),
          },
          closed,
        ),
        { maxItems: sentenceCount },
      ),
    },
    closed,
  )
export type Verdicts = Static<ReturnType<typeof Verdicts>>

/** As many as a repair is asked about. */
export const repairsMax = 60

export const Repair = (keys: readonly string[], itemCount: number) =>
  Type.Object(
    {
      changes: Type.Array(
        Type.Object(
          {
            n: Type.Integer({ minimum: 1, maximum: repairsMax }),
            text: Type.Union([Type.String({ minLength: 1, maxLength: sentenceLengthMax }), Type.Null()]),
            items: Items(itemCount),
          },
          closed,
        ),
        { maxItems: repairsMax },
      ),
      // Optional here alone: an answer without it upholds nothing.
      upheld: Type.Optional(
        Type.Array(
          Type.Object(
            { n: Type.Integer({ minimum: 1, maximum: repairsMax }), items: Items(itemCount, 1) },
            closed,
          ),
          { maxItems: repairsMax },
        ),
      ),
      additions: Type.Array(
        Type.Object(
          {
            section: oneOf(keys),
            text: Type.String({ minLength: 1, maxLength: sentenceLengthMax }),
            items: Items(itemCount, 1),
          },
          closed,
        ),
        { maxItems: repairsMax },
      ),
    },
    closed,
  )
export type Repair = Static<ReturnType<typeof Repair>>

const EditedSentence = (itemCount: number) =>
  Type.Object(
    {
      text: Type.String({ minLength: 1, maxLength: sentenceLengthMax }),
      items: Items(itemCount),
      source: oneOf(['session', 'clinician']),
    },
    closed,
  )

export const Edit = (keys: readonly string[], itemCount: number) =>
  Type.Object(
    {
      isDone: Type.Boolean(),
      reason: Type.Union([Type.String({ maxLength: rationaleLengthMax }), Type.Null()]),
      noteType: oneOf(NOTE_TYPES),
      sections: Type.Array(
        Type.Object(
          {
            key: oneOf(keys),
            layout,
            sentences: Type.Array(EditedSentence(itemCount), { maxItems: sentencesMax }),
          },
          closed,
        ),
        { maxItems: keys.length },
      ),
    },
    closed,
  )
export type Edit = Static<ReturnType<typeof Edit>>

const Rationale = Type.String({ minLength: 1, maxLength: rationaleLengthMax })

export const Mdm = (itemCount: number) =>
  Type.Object(
    {
      problemsAddressed: Type.Array(
        Type.Object(
          {
            problem: Type.String({ minLength: 1, maxLength: 200 }),
            level: oneOf(MDM_LEVELS),
            rationale: Rationale,
            items: Items(itemCount, 1),
          },
          closed,
        ),
        { maxItems: 12 },
      ),
      riskOfComplications: Type.Object(
        { level: oneOf(MDM_LEVELS), rationale: Rationale, items: Items(itemCount) },
        closed,
      ),
      crisisInterventionIdentified: Type.Boolean(),
      crisisInterventionRationale: Type.Union([Rationale, Type.Null()]),
      crisisItems: Items(itemCount),
    },
    closed,
  )
export type Mdm = Static<ReturnType<typeof Mdm>>

export const Summary = (itemCount: number) =>
  Type.Object({ sentences: Type.Array(Sentence(itemCount), { minItems: 1, maxItems: 8 }) }, closed)

/** A sentence speaks to few goals: more links than this are a model that links everything. */
const linksPerSentenceMax = 3

export const GoalAnswer = (goalCount: number, sentenceCount: number) =>
  Type.Object(
    {
      links: Type.Array(
        Type.Object(
          {
            goal: Type.Integer({ minimum: 1, maximum: goalCount }),
            n: Type.Integer({ minimum: 1, maximum: sentenceCount }),
          },
          closed,
        ),
        { maxItems: sentenceCount * linksPerSentenceMax },
      ),
    },
    closed,
  )
