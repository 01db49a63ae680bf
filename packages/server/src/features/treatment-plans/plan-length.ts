import { planTextBytesMax, type PlanContent, type TreatmentPlanChange } from '@casenote/contract'

/**
 * The problem of a plan whose texts are too long together; it names the field with most text among those that were given. Null: the plan is short enough, or no longer
 * than it was: one of before there was a bound can be made shorter by steps.
 */
export function findLengthProblem(
  content: PlanContent,
  given: TreatmentPlanChange,
  known: PlanContent,
): string | null {
  const bytes = measure(content)
  const total = addUp(bytes)
  if (total <= planTextBytesMax || total <= addUp(measure(known))) return null
  const [longest = 'goals'] = (['goals', 'problems', 'title'] as const)
    .filter((field) => given[field] !== undefined)
    .toSorted((one, other) => bytes[other] - bytes[one])
  return `${longest} must be shorter: all texts of a treatment plan together have at most ${planTextBytesMax} bytes, as JSON in UTF-8`
}

type Bytes = Record<'title' | 'problems' | 'goals', number>

const addUp = ({ title, problems, goals }: Bytes): number => title + problems + goals

function measure({ title, problems, goals }: PlanContent): Bytes {
  return {
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
}

/** As they are sealed and sent: a quotation mark is two bytes there, a control character six. */
const countBytes = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(JSON.stringify(text)) - 2, 0)
