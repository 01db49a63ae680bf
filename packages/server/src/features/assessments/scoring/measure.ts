import type { Condition, Measure } from '../instruments/instrument-file.js'
import type { Question } from '../instruments/instrument.js'

/** Points of every question that was answered, or passed over by a rule. What is not there yet is not there. */
export type Points = ReadonlyMap<string, number>

export const keysOf = (what: Measure | Condition): string[] =>
  'sum' in what ? what.sum : what.count.flatMap(({ of }) => of)

export const unknownOf = (what: Measure | Condition, points: Points): string[] =>
  keysOf(what).filter((key) => !points.has(key))

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

/** The least and the most that a measure can give, from the values that each question's answers have. */
export function rangeOf(
  what: Measure,
  valuesOf: (key: string) => readonly number[],
): { least: number; most: number } {
  if (!('sum' in what)) return { least: 0, most: keysOf(what).length }
  const values = what.sum.map(valuesOf)
  const times = what.times ?? 1
  return {
    least: addUp(values.map((some) => Math.min(...some))) * times,
    most: addUp(values.map((some) => Math.max(...some))) * times,
  }
}

const addUp = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
