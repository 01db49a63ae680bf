import type { TreatmentPlanCreate, WidgetGoals, WidgetPlans } from '@casenote/contract'
import { signal, type Signal } from '@preact/signals'
import { EngineError } from '../src/frame/engine/engine.js'
import { at, clinician, id, joanna } from './stage-data.js'

type Plan = WidgetPlans['plans'][number]

const planId = id(800)

const toPlan = (given: TreatmentPlanCreate, version: number): Plan => ({
  id: planId,
  treatmentPlanId: planId,
  clientId: joanna.id,
  status: 'draft',
  version,
  title: given.title ?? null,
  startsOn: given.startsOn ?? null,
  reviewOn: given.reviewOn ?? null,
  problems: (given.problems ?? []).map(({ text }, index) => ({ id: id(810 + index), text })),
  goals: given.goals.map((goal, index) => ({
    id: goal.id ?? id(820 + index),
    text: goal.text,
    status: goal.status ?? 'open',
    targetDate: goal.targetDate ?? null,
    objectives: (goal.objectives ?? []).map((one, place) => ({
      id: one.id ?? id(830 + index * 10 + place),
      text: one.text,
      targetDate: one.targetDate ?? null,
    })),
    interventions: goal.interventions ?? [],
  })),
  signedBy: null,
  createdAt: at('11-01'),
  updatedAt: at('11-01'),
  endedAt: null,
  etag: `"${version}"`,
})

/** A client without a plan, until one is written; every change needs the tag of what was read. */
export const plans: Signal<Plan[]> = signal([])

const goals: WidgetGoals['goals'] = [
  {
    goalId: id(820),
    treatmentPlanId: planId,
    text: 'Sleep through at least five nights a week',
    sentences: [{ section: 'subjective', sentence: 'Joanna slept through four nights.' }],
  },
  { goalId: id(821), treatmentPlanId: planId, text: 'Go back to work', sentences: [] },
]

const change = (headers: Record<string, string>, next: (plan: Plan) => Plan): Plan => {
  const [plan] = plans.peek()
  if (plan === undefined || plan.etag !== headers['if-match'])
    throw new EngineError('Treatment plan has changed since it was read', 409)
  plans.value = [next(plan)]
  return next(plan)
}

export const listPlanAnswers = (): Record<
  string,
  (body: unknown, headers: Record<string, string>) => unknown
> => ({
  'GET /client/treatment-plans': () => ({ plans: plans.value }),
  'POST /client/treatment-plans': (body) => {
    plans.value = [toPlan(body as TreatmentPlanCreate, 1)]
    return plans.value[0]
  },
  [`PATCH /treatment-plans/${planId}`]: (body, headers) =>
    change(headers, (plan) => ({
      ...toPlan(body as TreatmentPlanCreate, plan.version + 1),
      status: plan.status,
    })),
  [`POST /treatment-plans/${planId}/sign`]: (_body, headers) =>
    change(headers, (plan) => ({
      ...plan,
      status: 'active',
      etag: `"${plan.version}-signed"`,
      signedBy: {
        kind: 'clinician',
        id: clinician.id,
        name: `${clinician.firstName} ${clinician.lastName}`,
        at: at('11-15'),
      },
    })),
  [`POST /treatment-plans/${planId}/end`]: (_body, headers) =>
    change(headers, (plan) => ({ ...plan, status: 'ended' })),
  'GET /session/goals': () => ({ goals }),
})
