import { Type, type Static } from 'typebox'
import { Id, Nullable, Timestamp } from './fields.js'

/** One diagnosis or medicine as a chart words it, with its code or dose; longer is prose, which is none. */
const entryLengthMax = 200
/** Nobody's chart of the day lists more; each is read by a model with the transcript. */
const entriesMax = 30
const goalsMax = 20
/** As long as a goal is in a treatment plan. */
const goalLengthMax = 500
/** A plan section of a long note; what is longer is a document. */
const lastPlanLengthMax = 5_000
/** A family, a school and those whom the client works with. */
const namesMax = 50

const entries = (description: string, examples: string[]) =>
  Type.Array(Type.String({ minLength: 1, maxLength: entryLengthMax }), {
    maxItems: entriesMax,
    description,
    examples: [examples],
  })

const someText = (maxLength: number, description: string, examples: string[]) =>
  Nullable(Type.String({ minLength: 1, maxLength, 'x-trimmed': true, description, examples }))

const moment = (description: string, example: string) =>
  Nullable(Type.String({ format: 'date-time', description, examples: [example] }))

const Goal = Type.Object({
  goalId: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Your own id of the goal, and of no other one',
      }),
    ),
  ),
  text: Type.String({ minLength: 1, maxLength: goalLengthMax, 'x-trimmed': true }),
})

const fields = {
  diagnoses: entries('As your chart words them', ['F33.1 Major depressive disorder, recurrent, moderate']),
  medicines: entries('What the client takes, as your chart words it', ['sertraline 50 mg once a day']),
  goals: Type.Array(Goal, {
    maxItems: goalsMax,
    description: 'Goals that you keep yourself; those of a treatment plan kept here need not be given again',
    examples: [[{ goalId: 'goal-1', text: 'Sleep through at least five nights a week' }]],
  }),
  lastPlan: someText(lastPlanLengthMax, 'The plan that the last session ended with', [
    'Sleep diary; call the school; back in a week.',
  ]),
  pronouns: someText(40, 'The client’s pronouns', ['they/them']),
  namesToKeepOut: Type.Array(Type.String({ minLength: 1, maxLength: entryLengthMax }), {
    maxItems: namesMax,
    description: 'Names that must not stand in the note; they are taken out wherever they would',
    examples: [['Rosalind', 'Hillcrest Academy']],
  }),
  serviceCode: someText(20, 'The code that the session is billed with', ['90837']),
  startedAt: moment('When what is billed began', '2026-11-15T09:30:00.000Z'),
  endedAt: moment('When what is billed ended; after `startedAt`', '2026-11-15T10:25:00.000Z'),
}

export const CONTEXT_FIELDS = [
  'diagnoses',
  'medicines',
  'goals',
  'lastPlan',
  'pronouns',
  'namesToKeepOut',
  'serviceCode',
  'startedAt',
  'endedAt',
] as const satisfies readonly (keyof typeof fields)[]
export type ContextField = (typeof CONTEXT_FIELDS)[number]

/** What the partner knows beside a session. Background alone: nothing of it is ever written as if it had been said. */
export const SessionContextChange = Type.Object(Type.Partial(Type.Object(fields)).properties, {
  $id: 'SessionContextChange',
})
export type SessionContextChange = Static<typeof SessionContextChange>

export const SessionContext = Type.Object(
  {
    sessionId: Id,
    ...fields,
    goals: Type.Array(Type.Object({ goalId: Nullable(Type.String()), text: Type.String() })),
    updatedAt: Nullable(Timestamp),
  },
  { $id: 'SessionContext' },
)
export type SessionContext = Static<typeof SessionContext>

/** What is billed of a session, as its clinician corrects it; the rest of the context is the partner's. */
export const WidgetService = Type.Object({
  serviceCode: fields.serviceCode,
  startedAt: fields.startedAt,
  endedAt: fields.endedAt,
})
export type WidgetService = Static<typeof WidgetService>

/** What is kept of it. */
export type KnownContext = Omit<SessionContext, 'sessionId' | 'updatedAt'>

export const noContext: KnownContext = {
  diagnoses: [],
  medicines: [],
  goals: [],
  lastPlan: null,
  pronouns: null,
  namesToKeepOut: [],
  serviceCode: null,
  startedAt: null,
  endedAt: null,
}

/** What is given takes the place of what was known; the rest stays. Blank entries and repeated ones say nothing. */
export const changeContext = (known: KnownContext, given: SessionContextChange): KnownContext => ({
  diagnoses: given.diagnoses === undefined ? known.diagnoses : tidy(given.diagnoses),
  medicines: given.medicines === undefined ? known.medicines : tidy(given.medicines),
  goals: given.goals?.map(({ goalId, text }) => ({ goalId: goalId ?? null, text })) ?? known.goals,
  lastPlan: pick(given.lastPlan, known.lastPlan),
  pronouns: pick(given.pronouns, known.pronouns),
  namesToKeepOut: given.namesToKeepOut === undefined ? known.namesToKeepOut : tidy(given.namesToKeepOut),
  serviceCode: pick(given.serviceCode, known.serviceCode),
  startedAt: toMoment(pick(given.startedAt, known.startedAt)),
  endedAt: toMoment(pick(given.endedAt, known.endedAt)),
})

const pick = (given: string | null | undefined, known: string | null): string | null =>
  given === undefined ? known : given

const tidy = (texts: readonly string[]): string[] => [
  ...new Set(texts.map((one) => one.trim()).filter((one) => one !== '')),
]

const toMoment = (time: string | null): string | null => (time === null ? null : new Date(time).toISOString())

/** What no schema can say of it; `prefix` is where in a body it stands. */
export const findContextProblems = (
  { startedAt, endedAt, namesToKeepOut, goals }: KnownContext,
  prefix = '',
): string[] => [
  ...(startedAt !== null && endedAt !== null && endedAt <= startedAt
    ? [`${prefix}endedAt must be after ${prefix}startedAt`]
    : []),
  ...findTaken(goals).map(
    (index) =>
      `${prefix}goals.${index}.goalId must be of no other goal: without one a goal is ${nameByPlace(0)}, ${nameByPlace(1)} … by its place`,
  ),
  ...(namesToKeepOut.some((name) => splitName(name).length > nameRunsMax)
    ? [`each value in ${prefix}namesToKeepOut must have at most ${nameRunsMax} words`]
    : []),
]

/** What a goal is called that the partner gave no id. */
export const nameByPlace = (index: number): string => `goal-${index + 1}`

/** Which goals were given an id that an earlier one has, or one that has none is called by. */
function findTaken(goals: KnownContext['goals']): number[] {
  const named = new Set(goals.flatMap(({ goalId }, index) => (goalId === null ? nameByPlace(index) : [])))
  return goals.flatMap(({ goalId }, index) => {
    if (goalId === null) return []
    const isTaken = named.has(goalId)
    named.add(goalId)
    return isTaken ? index : []
  })
}

/** A name is up to this many runs of letters: "Saint Mary’s School for Girls" has six. */
export const nameRunsMax = 8

export const splitName = (name: string): string[] => name.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? []
