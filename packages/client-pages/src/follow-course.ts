import type { PageCondition, PageQuestion } from '@casenote/contract'

/**
 * Which questions are asked after the answers in this browser: the service's own rule, which must also hold while there
 * is no network. What was answered in another browser is not known here; where a rule needs it, the service has said
 * whether the question is asked.
 */
export function followCourse(
  questions: readonly PageQuestion[],
  values: ReadonlyMap<string, number>,
): PageQuestion[] {
  const points = new Map<string, number>()
  const unseen = new Set(
    questions.filter(({ key, isAnswered }) => isAnswered && !values.has(key)).map(({ key }) => key),
  )
  return questions.filter((question) => {
    const isAsked = question.onlyIf.some((condition) => keysOf(condition).some((key) => unseen.has(key)))
      ? question.isShown
      : question.onlyIf.every((condition) => isMet(condition, points))
    const value = values.get(question.key)
    if (isAsked && value !== undefined) points.set(question.key, pointsOf(question, value))
    if (!isAsked && isDecided(question, points)) points.set(question.key, question.pointsIfSkipped)
    return isAsked
  })
}

const isDecided = ({ onlyIf }: PageQuestion, points: ReadonlyMap<string, number>): boolean =>
  onlyIf.every((condition) => keysOf(condition).every((key) => points.has(key)))

const keysOf = (condition: PageCondition): string[] =>
  'sum' in condition ? condition.sum : condition.count.flatMap(({ of }) => of)

function isMet(condition: PageCondition, points: ReadonlyMap<string, number>): boolean {
  const value = measure(condition, points)
  if (condition.atLeast !== undefined && value < condition.atLeast) return false
  if (condition.atMost === undefined) return true
  return value <= condition.atMost && keysOf(condition).every((key) => points.has(key))
}

function measure(condition: PageCondition, points: ReadonlyMap<string, number>): number {
  if ('sum' in condition)
    return addUp(condition.sum.map((key) => points.get(key) ?? 0)) * (condition.times ?? 1)
  return addUp(
    condition.count.map(({ of, from = 0, to = Number.POSITIVE_INFINITY }) => {
      const known = of.map((key) => points.get(key))
      return known.filter((one) => one !== undefined && one >= from && one <= to).length
    }),
  )
}

function pointsOf({ options, isReversed }: PageQuestion, value: number): number {
  if (!isReversed) return value
  const values = options.map((option) => option.value)
  return Math.min(...values) + Math.max(...values) - value
}

const addUp = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
