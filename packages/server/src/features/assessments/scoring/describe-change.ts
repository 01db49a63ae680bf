import type { ChangeDirection } from '@casenote/contract'
import type { Scoring } from '../instruments/instrument.js'

export interface ScoreChange {
  /** The later total less the earlier. */
  difference: number
  /** Larger than the instrument's own error explains; null where nobody published a value. */
  reliable: ChangeDirection | null
  /** Large enough to matter; null where nobody published a value. */
  meaningful: ChangeDirection | null
}

export function describeChange(scoring: Scoring, earlier: number, later: number): ScoreChange {
  const difference = later - earlier
  const judge = (threshold: number | undefined): ChangeDirection | null => {
    if (threshold === undefined) return null
    if (Math.abs(difference) < threshold) return 'none'
    return difference < 0 === (scoring.betterWhen === 'lower') ? 'improved' : 'worsened'
  }
  return {
    difference,
    reliable: judge(scoring.change?.reliable),
    meaningful: judge(scoring.change?.meaningful),
  }
}

/** Where treatment has led, from the first score to the last. Null where nobody published the value. */
export interface Outcome extends ScoreChange {
  /** A reliable improvement from above the clinical cut-off to below it. */
  isRecovered: boolean | null
  isRemitted: boolean | null
  /** Half of what it was, or as published. */
  isResponse: boolean | null
}

export function describeOutcome(scoring: Scoring, first: number, last: number): Outcome {
  const { betterWhen, change } = scoring
  const sinceFirst = describeChange(scoring, first, last)
  const isWithin = (score: number, at: number): boolean =>
    betterWhen === 'lower' ? score <= at : score >= at
  const { recoveredAt, remittedAt, responsePercent } = change ?? {}
  return {
    ...sinceFirst,
    isRecovered:
      recoveredAt === undefined || sinceFirst.reliable === null
        ? null
        : sinceFirst.reliable === 'improved' && !isWithin(first, recoveredAt) && isWithin(last, recoveredAt),
    isRemitted: remittedAt === undefined ? null : isWithin(last, remittedAt),
    isResponse:
      responsePercent === undefined || betterWhen === 'higher' || first === 0
        ? null
        : ((first - last) / first) * 100 >= responsePercent,
  }
}
