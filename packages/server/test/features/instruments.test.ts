import { describe, expect, it } from 'vitest'
import {
  builtInDefaults,
  findInstrument,
  INSTRUMENTS,
  isOffered,
  OFFERED,
} from '../../src/features/assessments/instruments/index.js'
import { wordAnswers } from '../../src/features/assessments/score-result.js'

describe('instruments', () => {
  it('has the twelve, and offers only the seven whose text may be shown', () => {
    expect(INSTRUMENTS.map(({ id }) => id)).toEqual([
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
    expect(OFFERED).toHaveLength(7)
    expect(['audit', 'who5', 'k10', 'asrs_v1_1', 'dast10', 'PHQ9', ''].filter(isOffered)).toEqual([])
    expect(builtInDefaults.every(isOffered)).toBe(true)
  })

  it.each(INSTRUMENTS.map((instrument) => [instrument.id, instrument] as const))(
    '%s is complete and consistent',
    (id, instrument) => {
      expect(new Date(instrument.version).toISOString().slice(0, 10)).toBe(instrument.version)
      for (const text of [instrument.name, instrument.description, instrument.recall]) {
        expect(text).toMatch(/\S/)
      }
      expect(instrument.rights).toEqual({
        terms: expect.stringMatching(/\S/),
        source: expect.stringMatching(/\S/),
        mayShowText: expect.any(Boolean),
      })
      const keys = instrument.questions.map(({ key }) => key)
      expect(new Set(keys).size).toBe(keys.length)
      for (const [index, question] of instrument.questions.entries()) {
        expect(question.key).toMatch(new RegExp(`^${id}_(\\d+|function|gate)$`))
        expect(question.text).toBe(question.text.trim())
        const values = question.options.map(({ value }) => value)
        expect(values.length).toBeGreaterThan(1)
        expect(new Set(values).size).toBe(values.length)
        for (const { text } of question.options) expect(text !== null).toBe(instrument.rights.mayShowText)
        if (question.onlyIf !== undefined) {
          const { key, value } = question.onlyIf
          const gate = instrument.questions.slice(0, index).find((earlier) => earlier.key === key)
          expect(gate?.options.some((option) => option.value === value)).toBe(true)
        }
      }
      if (!instrument.rights.mayShowText) expect(instrument.leadIn).toBeNull()
    },
  )

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
    const questions = findInstrument(id)?.questions ?? []
    expect(questions).toHaveLength(all)
    expect(questions.filter(({ isScored }) => isScored)).toHaveLength(scored)
    expect(questions[0]?.options.map(({ value }) => value)).toEqual(values)
  })

  it('words answers in the order of the form, and refuses what the form does not have', () => {
    const gad2 = findInstrument('gad2')
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
