import { describe, expect, it } from 'vitest'
import { builtInDefaults, makeBuiltInCatalogue } from '../../src/features/assessments/instruments/index.js'
import { wordAnswers } from '../../src/features/assessments/score-result.js'

const catalogue = makeBuiltInCatalogue()

describe('the instruments of the program', () => {
  it('has the twelve, and offers only the seven whose text may be shown', () => {
    expect(catalogue.list().map(({ id }) => id)).toEqual([
      'phq9',
      'phq2',
      'gad7',
      'gad2',
      'pcl5',
      'pc_ptsd5',
      'audit_c',
      'audit',
      'who5',
      'k10',
      'asrs_v1_1',
      'dast10',
    ])
    const isOffered = (id: string): boolean => catalogue.isOffered(id)
    expect(catalogue.listOffered()).toHaveLength(7)
    expect(['audit', 'who5', 'k10', 'asrs_v1_1', 'dast10', 'PHQ9', ''].filter(isOffered)).toEqual([])
    expect(builtInDefaults.every(isOffered)).toBe(true)
  })

  it.each([
    ['phq9', 9, 10, [0, 1, 2, 3]],
    ['phq2', 2, 2, [0, 1, 2, 3]],
    ['gad7', 7, 8, [0, 1, 2, 3]],
    ['gad2', 2, 2, [0, 1, 2, 3]],
    ['pcl5', 20, 20, [0, 1, 2, 3, 4]],
    ['pc_ptsd5', 5, 6, [0, 1]],
    ['audit_c', 3, 3, [0, 1, 2, 3, 4]],
    ['audit', 10, 10, [0, 1, 2, 3, 4]],
    ['who5', 5, 5, [5, 4, 3, 2, 1, 0]],
    ['k10', 10, 10, [1, 2, 3, 4, 5]],
    ['asrs_v1_1', 6, 18, [0, 1, 2, 3, 4]],
    ['dast10', 10, 10, [0, 1]],
  ] as const)('%s scores %i of its %i questions', (id, scored, all, values) => {
    const questions = catalogue.find(id)?.questions ?? []
    expect(questions).toHaveLength(all)
    expect(questions.filter(({ isScored }) => isScored)).toHaveLength(scored)
    expect(questions[0]?.options.map(({ value }) => value)).toEqual(values)
  })

  it('words answers in the order of the form, and refuses what the form does not have', () => {
    const gad2 = catalogue.find('gad2')
    if (gad2 === null) throw new Error('gad2')
    expect(
      wordAnswers(gad2, [
        { questionKey: 'gad2_2', answerValue: 0 },
        { questionKey: 'gad2_1', answerValue: 3 },
      ]),
    ).toEqual([
      {
        questionKey: 'gad2_1',
        questionDisplay: 'Feeling nervous, anxious or on edge',
        answerValue: 3,
        answerDisplay: 'Nearly every day',
      },
      {
        questionKey: 'gad2_2',
        questionDisplay: 'Not being able to stop or control worrying',
        answerValue: 0,
        answerDisplay: 'Not at all',
      },
    ])
    for (const [questionKey, answerValue] of [
      ['gad2_1', 4],
      ['gad2_1', -1],
      ['gad2_1', 0.5],
      ['gad2_3', 0],
    ] as const) {
      expect(() => wordAnswers(gad2, [{ questionKey, answerValue }])).toThrow()
    }
    const twice = { questionKey: 'gad2_1', answerValue: 1 }
    expect(() => wordAnswers(gad2, [twice, twice])).toThrow()
  })
})
