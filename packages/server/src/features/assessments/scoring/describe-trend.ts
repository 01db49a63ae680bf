import type { ChangeDirection } from '@casenote/contract'
import type { AssessmentId, ScoreId } from '../../../kernel/ids.js'
import type { Instrument } from '../instruments/instrument.js'
import { describeChange, describeOutcome, type Outcome } from './describe-change.js'
import { rangeOf } from './measure.js'

export interface TrendScore {
  scoreId: ScoreId
  completedAt: string
  score: number
  severity: string | null
  /** The severity in words; null where the instrument has none for it. */
  severityName: string | null
  flags: string[]
}

export interface TrendPoint extends TrendScore {
  /** Against the point before; null for the first. */
  change: number | null
  /** Whether the change is larger than the instrument's own error explains; null where nobody published a value. */
  reliableChange: ChangeDirection | null
  meaningfulChange: ChangeDirection | null
  /** Whether it is in another band than the point before. */
  isBandCrossed: boolean
}

/** One instrument's scores over time, ready to be drawn. */
export interface Trend {
  assessmentId: AssessmentId
  name: string
  scoreMin: number
  scoreMax: number
  isHigherBetter: boolean
  /** The bands of severity from low to high; `to` is included. */
  bands: { from: number; to: number; severity: string; name: string }[]
  points: TrendPoint[]
  /** Null with fewer than two scores. */
  sinceFirst: Outcome | null
  /** Where the change values come from; null where there are none. */
  changeSource: string | null
}

/** `scores` of one client, oldest first. */
export function describeTrend(scores: readonly TrendScore[], instrument: Instrument): Trend {
  const { id, name, scoring, questions } = instrument
  const { least, most } = rangeOf(scoring.total, (key) =>
    (questions.find((question) => question.key === key)?.options ?? []).map(({ value }) => value),
  )
  const [first, last] = [scores[0], scores.at(-1)]
  return {
    assessmentId: id,
    name,
    scoreMin: least,
    scoreMax: most,
    isHigherBetter: scoring.betterWhen === 'higher',
    bands: (scoring.bandSets[0]?.bands ?? []).map(({ from, key, name: bandName }, index, bands) => ({
      from,
      to: (bands[index + 1]?.from ?? most + 1) - 1,
      severity: key,
      name: bandName,
    })),
    points: scores.map((score, index) => describePoint(instrument, scores[index - 1], score)),
    sinceFirst:
      first === undefined || last === undefined || first === last
        ? null
        : describeOutcome(scoring, first.score, last.score),
    changeSource: scoring.change?.source ?? null,
  }
}

function describePoint(
  { scoring }: Instrument,
  before: TrendScore | undefined,
  point: TrendScore,
): TrendPoint {
  if (before === undefined) {
    return { ...point, change: null, reliableChange: null, meaningfulChange: null, isBandCrossed: false }
  }
  const { difference, reliable, meaningful } = describeChange(scoring, before.score, point.score)
  return {
    ...point,
    change: difference,
    reliableChange: reliable,
    meaningfulChange: meaningful,
    isBandCrossed: before.severity !== point.severity,
  }
}
