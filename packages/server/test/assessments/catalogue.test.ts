import { describe, expect, it } from 'vitest'
import { makeBuiltInCatalogue, scoreAnswers } from '../../src/features/assessments/index.js'
import { InstrumentProblem, readInstrumentFile } from '../../src/features/assessments/instruments/index.js'
import { answersTo, makeTextPack, readBuiltIn, withTextPack } from './instruments-fixture.js'

const problemsOf = (work: () => unknown): readonly string[] => {
  try {
    work()
  } catch (error) {
    if (error instanceof InstrumentProblem) return error.problems
    throw error
  }
  return []
}

/** A built-in file with one thing changed; the value at the path is replaced, or removed if it is undefined. */
function change(id: string, path: (string | number)[], value: unknown): string {
  const file = structuredClone(readBuiltIn(id)) as Record<string | number, unknown>
  const last = path.at(-1) as string
  let at = file
  for (const part of path.slice(0, -1)) at = at[part] as Record<string | number, unknown>
  if (value === undefined) delete at[last]
  else at[last] = value
  return JSON.stringify(file)
}

describe('a file that does not fit is refused with the place and the reason', () => {
  it.each([
    [['version'], '2026-02-30', 'version: there is no such day'],
    [['name'], ' PHQ', 'name: must match'],
    [['typo'], 1, 'the file: must not have additional properties (typo)'],
    [['questions', 3, 'answers'], 'often', 'questions[3].answers: there is no answer set often'],
    [['questions', 1, 'key'], 'phq9_1', 'questions[1].key: phq9_1 stands here twice'],
    [['questions', 8, 'selfHarmFrom'], 7, 'questions[8].selfHarmFrom: is none of the answers'],
    [['questions', 0, 'loinc'], '44250-8', 'questions[0].loinc: the check digit is wrong'],
    [
      ['questions', 0, 'onlyIf'],
      [{ sum: ['phq9_2'], atLeast: 1 }],
      'questions[0].onlyIf[0]: phq9_2 is no earlier question',
    ],
    [['questions', 0, 'pointsIfSkipped'], 1, 'questions[0].pointsIfSkipped: the question is always asked'],
    [['scoring', 'total', 'sum', 0], 'phq9_99', 'scoring.total: there is no question phq9_99'],
    [['scoring', 'total', 'sum', 0], 'phq9_2', 'scoring.total: a question counts twice'],
    [['scoring', 'total', 'sum', 0], 9, 'scoring.total.sum[0]: must be string'],
    [
      ['scoring', 'bandSets', 0, 'bands', 0, 'from'],
      1,
      'scoring.bandSets[0].bands[0].from: totals begin at 0',
    ],
    [
      ['scoring', 'bandSets', 0, 'bands', 2, 'from'],
      5,
      'scoring.bandSets[0].bands[2].from: is not above the band before',
    ],
    [
      ['scoring', 'bandSets', 0, 'bands', 4, 'from'],
      28,
      'scoring.bandSets[0].bands[4].from: totals end at 27',
    ],
    [
      ['scoring', 'missing'],
      { proratedUpTo: 9, source: 'x' },
      'scoring.missing.proratedUpTo: leaves no answer to count',
    ],
    [['texts', 'en', 'questions', 'phq9_4'], undefined, 'texts.en.questions.phq9_4: is missing'],
    [
      ['texts', 'en', 'questions', 'phq9_44'],
      'x',
      'texts.en.questions.phq9_44: there is nothing of this name',
    ],
    [['texts', 'en', 'answers', 'frequency', '3'], undefined, 'texts.en.answers.frequency.3: is missing'],
    [['texts'], {}, 'questions[0].label: is missing, and there is no text either'],
    [['answerSets', 'frequency'], [0, 1, 1], 'answerSets.frequency: a value stands here twice'],
  ])('%j = %j', (path, value, problem) => {
    const problems = problemsOf(() => readInstrumentFile(change('phq9', path, value)))
    expect(problems.some((one) => one.startsWith(problem)) ? problem : problems).toBe(problem)
  })

  it.each([
    ['{', 'line 1, column 2'],
    ['{\n  "format": 1,\n  oops\n}', 'line 3, column 3'],
    ['[]', 'the file: must be object'],
    ['null', 'the file: must be object'],
    [`"${'a'.repeat(1_000_001)}"`, 'the file is longer than 1 MB'],
  ])('%.30s', (text, problem) => {
    expect(problemsOf(() => readInstrumentFile(text))[0]).toContain(problem)
  })
})

describe('a text pack', () => {
  it('gives an instrument its words, and with them it is offered', () => {
    expect(makeBuiltInCatalogue().isOffered('who5')).toBe(false)
    const catalogue = withTextPack('who5')
    expect(catalogue.isOffered('who5')).toBe(true)
    const who5 = catalogue.find('who5')
    expect(who5).toMatchObject({
      version: '2026-12-01',
      language: 'en',
      rights: { permission: 'Letter of 1 December 2026, file 7' },
    })
    expect(who5?.questions[0]).toMatchObject({
      text: 'Made-up question who5_1',
      leadIn: 'Made-up lead-in',
      label: 'cheerful',
    })
    // The form shows its options from the highest down.
    expect(who5?.questions[0]?.options.map(({ value }) => value)).toEqual([5, 4, 3, 2, 1, 0])
  })

  it.each(['audit', 'who5', 'k10', 'asrs_v1_1', 'dast10'])('completes %s', (id) => {
    expect(withTextPack(id).isOffered(id)).toBe(true)
  })

  it('shows our hint beside the reversed question of dast10', () => {
    expect(withTextPack('dast10').find('dast10')?.questions[2]?.help).toBe(
      'If you do not use drugs, answer Yes.',
    )
  })

  it('may add a language to what has one; who asks for another gets English', () => {
    const catalogue = withTextPack('gad2', { language: 'es' })
    expect(catalogue.find('gad2', { language: 'es-MX' })).toMatchObject({
      language: 'es',
      languages: ['en', 'es'],
    })
    expect(catalogue.find('gad2', { language: 'fr' })?.language).toBe('en')
    expect(catalogue.find('gad2', { language: 'es' })?.questions[0]?.text).toBe('Made-up question gad2_1')
  })

  it.each([
    [{ completes: 'nothing' }, 'completes: there is no instrument nothing'],
    [{ version: '2026-11-14' }, 'version: the instrument has a newer one, 2026-11-15'],
    [{ texts: { questions: {}, answers: {} } }, 'texts.questions.who5_1: is missing'],
    [{ permission: undefined }, 'the file: must have required properties permission'],
  ])('%j is refused', (changes, problem) => {
    expect(problemsOf(() => withTextPack('who5', changes))[0]).toBe(problem)
  })

  it('needs a version of its own where somebody may have read the words before', () => {
    expect(problemsOf(() => withTextPack('phq9', { version: '2026-11-15', language: 'es' }))).toEqual([
      'version: phq9 has one of 2026-11-15; give this one a later day',
    ])
    expect(withTextPack('who5', { version: '2026-11-15' }).isOffered('who5')).toBe(true)
  })
})

describe('versions', () => {
  it('what somebody was given is found as it was, after a newer version came and after it was withdrawn', () => {
    const catalogue = makeBuiltInCatalogue()
    const newer = readInstrumentFile(change('gad2', ['version'], '2027-01-01'))
    catalogue.add(newer)
    expect(catalogue.find('gad2')?.version).toBe('2027-01-01')
    expect(catalogue.find('gad2', { version: '2026-11-15' })?.version).toBe('2026-11-15')
    expect(catalogue.find('gad2', { version: '2025-01-01' })).toBeNull()
    const withdrawn = makeBuiltInCatalogue()
    withdrawn.add(newer, true)
    expect(withdrawn.find('gad2')?.version).toBe('2026-11-15')
    expect(withdrawn.find('gad2', { version: '2027-01-01' })?.version).toBe('2027-01-01')
    expect(withdrawn.isOffered('gad2')).toBe(true)
  })

  it('a withdrawn text pack takes the offer back, not the words of who is answering', () => {
    const catalogue = makeBuiltInCatalogue()
    catalogue.add(readInstrumentFile(makeTextPack('who5')), true)
    expect(catalogue.isOffered('who5')).toBe(false)
    expect(catalogue.find('who5', { version: '2026-12-01' })?.language).toBe('en')
  })

  it('an operator can add a whole instrument without code, with every rule', () => {
    const catalogue = makeBuiltInCatalogue()
    const file = { ...readBuiltIn('pc_ptsd5'), id: 'own_screen' }
    catalogue.add(readInstrumentFile(JSON.stringify(file)))
    const own = catalogue.find('own_screen')
    if (own === null) throw new Error('not added')
    expect(catalogue.listOffered().at(-1)?.id).toBe('own_screen')
    const yes = [{ questionKey: 'pc_ptsd5_gate', answerValue: 1 }, ...answersTo('pc_ptsd5', [1, 1, 1, 1, 0])]
    expect(scoreAnswers(own, yes)).toMatchObject({ score: 4, severity: 'positive' })
  })
})
