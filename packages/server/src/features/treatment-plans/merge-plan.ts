import type { PlanContent, TreatmentPlanChange } from '@casenote/contract'

export const noPlan: PlanContent = { title: null, startsOn: null, reviewOn: null, problems: [], goals: [] }

/** What is given takes the place of what was there; the rest stays. New entries get their ids here. */
export function mergePlan(
  known: PlanContent,
  given: TreatmentPlanChange,
  newId: () => string,
): { content: PlanContent; problems: string[] } {
  const ids = new Ids(known, newId)
  const { title, startsOn, reviewOn, problems, goals } = given
  const content: PlanContent = {
    title: title === undefined ? known.title : title,
    startsOn: startsOn === undefined ? known.startsOn : startsOn,
    reviewOn: reviewOn === undefined ? known.reviewOn : reviewOn,
    problems:
      problems?.map(({ id, text }, at) => ({ id: ids.take(id, `problems.${at}.id`), text })) ??
      known.problems,
    goals:
      goals?.map((goal, at) => ({
        id: ids.take(goal.id, `goals.${at}.id`),
        text: goal.text,
        status: goal.status ?? 'open',
        targetDate: goal.targetDate ?? null,
        objectives: (goal.objectives ?? []).map((one, place) => ({
          id: ids.take(one.id, `goals.${at}.objectives.${place}.id`),
          text: one.text,
          targetDate: one.targetDate ?? null,
        })),
        interventions: (goal.interventions ?? []).map((one) => one.trim()).filter((one) => one !== ''),
      })) ?? known.goals,
  }
  return { content, problems: ids.problems }
}

/** An id is the plan's own and stands once, or a sentence of a note would be linked to two goals at once. */
class Ids {
  readonly problems: string[] = []
  readonly #known: Set<string>
  readonly #newId: () => string

  constructor({ problems, goals }: PlanContent, newId: () => string) {
    const entries = [...problems, ...goals, ...goals.flatMap(({ objectives }) => objectives)]
    this.#known = new Set(entries.map(({ id }) => id))
    this.#newId = newId
  }

  take(id: string | null | undefined, field: string): string {
    if (id == null) return this.#newId()
    // Taken away: a second entry with the same id is refused as an unknown one is.
    if (!this.#known.delete(id)) this.problems.push(`${field} must be an id of this treatment plan, once`)
    return id
  }
}
