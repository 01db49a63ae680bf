import { Type, type Static } from 'typebox'
import { SIGNER_KINDS } from './addenda.js'
import { Id, nameLengthMax, Nullable, oneOf, Timestamp } from './fields.js'

/** Draft until it is signed, then what the client is treated by, until it is ended. */
export const PLAN_STATUSES = ['draft', 'active', 'ended'] as const
export type PlanStatus = (typeof PLAN_STATUSES)[number]

export const GOAL_STATUSES = ['open', 'met', 'set_aside'] as const

/** A sentence or two: what is longer is prose about a goal. */
const textLengthMax = 500
/** More problems or goals than these nobody works on; each goal is compared with each sentence of a note. */
const problemsMax = 20
const goalsMax = 20
const objectivesMax = 10
const interventionsMax = 10

/**
 * Length of all texts of a plan together, as JSON in UTF-8: twenty dense pages of English, a third of what the single bounds would allow. With ids, dates
 * and names of fields a plan then has some 90 KB at the most, and a page of ten less than a megabyte.
 */
export const planTextBytesMax = 65_536

/** A client of ten years has some forty; more are a program's. */
export const plansOfClientMax = 100
/**
 * Every version that says something else is kept. At worst those of one plan are 45 MB, those of all plans of a client 4.5 GB; a plan of
 * a few kilobytes that is changed every week for ten years has 2 MB.
 */
export const planVersionsMax = 500

const someText = (example: string) =>
  Type.String({ minLength: 1, maxLength: textLengthMax, 'x-trimmed': true, examples: [example] })

const Day = Type.String({ format: 'date', examples: ['2027-02-15'] })
const title = Type.String({
  minLength: 1,
  maxLength: nameLengthMax,
  'x-trimmed': true,
  examples: ['Plan for the winter'],
})
const startsOn = Type.String({ format: 'date', examples: ['2026-11-15'] })
const reviewOn = Type.String({
  format: 'date',
  description: 'When it is looked at again',
  examples: ['2027-02-15'],
})

const goalText = 'Sleep through at least five nights a week'
const objectiveText = 'Keep a sleep diary for four weeks'
const problemText = 'Sleeps three hours a night since May'

/** Id of an entry that was there before; a new one has none yet. */
const KeptId = Type.Optional(
  Nullable(
    Type.String({
      format: 'uuid',
      description:
        'Id of an entry that the plan has already, so that it stays the same one; without it the entry is new',
    }),
  ),
)
const targetDate = Type.Optional(Nullable(Day))
const goalStatus = oneOf(GOAL_STATUSES, { examples: ['open'] })
const interventions = Type.Array(Type.String({ minLength: 1, maxLength: textLengthMax }), {
  maxItems: interventionsMax,
  examples: [['CBT for insomnia, weekly']],
})

const given = {
  title: Type.Optional(Nullable(title)),
  startsOn: Type.Optional(Nullable(startsOn)),
  reviewOn: Type.Optional(Nullable(reviewOn)),
  problems: Type.Optional(
    Type.Array(Type.Object({ id: KeptId, text: someText(problemText) }), {
      maxItems: problemsMax,
      examples: [[{ text: problemText }]],
    }),
  ),
}

const GivenGoals = Type.Array(
  Type.Object({
    id: KeptId,
    text: someText(goalText),
    status: Type.Optional(goalStatus),
    targetDate,
    objectives: Type.Optional(
      Type.Array(Type.Object({ id: KeptId, text: someText(objectiveText), targetDate }), {
        maxItems: objectivesMax,
      }),
    ),
    interventions: Type.Optional(interventions),
  }),
  {
    minItems: 1,
    maxItems: goalsMax,
    description: 'All of them; what is left out is removed',
    examples: [[{ text: goalText, targetDate: '2027-02-15', objectives: [{ text: objectiveText }] }]],
  },
)

const bound = `All its texts together have at most ${planTextBytesMax} bytes, as JSON in UTF-8`

export const TreatmentPlanCreate = Type.Object(
  { goals: GivenGoals, ...given },
  { $id: 'TreatmentPlanCreate', description: bound },
)
export type TreatmentPlanCreate = Static<typeof TreatmentPlanCreate>

export const TreatmentPlanChange = Type.Object(
  { goals: Type.Optional(GivenGoals), ...given },
  { $id: 'TreatmentPlanChange', description: `${bound}, those that stay included` },
)
export type TreatmentPlanChange = Static<typeof TreatmentPlanChange>

const content = {
  title: Nullable(title),
  startsOn: Nullable(startsOn),
  reviewOn: Nullable(reviewOn),
  problems: Type.Array(Type.Object({ id: Id, text: Type.String({ examples: [problemText] }) })),
  goals: Type.Array(
    Type.Object({
      id: Id,
      text: Type.String({ examples: [goalText] }),
      status: goalStatus,
      targetDate: Nullable(Day),
      objectives: Type.Array(
        Type.Object({
          id: Id,
          text: Type.String({ examples: [objectiveText] }),
          targetDate: Nullable(Day),
        }),
      ),
      interventions: Type.Array(Type.String({ examples: ['CBT for insomnia, weekly'] })),
    }),
  ),
}

const SignedBy = Nullable(
  Type.Object({
    kind: oneOf(SIGNER_KINDS, {
      description: '`clinician`: in the widget; `partner`: by the Partner API',
      examples: ['clinician'],
    }),
    id: Id,
    name: Nullable(Type.String({ description: 'Name of the clinician, as they are called today' })),
    at: Timestamp,
  }),
)

export const TreatmentPlan = Type.Object(
  {
    id: Id,
    treatmentPlanId: Id,
    clientId: Id,
    status: oneOf(PLAN_STATUSES, {
      description: 'A client has at most one `active` plan; `ended` is final',
      examples: ['active'],
    }),
    version: Type.Integer({ minimum: 1, examples: [1] }),
    ...content,
    signedBy: SignedBy,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    endedAt: Nullable(Timestamp),
  },
  { $id: 'TreatmentPlan' },
)
export type TreatmentPlan = Static<typeof TreatmentPlan>

export const TreatmentPlanVersion = Type.Object(
  {
    id: Id,
    version: Type.Integer({ minimum: 1, examples: [1] }),
    ...content,
    signedBy: SignedBy,
    createdAt: Timestamp,
  },
  { $id: 'TreatmentPlanVersion' },
)
export type TreatmentPlanVersion = Static<typeof TreatmentPlanVersion>

/** What a plan says. */
export type PlanContent = Pick<TreatmentPlan, 'title' | 'startsOn' | 'reviewOn' | 'problems' | 'goals'>

/** For the widget: the active one, drafts, then what has ended; the newest of each first. */
/** `id`: chosen by the frame for the form. Sent again, after an answer that was lost, it is the same plan; an older frame names none. */
export const WidgetPlanCreate = Type.Object({
  ...TreatmentPlanCreate.properties,
  id: Type.Optional(Type.String({ format: 'uuid' })),
})
export type WidgetPlanCreate = Static<typeof WidgetPlanCreate>

export const WidgetPlans = Type.Object({
  plans: Type.Array(
    // With the tag that a change of it names.
    Type.Object({ ...TreatmentPlan.properties, etag: Type.String() }),
    { maxItems: 10 },
  ),
})
export type WidgetPlans = Static<typeof WidgetPlans>

/** For the widget: what a note says about each goal, as it was worded when the note was written. */
export const WidgetGoals = Type.Object({
  goals: Type.Array(
    Type.Object({
      goalId: Type.String(),
      treatmentPlanId: Nullable(Type.String()),
      text: Type.String(),
      sentences: Type.Array(Type.Object({ section: Type.String(), sentence: Type.String() })),
    }),
  ),
})
export type WidgetGoals = Static<typeof WidgetGoals>
