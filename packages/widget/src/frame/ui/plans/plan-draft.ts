import type { TreatmentPlanCreate, WidgetPlans } from '@casenote/contract'
import { readLines, toLine, toLines } from './plan-lines.js'

export type Plan = WidgetPlans['plans'][number]
export type Goal = Plan['goals'][number]

/** A plan as it is typed; problems a line each. */
export interface PlanDraft {
  title: string
  startsOn: string
  reviewOn: string
  problems: string
}

/** A goal as it is typed; interventions a line each. */
export interface GoalDraft {
  known: Goal | null
  text: string
  status: Goal['status']
  targetDate: string
  objectives: ObjectiveDraft[]
  interventions: string
}

/** An objective as it is typed: a row of its own, so that nobody has to guess which of those before it is. */
export interface ObjectiveDraft {
  /** Of the row, for as long as the plan is written. */
  key: number
  /** Null: a new one. */
  known: Goal['objectives'][number] | null
  text: string
  targetDate: string
}

/** All of a plan that is being typed, as it is kept until it is saved. */
export interface TypedPlan {
  /** Under which a new plan is sent: sent again, after an answer that was lost, it is the same one. */
  id: string
  /** What it is typed on; null: a new one. */
  plan: Plan | null
  draft: PlanDraft
  goals: GoalDraft[]
}

export const typePlan = (plan: Plan | null, id: string): TypedPlan => ({
  id,
  plan,
  draft: draftPlan(plan),
  goals: plan === null ? [draftGoal(null)] : plan.goals.map(draftGoal),
})

export const draftPlan = (plan: Plan | null): PlanDraft => ({
  title: plan?.title ?? '',
  startsOn: plan?.startsOn ?? '',
  reviewOn: plan?.reviewOn ?? '',
  problems: toLines(plan?.problems.map(({ text }) => text) ?? []),
})

export const draftGoal = (goal: Goal | null): GoalDraft => ({
  known: goal,
  text: goal?.text ?? '',
  status: goal?.status ?? 'open',
  targetDate: goal?.targetDate ?? '',
  objectives: (goal?.objectives ?? []).map((known, key) => ({
    key,
    known,
    text: toLine(known.text),
    targetDate: known.targetDate ?? '',
  })),
  interventions: toLines(goal?.interventions ?? []),
})

/** With an empty row behind `at`; -1: before all. */
export function addObjective(rows: readonly ObjectiveDraft[], at: number): ObjectiveDraft[] {
  const key = 1 + Math.max(-1, ...rows.map((row) => row.key))
  return [...rows.slice(0, at + 1), { key, known: null, text: '', targetDate: '' }, ...rows.slice(at + 1)]
}

/** A row that was emptied is no longer the objective that stood there: what is typed into it next is another one, without a day. */
export const changeObjective = (
  rows: readonly ObjectiveDraft[],
  key: number,
  next: Partial<Pick<ObjectiveDraft, 'text' | 'targetDate'>>,
): ObjectiveDraft[] =>
  rows.map((row) => {
    if (row.key !== key) return row
    const changed = { ...row, ...next }
    const isEmptied = row.known !== null && changed.text.trim() === ''
    return isEmptied ? { ...changed, known: null, targetDate: '' } : changed
  })

export const toGiven = (
  { title, startsOn, reviewOn, problems }: PlanDraft,
  goals: readonly GoalDraft[],
  plan: Plan | null,
): TreatmentPlanCreate => ({
  title: title.trim() === '' ? null : title.trim(),
  startsOn: toDay(startsOn),
  reviewOn: toDay(reviewOn),
  problems: readLines(problems, plan?.problems ?? []),
  goals: goals
    .filter(({ text }) => text.trim() !== '')
    .map(({ known, text, status, targetDate, objectives, interventions }) => ({
      id: known?.id ?? null,
      text: text.trim(),
      status,
      targetDate: toDay(targetDate),
      objectives: objectives.filter((row) => row.text.trim() !== '').map(toObjective),
      interventions: readLines(
        interventions,
        (known?.interventions ?? []).map((one) => ({ text: one })),
      ).map((one) => one.text),
    })),
})

/** One that is worded as before keeps its breaks, too, which a row does not show. */
const toObjective = ({ known, text, targetDate }: ObjectiveDraft) => ({
  id: known?.id ?? null,
  text: known !== null && toLine(known.text) === toLine(text) ? known.text : toLine(text),
  targetDate: toDay(targetDate),
})

const toDay = (typed: string): string | null => (typed === '' ? null : typed)
