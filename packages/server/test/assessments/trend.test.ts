import { describe, expect, it } from 'vitest'
import { describeTrend, type TrendScore } from '../../src/features/assessments/index.js'
import { describeChange, describeOutcome } from '../../src/features/assessments/scoring/describe-change.js'
import { getInstrument } from './instruments-fixture.js'

const scoresOf = (...scores: [number, string | null][]): TrendScore[] =>
  scores.map(([score, severity], index) => ({
    scoreId: `score-${index}`,
    completedAt: `2026-0${index + 1}-01T00:00:00.000Z`,
    score,
    severity,
    severityName: severity,
    flags: [],
  }))

describe('change values', () => {
  it.each([
    ['phq9', 15, 10, 'none', 'improved'],
    ['phq9', 15, 11, 'none', 'none'],
    ['phq9', 15, 9, 'improved', 'improved'],
    ['phq9', 9, 15, 'worsened', 'worsened'],
    ['gad7', 10, 7, 'none', 'none'],
    ['gad7', 10, 6, 'improved', 'improved'],
    ['pcl5', 50, 41, 'none', 'none'],
    ['pcl5', 50, 40, 'improved', 'improved'],
    ['who5', 40, 52, null, 'improved'],
    ['who5', 52, 40, null, 'worsened'],
    ['who5', 40, 48, null, 'none'],
    ['k10', 30, 25, null, 'improved'],
    ['audit', 20, 4, null, null],
    ['phq2', 6, 0, null, null],
    ['phq9', 8, 8, 'none', 'none'],
  ] as const)('%s from %i to %i: reliable %s, meaningful %s', (id, from, to, reliable, meaningful) => {
    const change = describeChange(getInstrument(id).scoring, from, to)
    expect(change).toEqual({ difference: to - from, reliable, meaningful })
  })

  it.each([
    ['phq9', 16, 9, true, false, false],
    ['phq9', 16, 4, true, true, true],
    ['phq9', 16, 8, true, false, true],
    ['phq9', 12, 9, false, false, false],
    ['phq9', 9, 2, false, true, true],
    ['gad7', 12, 7, true, null, null],
    ['gad7', 12, 8, false, null, null],
    ['pcl5', 40, 28, true, null, null],
    ['pcl5', 40, 29, false, null, null],
    ['who5', 20, 80, null, null, null],
    ['audit', 20, 2, null, null, null],
  ] as const)('%s from %i to %i: recovered %s, remitted %s, response %s', (id, from, to, ...expected) => {
    const { isRecovered, isRemitted, isResponse } = describeOutcome(getInstrument(id).scoring, from, to)
    expect([isRecovered, isRemitted, isResponse]).toEqual(expected)
  })
})

describe('a trend', () => {
  it('has the range, the bands with both ends, and each change since the one before', () => {
    const trend = describeTrend(
      scoresOf([16, 'moderately_severe'], [12, 'moderate'], [6, 'mild'], [7, 'mild']),
      getInstrument('phq9'),
    )
    expect(trend).toMatchObject({
      assessmentId: 'phq9',
      name: 'PHQ-9',
      scoreMin: 0,
      scoreMax: 27,
      isHigherBetter: false,
      sinceFirst: { difference: -9, reliable: 'improved', isRecovered: true, isResponse: true },
    })
    expect(trend.bands.map(({ from, to, severity }) => [from, to, severity])).toEqual([
      [0, 4, 'minimal'],
      [5, 9, 'mild'],
      [10, 14, 'moderate'],
      [15, 19, 'moderately_severe'],
      [20, 27, 'severe'],
    ])
    expect(
      trend.points.map(({ change, reliableChange, isBandCrossed }) => [
        change,
        reliableChange,
        isBandCrossed,
      ]),
    ).toEqual([
      [null, null, false],
      [-4, 'none', true],
      [-6, 'improved', true],
      [1, 'none', false],
    ])
  })

  it.each([
    ['who5', 0, 100, true],
    ['k10', 10, 50, false],
    ['asrs_v1_1', 0, 6, false],
    ['pcl5', 0, 80, false],
    ['audit', 0, 40, false],
    ['audit_c', 0, 12, false],
  ] as const)('%s runs from %i to %i', (id, scoreMin, scoreMax, isHigherBetter) => {
    const trend = describeTrend([], getInstrument(id))
    expect(trend).toMatchObject({ scoreMin, scoreMax, isHigherBetter, points: [], sinceFirst: null })
    expect(trend.bands[0]?.from).toBe(scoreMin)
    expect(trend.bands.at(-1)?.to).toBe(scoreMax)
  })
})
