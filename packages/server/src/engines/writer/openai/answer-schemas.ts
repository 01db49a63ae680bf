import { MDM_LEVELS, NOTE_TYPES, oneOf } from '@casenote/contract'
import { Type, type Static, type TSchema } from 'typebox'

/** What a model is told and held to. The names are short, for they are written hundreds of times. */

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
            sentences: Type.Array(Sentence(itemCount), { maxItems: sentencesMax }),
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

/** Servers refuse a strict schema with these (OpenAI the lengths, others the ranges): we hold answers to them ourselves. */
const boundKeywords = new Set(['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'])

/** What all servers with JSON schema output understand: types, enums, closed objects with every member required. */
export function toStrictSchema(schema: TSchema): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key: string, value: unknown) =>
      boundKeywords.has(key) && typeof value === 'number' ? undefined : value,
    ),
  )
}
