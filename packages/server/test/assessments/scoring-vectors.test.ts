import { describe, expect, it } from 'vitest'
import { dropClosedAnswers, scoreAnswers } from '../../src/features/assessments/index.js'
import { answersTo, getInstrument } from './instruments-fixture.js'

interface Expected {
  score: number
  severity: string
  flags?: string[]
  bands?: Record<string, string>
  subscales?: Record<string, number>
  criteria?: Record<string, boolean>
}

const toValues = (yesNo: string): number[] => yesNo.split('').map((letter) => (letter === 'Y' ? 1 : 0))
const times = (count: number, value: number): number[] => Array.from({ length: count }, () => value)

/** The worked examples of docs/clinical/instruments.md 8, and a few more. */
const examples: [id: string, values: number[], expected: Expected][] = [
  ['phq9', [0, 1, 1, 1, 1, 0, 0, 0, 0], { score: 4, severity: 'minimal', bands: { screen: 'negative' } }],
  [
    'phq9',
    [1, 1, 2, 2, 1, 1, 1, 0, 1],
    {
      score: 10,
      severity: 'moderate',
      flags: ['self_harm'],
      bands: { screen: 'positive' },
      criteria: { major_depressive_syndrome: false },
    },
  ],
  [
    'phq9',
    [3, 3, 2, 3, 2, 2, 2, 1, 2],
    {
      score: 20,
      severity: 'severe',
      flags: ['self_harm'],
      criteria: { major_depressive_syndrome: true },
    },
  ],
  ['phq9', [0, 0, 0, 0, 0, 0, 0, 0, 1], { score: 1, severity: 'minimal', flags: ['self_harm'] }],
  [
    'phq9',
    [2, 0, 2, 2, 2, 0, 0, 0, 1],
    { score: 9, severity: 'mild', flags: ['self_harm'], criteria: { major_depressive_syndrome: true } },
  ],
  [
    'phq9',
    [1, 1, 2, 2, 2, 2, 2, 2, 0],
    { score: 14, severity: 'moderate', criteria: { major_depressive_syndrome: false } },
  ],
  ['phq2', [1, 1], { score: 2, severity: 'negative', bands: { sensitive_screen: 'positive' } }],
  ['phq2', [1, 2], { score: 3, severity: 'positive' }],
  ['phq2', [3, 3], { score: 6, severity: 'positive' }],
  ['gad7', [1, 1, 1, 1, 0, 0, 0], { score: 4, severity: 'minimal' }],
  ['gad7', [2, 2, 2, 1, 1, 1, 1], { score: 10, severity: 'moderate', bands: { screen: 'positive' } }],
  ['gad7', [3, 3, 2, 2, 2, 2, 1], { score: 15, severity: 'severe' }],
  ['gad2', [0, 2], { score: 2, severity: 'negative' }],
  ['gad2', [2, 1], { score: 3, severity: 'positive' }],
  ['gad2', [3, 3], { score: 6, severity: 'positive' }],
  [
    'pcl5',
    [2, 1, 1, 2, 1, 1, 1, 1, 2, 1, 2, 1, 1, 1, 2, 1, 2, 2, 2, 3],
    {
      score: 30,
      severity: 'below_cutoff',
      bands: { cutoff_31: 'below_cutoff' },
      subscales: { b: 7, c: 2, d: 9, e: 12 },
      criteria: { dsm5_symptom_rule: false },
    },
  ],
  [
    'pcl5',
    [2, 2, 1, 2, 2, 2, 1, 1, 2, 1, 2, 1, 1, 1, 2, 1, 2, 2, 2, 3],
    {
      score: 33,
      severity: 'at_or_above_cutoff',
      subscales: { b: 9, c: 3, d: 9, e: 12 },
      criteria: { dsm5_symptom_rule: true },
    },
  ],
  [
    'pcl5',
    [3, 2, 2, 3, 3, 3, 3, 1, 2, 2, 3, 2, 2, 2, 2, 1, 3, 3, 2, 3],
    {
      score: 47,
      severity: 'at_or_above_cutoff',
      subscales: { b: 13, c: 6, d: 14, e: 14 },
      criteria: { dsm5_symptom_rule: true },
    },
  ],
  [
    'audit',
    [2, 1, 0, 0, 0, 0, 0, 0, 2, 2],
    { score: 7, severity: 'zone_1', bands: { women_and_men_over_65: 'positive', screen: 'negative' } },
  ],
  ['audit', [3, 1, 1, 1, 1, 0, 1, 0, 0, 0], { score: 8, severity: 'zone_2', bands: { screen: 'positive' } }],
  ['audit', [4, 3, 3, 2, 1, 0, 2, 1, 2, 2], { score: 20, severity: 'zone_4' }],
  [
    'audit_c',
    [3, 0, 0],
    {
      score: 3,
      severity: 'positive_for_women',
      flags: ['review_recent_intake'],
      bands: { women: 'positive', men: 'negative', va_action: 'below' },
    },
  ],
  ['audit_c', [2, 1, 1], { score: 4, severity: 'positive', bands: { women: 'positive', men: 'positive' } }],
  ['audit_c', [4, 1, 0], { score: 5, severity: 'positive', bands: { va_action: 'act' } }],
  ['who5', [3, 3, 2, 2, 2], { score: 48, severity: 'low', subscales: { raw: 12 } }],
  ['who5', [3, 3, 3, 2, 2], { score: 52, severity: 'not_low', subscales: { raw: 13 } }],
  [
    'who5',
    [2, 1, 1, 1, 2],
    { score: 28, severity: 'low', flags: ['low_item'], bands: { lower_cutoff: 'very_low' } },
  ],
  ['k10', [2, 2, 1, 2, 2, 1, 1, 2, 1, 1], { score: 15, severity: 'low', bands: { primary_care: 'well' } }],
  ['k10', times(10, 2), { score: 20, severity: 'moderate', bands: { primary_care: 'mild' } }],
  ['k10', times(10, 3), { score: 30, severity: 'very_high', bands: { primary_care: 'severe' } }],
  ['asrs_v1_1', times(6, 2), { score: 3, severity: 'negative', subscales: { part_a_sum: 12 } }],
  ['asrs_v1_1', [2, 2, 2, 3, 0, 0], { score: 4, severity: 'positive', subscales: { part_a_sum: 9 } }],
  ['asrs_v1_1', [1, 1, 4, 4, 4, 3], { score: 4, severity: 'positive', subscales: { part_a_sum: 17 } }],
  ['asrs_v1_1', [4, 4, 4, 2, 2, 2], { score: 3, severity: 'negative', subscales: { part_a_sum: 18 } }],
  ['dast10', toValues('NNYNNNNNNN'), { score: 0, severity: 'none' }],
  ['dast10', toValues('NNNNNNNNNN'), { score: 1, severity: 'low', flags: ['reversed_item_only'] }],
  ['dast10', toValues('YNNYNNNNNN'), { score: 3, severity: 'moderate' }],
  ['dast10', toValues('YYNYYYNNNN'), { score: 6, severity: 'substantial' }],
]

it.each(examples)('%s %j gives what is published', (id, values, expected) => {
  const scored = scoreAnswers(getInstrument(id), answersTo(id, values))
  expect(scored).toMatchObject({
    score: expected.score,
    severity: expected.severity,
    flags: expected.flags ?? [],
    isComplete: true,
    missing: [],
    scorerVersion: '1',
  })
  const toRecord = (list: [string, unknown][]): unknown => Object.fromEntries(list)
  expect(toRecord(scored.bands.map(({ set, band }) => [set, band]))).toMatchObject(expected.bands ?? {})
  expect(toRecord(scored.subscales.map(({ key, score }) => [key, score]))).toMatchObject(
    expected.subscales ?? {},
  )
  expect(toRecord(scored.criteria.map(({ key, isMet }) => [key, isMet]))).toMatchObject(
    expected.criteria ?? {},
  )
})

/** Answers that add up to a total, filled from the first question on. */
function reach(id: string, total: number, each: number, least = 0): number[] {
  const count = getInstrument(id).questions.filter(({ isScored }) => isScored).length
  let left = total - least * count
  return times(count, 0).map(() => {
    const step = Math.min(left, each - least)
    left -= step
    return least + step
  })
}

/** `[set, highest total of the lower band, its name, name of the next band]`. */
const edges: Record<string, [set: string, below: number, lower: string, upper: string][]> = {
  phq9: [
    ['severity', 4, 'minimal', 'mild'],
    ['severity', 9, 'mild', 'moderate'],
    ['severity', 14, 'moderate', 'moderately_severe'],
    ['severity', 19, 'moderately_severe', 'severe'],
    ['screen', 9, 'negative', 'positive'],
  ],
  phq2: [
    ['screen', 2, 'negative', 'positive'],
    ['sensitive_screen', 1, 'negative', 'positive'],
  ],
  gad7: [
    ['severity', 4, 'minimal', 'mild'],
    ['severity', 9, 'mild', 'moderate'],
    ['severity', 14, 'moderate', 'severe'],
  ],
  gad2: [['screen', 2, 'negative', 'positive']],
  pcl5: [
    ['cutoff_31', 30, 'below_cutoff', 'at_or_above_cutoff'],
    ['cutoff_33', 32, 'below_cutoff', 'at_or_above_cutoff'],
  ],
  audit_c: [
    ['women', 2, 'negative', 'positive'],
    ['men', 3, 'negative', 'positive'],
    ['va_action', 4, 'below', 'act'],
  ],
  k10: [
    ['abs', 15, 'low', 'moderate'],
    ['abs', 21, 'moderate', 'high'],
    ['abs', 29, 'high', 'very_high'],
    ['primary_care', 19, 'well', 'mild'],
    ['primary_care', 24, 'mild', 'moderate'],
    ['primary_care', 29, 'moderate', 'severe'],
  ],
}

const bandOf = (id: string, values: number[], set: string): [number | null, string | undefined] => {
  const instrument = getInstrument(id)
  // What an earlier answer closes counts as if it were answered with the least.
  const { score, bands } = scoreAnswers(instrument, dropClosedAnswers(instrument, answersTo(id, values)))
  return [score, bands.find((one) => one.set === set)?.band]
}

describe('band edges', () => {
  const cases = Object.entries(edges).flatMap(([id, list]) => list.map((edge) => [id, ...edge] as const))
  it.each(cases)('%s %s: %i is %s, one more is %s', (id, set, below, lower, upper) => {
    const values = getInstrument(id).questions[0]?.options.map(({ value }) => value) ?? []
    const [least, most] = [Math.min(...values), Math.max(...values)]
    expect(bandOf(id, reach(id, below, most, least), set)).toEqual([below, lower])
    expect(bandOf(id, reach(id, below + 1, most, least), set)).toEqual([below + 1, upper])
  })

  it.each([
    [[1, 0, 0, 0, 0, 0, 0, 0, 2, 4], 7, 'zone_1', 'negative', 'positive'],
    [[1, 0, 1, 0, 0, 0, 0, 0, 2, 4], 8, 'zone_2', 'positive', 'positive'],
    [[3, 0, 4, 0, 0, 0, 0, 0, 4, 4], 15, 'zone_2', 'positive', 'positive'],
    [[4, 0, 4, 0, 0, 0, 0, 0, 4, 4], 16, 'zone_3', 'positive', 'positive'],
    [[4, 3, 4, 0, 0, 0, 0, 0, 4, 4], 19, 'zone_3', 'positive', 'positive'],
    [[4, 4, 4, 0, 0, 0, 0, 0, 4, 4], 20, 'zone_4', 'positive', 'positive'],
  ])('audit %j is %i: %s', (values, score, zone, screen, sensitive) => {
    const instrument = getInstrument('audit')
    const scored = scoreAnswers(instrument, dropClosedAnswers(instrument, answersTo('audit', values)))
    expect([scored.score, ...scored.bands.map(({ band }) => band)]).toEqual([score, zone, screen, sensitive])
  })

  it.each([
    [0, 'none'],
    [1, 'low'],
    [2, 'low'],
    [3, 'moderate'],
    [5, 'moderate'],
    [6, 'substantial'],
    [8, 'substantial'],
    [9, 'severe'],
    [10, 'severe'],
  ])('dast10 of %i is %s', (points, severity) => {
    const values: number[] = times(10, 0).map((_, index) => (index < points ? 1 : 0))
    values[2] = 1 - (values[2] ?? 0)
    expect(scoreAnswers(getInstrument('dast10'), answersTo('dast10', values))).toMatchObject({
      score: points,
      severity,
    })
  })

  it.each([
    [3, 'negative', 'positive'],
    [4, 'positive', 'positive'],
    [2, 'negative', 'negative'],
  ])('pc_ptsd5 of %i is %s at cut-off 4 and %s at 3', (yes, four, three) => {
    const gate = { questionKey: 'pc_ptsd5_gate', answerValue: 1 }
    const values = times(5, 0).map((_, index) => (index < yes ? 1 : 0))
    const scored = scoreAnswers(getInstrument('pc_ptsd5'), [gate, ...answersTo('pc_ptsd5', values)])
    expect([scored.score, ...scored.bands.map(({ band }) => band)]).toEqual([yes, four, three])
  })
})
