import type { Condition, Measure } from '../instruments/instrument-file.js'
import type { Question } from '../instruments/instrument.js'

/** Points of every question that was answered, or passed over by a rule. What is not there yet is not there. */
export type Points = ReadonlyMap<string, number>

export const keysOf = (measure: Measure | Condition): string[] =>
  'sum' in measure ? measure.sum : measure.count.flatMap(({ of }) => of)

export const unknownOf = (measure: Measure | Condition, points: Points): string[] =>
  keysOf(measure).filter((key) => !points.has(key))

/** Over what is known. */
export function measure(what: Measure | Condition, points: Points): number {
  if ('sum' in what) return addUp(what.sum.map((key) => points.get(key) ?? 0)) * (what.times ?? 1)
  return addUp(
    what.count.map(({ of, from = 0, to = Number.POSITIVE_INFINITY }) => {
      const known = of.map((key) => points.get(key))
      return known.filter((one) => one !== undefined && one >= from && one <= to).length
    }),
  )
}

/** A sum only grows with further answers: enough is enough early, but too little is known only at the end. */
export function isMet(condition: Condition, points: Points): boolean {
  const value = measure(condition, points)
  if (condition.atLeast !== undefined && value < condition.atLeast) return false
  if (condition.atMost === undefined) return true
  return value <= condition.atMost && unknownOf(condition, points).length === 0
}

export const areMet = (conditions: readonly Condition[], points: Points): boolean =>
  conditions.every((condition) => isMet(condition, points))

/** A reversed question counts from the other end of its answers. */
export function pointsOf({ options, isReversed }: Question, answerValue: number): number {
  if (!isReversed) return answerValue
  const values = options.map(({ value }) => value)
  return Math.min(...values) + Math.max(...values) - answerValue
}

/** The least and the most that a measure can give. */
export function rangeOf(what: Measure, questions: readonly Question[]): { least: number; most: number } {
  if (!('sum' in what)) return { least: 0, most: keysOf(what).length }
  const asked = what.sum.map((key) => questions.find((question) => question.key === key))
  const ends = asked.map((question) => question?.options.map(({ value }) => value) ?? [0])
  const times = what.times ?? 1
  return {
    least: addUp(ends.map((values) => Math.min(...values))) * times,
    most: addUp(ends.map((values) => Math.max(...values))) * times,
  }
}

const addUp = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
