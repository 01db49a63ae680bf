import type { AssessmentTrend } from '@casenote/contract'

/** The inner box of the chart, in the units of its drawing. */
export interface ChartBox {
  left: number
  right: number
  top: number
  bottom: number
}

export interface PlacedTrend {
  points: { x: number; y: number; point: AssessmentTrend['points'][number] }[]
  bands: { top: number; bottom: number; severity: string; name: string }[]
}

/** As far as a mark and its ring reach: the first and the last point lie wholly within the box, beside every label. */
export const markReach = 12

/** Time to the right, scores upwards. One day alone stands in the middle. */
export function placeTrend(trend: AssessmentTrend, box: ChartBox): PlacedTrend {
  const times = trend.points.map(({ completedAt }) => Date.parse(completedAt))
  const first = Math.min(...times)
  const span = Math.max(...times) - first
  const toX = (time: number): number =>
    span === 0
      ? (box.left + box.right) / 2
      : box.left + markReach + ((time - first) / span) * (box.right - box.left - 2 * markReach)
  const range = Math.max(1, trend.scoreMax - trend.scoreMin)
  const toY = (score: number): number => {
    const share = Math.min(1, Math.max(0, (score - trend.scoreMin) / range))
    return box.bottom - share * (box.bottom - box.top)
  }
  return {
    points: trend.points.map((point) => ({
      x: toX(Date.parse(point.completedAt)),
      y: toY(point.score),
      point,
    })),
    // Scores are whole numbers: a band ends half way to the next.
    bands: trend.bands.map(({ from, to, severity, name }) => ({
      top: toY(to + 0.5),
      bottom: toY(from - 0.5),
      severity,
      name,
    })),
  }
}
