import type { AssessmentTrend } from '@casenote/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeTrend } from '../../../../src/frame/ui/assessments/place-trend.js'

describe('the chart of scores', () => {
  const box = { left: 10, right: 110, top: 5, bottom: 105 }
  const someTrend = fc
    .array(fc.record({ score: fc.integer({ min: 0, max: 27 }), day: fc.nat(400) }), { minLength: 1 })
    .map((points): AssessmentTrend => ({
      assessmentId: 'phq9',
      name: 'PHQ-9',
      scoreMin: 0,
      scoreMax: 27,
      bands: [
        { from: 0, to: 9, severity: 'mild', name: 'Mild' },
        { from: 10, to: 27, severity: 'severe', name: 'Severe' },
      ],
      isHigherBetter: false,
      points: points.map(({ score, day }, index) => ({
        scoreId: String(index),
        completedAt: new Date(day * 86_400_000).toISOString(),
        score,
        severity: null,
        severityName: null,
        flags: [],
        change: null,
        reliableChange: null,
      })),
    }))

  it('puts every point into its band, and its whole mark into the box, where no label is', () => {
    fc.assert(
      fc.property(someTrend, (trend) => {
        const { points, bands } = placeTrend(trend, box)
        for (const { x, y, point } of points) {
          expect(x - 9).toBeGreaterThanOrEqual(box.left)
          expect(x + 9).toBeLessThanOrEqual(box.right)
          const band = bands[point.score <= 9 ? 0 : 1]
          expect(y).toBeGreaterThanOrEqual(band?.top ?? Infinity)
          expect(y).toBeLessThanOrEqual(band?.bottom ?? -Infinity)
        }
      }),
    )
  })
})
