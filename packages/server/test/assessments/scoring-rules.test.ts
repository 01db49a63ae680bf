import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dropClosedAnswers,
  needsCrisisHelp,
  nextQuestions,
  raiseFlags,
  scoreAnswers,
  type GivenAnswer,
  type Instrument,
} from '../../src/features/assessments/index.js'
import { rangeOf } from '../../src/features/assessments/scoring/measure.js'
import { answersTo, getInstrument, listInstruments } from './instruments-fixture.js'

const shownKeys = (instrument: Instrument, answers: GivenAnswer[]): string[] =>
  nextQuestions(instrument, answers).map(({ key }) => key)

const refusal = (...fields: string[]) => expect.objectContaining({ statusCode: 400, fields })

const score = (id: string, values: (number | null)[]) =>
  scoreAnswers(getInstrument(id), answersTo(id, values))

describe('special rules', () => {
  it('the question about function is asked once there is a problem, and never counts', () => {
    const phq9 = getInstrument('phq9')
    const none = answersTo('phq9', [0, 0, 0, 0, 0, 0, 0, 0, 0])
    const one = answersTo('phq9', [0, 0, 1, 0, 0, 0, 0, 0, 0])
    expect(shownKeys(phq9, none)).not.toContain('phq9_function')
    expect(shownKeys(phq9, one)).toContain('phq9_function')
    const answered = scoreAnswers(phq9, [...one, { questionKey: 'phq9_function', answerValue: 3 }])
    expect(answered.score).toBe(1)
    // It is asked, but nobody has to answer it.
    expect(scoreAnswers(phq9, one)).toMatchObject({ score: 1, isComplete: true })
  })

  it('no exposure means 0, and the five are absent, not missing', () => {
    const instrument = getInstrument('pc_ptsd5')
    const no = [{ questionKey: 'pc_ptsd5_gate', answerValue: 0 }]
    expect(shownKeys(instrument, no)).toEqual(['pc_ptsd5_gate'])
    expect(scoreAnswers(instrument, no)).toMatchObject({ score: 0, severity: 'negative', isComplete: true })
    expect(shownKeys(instrument, [])).toEqual(['pc_ptsd5_gate'])
    expect(scoreAnswers(instrument, [])).toMatchObject({ score: null, severity: null, isComplete: false })
    expect(() => scoreAnswers(instrument, [...no, ...answersTo('pc_ptsd5', [1])])).toThrow(
      refusal('pc_ptsd5_1 must not be answered after these answers'),
    )
  })

  it('who changes the gate keeps no answers behind it', () => {
    const instrument = getInstrument('pc_ptsd5')
    const given = [{ questionKey: 'pc_ptsd5_gate', answerValue: 0 }, ...answersTo('pc_ptsd5', [1, 1, 1])]
    expect(dropClosedAnswers(instrument, given)).toEqual([{ questionKey: 'pc_ptsd5_gate', answerValue: 0 }])
  })

  it('who never drinks is asked the last two of ten, and the skipped ones count 0', () => {
    const audit = getInstrument('audit')
    const never = answersTo('audit', [0])
    expect(shownKeys(audit, never)).toEqual(['audit_1', 'audit_9', 'audit_10'])
    expect(score('audit', [0, null, null, null, null, null, null, null, 2, 4])).toMatchObject({
      score: 6,
      isComplete: true,
    })
    expect(score('audit', [0])).toMatchObject({ score: null, missing: ['audit_9', 'audit_10'] })
  })

  it('who drinks little is not asked for its consequences', () => {
    const audit = getInstrument('audit')
    expect(shownKeys(audit, answersTo('audit', [1, 0]))).toEqual([
      'audit_1',
      'audit_2',
      'audit_3',
      'audit_9',
      'audit_10',
    ])
    expect(shownKeys(audit, answersTo('audit', [1, 0, 1]))).toHaveLength(10)
    expect(score('audit', [1, 0, 0, null, null, null, null, null, 0, 0])).toMatchObject({ score: 1 })
  })

  it('k10 passes over what follows a "none", and counts 1 for it', () => {
    const k10 = getInstrument('k10')
    expect(shownKeys(k10, answersTo('k10', [1, 1]))).not.toContain('k10_3')
    expect(score('k10', [1, 1, null, 1, 1, null, 1, 1, 1, 1])).toMatchObject({ score: 10, isComplete: true })
  })

  it('k10 prorates up to two missing answers, as published; three mean no score', () => {
    expect(score('k10', [3, 3, 3, 3, 3, 3, 3, 3, null, null])).toMatchObject({
      score: 30,
      isComplete: false,
      missing: ['k10_9', 'k10_10'],
      flags: ['prorated'],
    })
    expect(score('k10', [2, 2, 2, 2, 2, 3, 3, 3, 3, null])).toMatchObject({ score: 24 })
    expect(score('k10', [3, 3, 3, 3, 3, 3, 3, null, null, null])).toMatchObject({ score: null, bands: [] })
  })

  it.each(['phq9', 'gad7', 'pcl5', 'audit_c', 'who5', 'phq2', 'gad2', 'dast10', 'asrs_v1_1'])(
    '%s has no score while an answer is missing',
    (id) => {
      const instrument = getInstrument(id)
      const scored = instrument.questions.filter(({ isScored }) => isScored)
      const values = scored.map(({ options }) => options[0]?.value ?? 0)
      expect(score(id, values).isComplete).toBe(true)
      expect(score(id, values.slice(0, -1))).toMatchObject({
        score: null,
        severity: null,
        bands: [],
        criteria: [],
        missing: [scored.at(-1)?.key],
      })
    },
  )

  it('the screen of asrs needs nothing of part B', () => {
    expect(score('asrs_v1_1', [4, 4, 4, 4, 4, 4])).toMatchObject({ score: 6, isComplete: true })
  })

  it('an answer about self-harm is flagged when it is given, whatever else is', () => {
    const phq9 = getInstrument('phq9')
    const only = [{ questionKey: 'phq9_9', answerValue: 1 }]
    expect(needsCrisisHelp(phq9, only)).toBe(true)
    expect(raiseFlags(phq9, only)).toEqual(['self_harm'])
    expect(scoreAnswers(phq9, only)).toMatchObject({ score: null, flags: ['self_harm'] })
    expect(needsCrisisHelp(phq9, [{ questionKey: 'phq9_9', answerValue: 0 }])).toBe(false)
    expect(needsCrisisHelp(phq9, answersTo('phq9', [3, 3, 3]))).toBe(false)
  })

  it('item 16 of pcl5 is a soft flag', () => {
    const values = Array.from({ length: 20 }, () => 0)
    expect(score('pcl5', values.with(15, 2)).flags).toEqual(['self_endangering'])
    expect(score('pcl5', values.with(15, 1)).flags).toEqual([])
  })

  it('a flag about little waits until all of it is known', () => {
    expect(raiseFlags(getInstrument('audit_c'), answersTo('audit_c', [4]))).toEqual([])
    expect(raiseFlags(getInstrument('audit_c'), answersTo('audit_c', [4, 0, 0]))).toEqual([
      'review_recent_intake',
    ])
  })
})

describe('answers that no form gives', () => {
  it.each([
    [
      'phq9',
      [{ questionKey: 'phq9_1', answerValue: 4 }],
      'phq9_1 must be one of the following values: 0, 1, 2, 3',
    ],
    [
      'phq9',
      [{ questionKey: 'phq9_1', answerValue: -1 }],
      'phq9_1 must be one of the following values: 0, 1, 2, 3',
    ],
    [
      'phq9',
      [{ questionKey: 'phq9_1', answerValue: 0.5 }],
      'phq9_1 must be one of the following values: 0, 1, 2, 3',
    ],
    [
      'phq9',
      [{ questionKey: 'phq9_1', answerValue: Number.NaN }],
      'phq9_1 must be one of the following values: 0, 1, 2, 3',
    ],
    ['phq9', [{ questionKey: 'phq9_10', answerValue: 0 }], 'answers must be to questions of phq9'],
    ['phq9', [{ questionKey: '__proto__', answerValue: 0 }], 'answers must be to questions of phq9'],
    [
      'audit',
      [{ questionKey: 'audit_9', answerValue: 1 }],
      'audit_9 must be one of the following values: 0, 2, 4',
    ],
    [
      'audit',
      [{ questionKey: 'audit_10', answerValue: 3 }],
      'audit_10 must be one of the following values: 0, 2, 4',
    ],
    [
      'k10',
      [{ questionKey: 'k10_1', answerValue: 0 }],
      'k10_1 must be one of the following values: 1, 2, 3, 4, 5',
    ],
  ])('%s %j', (id, answers, problem) => {
    expect(() => scoreAnswers(getInstrument(id), answers)).toThrow(refusal(problem))
  })

  it('the same question twice', () => {
    const twice = [
      { questionKey: 'gad2_1', answerValue: 1 },
      { questionKey: 'gad2_1', answerValue: 2 },
    ]
    expect(() => scoreAnswers(getInstrument('gad2'), twice)).toThrow(refusal('gad2_1 must be answered once'))
  })
})

/** A form answered at random from the first question to the last, as a person would. */
const answered = (instrument: Instrument): fc.Arbitrary<GivenAnswer[]> =>
  fc
    .array(fc.nat(1_000), { minLength: instrument.questions.length, maxLength: instrument.questions.length })
    .map((choices) => {
      const answers: GivenAnswer[] = []
      for (const [index, { key }] of instrument.questions.entries()) {
        const question = nextQuestions(instrument, answers).find((one) => one.key === key)
        if (question === undefined) continue
        const { options } = question
        const answerValue = options[(choices[index] ?? 0) % options.length]?.value ?? 0
        answers.push({ questionKey: key, answerValue })
      }
      return answers
    })

describe.each(listInstruments().map((instrument) => [instrument.id, instrument] as const))(
  '%s',
  (_, instrument) => {
    const { scoring, questions } = instrument
    const valuesOf = (key: string): number[] =>
      (questions.find((question) => question.key === key)?.options ?? []).map(({ value }) => value)
    const { least, most } = rangeOf(scoring.total, valuesOf)

    it('every finished form has a total within the range and one band of each set', () => {
      fc.assert(
        fc.property(answered(instrument), (answers) => {
          const scored = scoreAnswers(instrument, answers)
          expect(scored.isComplete).toBe(true)
          expect(scored.score).toBeGreaterThanOrEqual(least)
          expect(scored.score).toBeLessThanOrEqual(most)
          expect(Number.isInteger(scored.score)).toBe(true)
          expect(scored.bands.map(({ set }) => set)).toEqual(scoring.bandSets.map(({ key }) => key))
        }),
        { numRuns: 60 },
      )
    })

    it('the order in which answers arrive does not matter', () => {
      fc.assert(
        fc.property(answered(instrument), (answers) => {
          expect(scoreAnswers(instrument, answers.toReversed())).toEqual(scoreAnswers(instrument, answers))
        }),
        { numRuns: 30 },
      )
    })

    it('one step up in one answer never lowers the total, of a reversed question never raises it', () => {
      fc.assert(
        fc.property(answered(instrument), fc.nat(1_000), (answers, pick) => {
          const index = pick % answers.length
          const chosen = answers[index] as GivenAnswer
          const question = questions.find(({ key }) => key === chosen.questionKey)
          const higher = valuesOf(chosen.questionKey)
            .toSorted((a, b) => a - b)
            .find((value) => value > chosen.answerValue)
          fc.pre(higher !== undefined)
          const raised = answers.with(index, { ...chosen, answerValue: higher })
          // A step may open questions; unanswered ones must not hide what the step itself does.
          const after = scoreAnswers(instrument, dropClosedAnswers(instrument, raised))
          fc.pre(after.isComplete)
          const change = (after.score ?? 0) - (scoreAnswers(instrument, answers).score ?? 0)
          if (question?.isReversed === true) expect(change).toBeLessThanOrEqual(0)
          else expect(change).toBeGreaterThanOrEqual(0)
        }),
        { numRuns: 60 },
      )
    })

    it('a prefix of the answers shows a prefix of the course, and never more flags of self-harm than the whole', () => {
      fc.assert(
        fc.property(answered(instrument), fc.nat(1_000), (answers, cut) => {
          const some = answers.slice(0, cut % (answers.length + 1))
          expect(scoreAnswers(instrument, some).missing.length).toBeLessThanOrEqual(questions.length)
          const next = nextQuestions(instrument, some).find(
            ({ key }) => !some.some(({ questionKey }) => questionKey === key),
          )
          if (some.length < answers.length) expect(next?.key).toBe(answers[some.length]?.questionKey)
          if (needsCrisisHelp(instrument, some)) expect(needsCrisisHelp(instrument, answers)).toBe(true)
        }),
        { numRuns: 40 },
      )
    })
  },
)
