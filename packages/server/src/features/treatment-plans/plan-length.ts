import { planTextBytesMax, type PlanContent, type TreatmentPlanChange } from '@casenote/contract'

/** Of all texts together; it names the field with most text among those that were given. Null: the plan is short enough. */
export function findLengthProblem(content: PlanContent, given: TreatmentPlanChange): string | null {
  const { title, problems, goals } = content
  const bytes = {
    title: countBytes([title ?? '']),
    problems: countBytes(problems.map(({ text }) => text)),
    goals: countBytes(
      goals.flatMap(({ text, objectives, interventions }) => [
        text,
        ...objectives.map((objective) => objective.text),
        ...interventions,
      ]),
    ),
  }
  if (bytes.title + bytes.problems + bytes.goals <= planTextBytesMax) return null
  const [longest = 'goals'] = (['goals', 'problems', 'title'] as const)
    .filter((field) => given[field] !== undefined)
    .toSorted((one, other) => bytes[other] - bytes[one])
  return `${longest} must be shorter: all texts of a treatment plan together have at most ${planTextBytesMax} bytes, as JSON in UTF-8`
}

/** As they are sealed and sent: a quotation mark is two bytes there, a control character six. */
const countBytes = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(JSON.stringify(text)) - 2, 0)
