import type { TreatmentPlan } from '@casenote/contract'
import { makeResource, ownIdentifier, referTo, type Resource } from './resource.js'

type PlanGoal = TreatmentPlan['goals'][number]

/** A plan as its newest version says. An id of a goal is of one plan alone. */
export const toPlanResources = (plan: TreatmentPlan): Resource[] => [
  makeResource('CarePlan', plan.id, {
    identifier: [ownIdentifier(plan.id)],
    status: planStatuses[plan.status],
    intent: 'plan',
    title: plan.title,
    // R4 has problems by reference to a diagnosis; these are words.
    description: plan.problems.map(({ text }) => text).join('\n'),
    subject: referTo(plan.clientId),
    period: { start: plan.startsOn, end: plan.endedAt },
    created: plan.createdAt,
    goal: plan.goals.map(({ id }) => referTo(id)),
    activity: plan.goals
      .flatMap(({ interventions }) => interventions)
      .map((description) => ({ detail: { status: 'unknown', description } })),
  }),
  ...plan.goals.map((goal) => toGoal(plan, goal)),
]

const planStatuses = { draft: 'draft', active: 'active', ended: 'completed' } as const

const toGoal = ({ clientId, status }: TreatmentPlan, goal: PlanGoal): Resource =>
  makeResource('Goal', goal.id, {
    identifier: [ownIdentifier(goal.id)],
    lifecycleStatus: lifecycleOf(status, goal),
    description: { text: goal.text },
    subject: referTo(clientId),
    target: [
      { dueDate: goal.targetDate },
      ...goal.objectives.map(({ text, targetDate }) => ({
        measure: { text: 'Objective' },
        detailString: text,
        dueDate: targetDate,
      })),
    ],
  })

/** What was open when its plan ended is pursued by nobody. */
const openGoals = { draft: 'proposed', active: 'active', ended: 'cancelled' } as const

function lifecycleOf(status: TreatmentPlan['status'], goal: PlanGoal): string {
  if (goal.status === 'open') return openGoals[status]
  return goal.status === 'met' ? 'completed' : 'cancelled'
}
