import { keysOf, rangeOf } from '../scoring/measure.js'
import type { Condition, InstrumentFile, InstrumentTexts, Measure, TextPackFile } from './instrument-file.js'

/** What a schema cannot say: that names lead somewhere, numbers fit each other, and no word is missing. */
export function checkInstrument(file: InstrumentFile): string[] {
  return [
    ...checkDay(file.version),
    ...checkAnswerSets(file),
    ...checkQuestions(file),
    ...checkScoring(file),
    ...checkLoinc(file),
    ...Object.entries(file.texts).flatMap(([language, texts]) =>
      checkTexts(file, texts, `texts.${language}`),
    ),
    ...checkLabels(file),
  ]
}

export const checkTextPack = (file: TextPackFile): string[] => checkDay(file.version)

/** Whether a pack's or an instrument's words are those of all its questions and answers, and of no others. */
export function checkTexts(file: InstrumentFile, texts: InstrumentTexts, place: string): string[] {
  const keys = file.questions.map(({ key }) => key)
  const problems = compareNames(keys, Object.keys(texts.questions), `${place}.questions`)
  for (const key of Object.keys(texts.help ?? {})) {
    if (!keys.includes(key)) problems.push(`${place}.help.${key}: there is no such question`)
  }
  const sets = Object.keys(file.answerSets)
  problems.push(...compareNames(sets, Object.keys(texts.answers), `${place}.answers`))
  for (const [set, words] of Object.entries(texts.answers)) {
    const values = file.answerSets[set]?.map(String)
    if (values !== undefined)
      problems.push(...compareNames(values, Object.keys(words), `${place}.answers.${set}`))
  }
  return problems
}

function compareNames(needed: readonly string[], given: readonly string[], place: string): string[] {
  return [
    ...needed.filter((name) => !given.includes(name)).map((name) => `${place}.${name}: is missing`),
    ...given
      .filter((name) => !needed.includes(name))
      .map((name) => `${place}.${name}: there is nothing of this name`),
  ]
}

function checkDay(version: string): string[] {
  const time = Date.parse(version)
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(version)
  return isReal ? [] : ['version: there is no such day']
}

function checkAnswerSets({ answerSets }: InstrumentFile): string[] {
  return Object.entries(answerSets)
    .filter(([, values]) => new Set(values).size !== values.length)
    .map(([name]) => `answerSets.${name}: a value stands here twice`)
}

function checkQuestions(file: InstrumentFile): string[] {
  const problems: string[] = []
  const earlier = new Set<string>()
  for (const [index, question] of file.questions.entries()) {
    const place = `questions[${index}]`
    if (earlier.has(question.key)) problems.push(`${place}.key: ${question.key} stands here twice`)
    const values = file.answerSets[question.answers]
    if (values === undefined) problems.push(`${place}.answers: there is no answer set ${question.answers}`)
    if (question.selfHarmFrom !== undefined && values?.includes(question.selfHarmFrom) === false) {
      problems.push(`${place}.selfHarmFrom: is none of the answers`)
    }
    for (const [at, condition] of (question.onlyIf ?? []).entries()) {
      const here = `${place}.onlyIf[${at}]`
      problems.push(...checkCondition(condition, here))
      for (const key of keysOf(condition)) {
        if (!earlier.has(key)) problems.push(`${here}: ${key} is no earlier question`)
      }
    }
    if (question.pointsIfSkipped !== undefined && question.onlyIf === undefined) {
      problems.push(`${place}.pointsIfSkipped: the question is always asked`)
    }
    earlier.add(question.key)
  }
  return problems
}

const checkCondition = ({ atLeast, atMost }: Condition, place: string): string[] =>
  atLeast === undefined && atMost === undefined ? [`${place}: needs atLeast or atMost`] : []

function checkScoring(file: InstrumentFile): string[] {
  const { total, subscales = [], bandSets, criteria = [], flags = [], missing } = file.scoring
  const problems = [
    ...checkMeasure(file, total, 'scoring.total'),
    ...subscales.flatMap(({ measure }, index) => checkMeasure(file, measure, `scoring.subscales[${index}]`)),
    ...criteria.flatMap(({ when }, index) => checkConditions(file, when, `scoring.criteria[${index}]`)),
    ...flags.flatMap(({ when }, index) => checkConditions(file, when, `scoring.flags[${index}]`)),
    ...checkUnique(subscales, 'scoring.subscales'),
    ...checkUnique(bandSets, 'scoring.bandSets'),
    ...checkUnique(criteria, 'scoring.criteria'),
    ...checkUnique(flags, 'scoring.flags'),
    ...bandSets.flatMap((set, index) => checkBands(file, set, `scoring.bandSets[${index}]`)),
  ]
  if (missing !== undefined && missing.proratedUpTo >= keysOf(total).length) {
    problems.push('scoring.missing.proratedUpTo: leaves no answer to count')
  }
  return problems
}

const checkConditions = (file: InstrumentFile, when: readonly Condition[], place: string): string[] =>
  when.flatMap((condition, index) => [
    ...checkCondition(condition, `${place}.when[${index}]`),
    ...checkMeasure(file, condition, `${place}.when[${index}]`),
  ])

function checkMeasure(file: InstrumentFile, measure: Measure | Condition, place: string): string[] {
  const names = keysOf(measure)
  const known = new Set(file.questions.map(({ key }) => key))
  const problems = names
    .filter((key) => !known.has(key))
    .map((key) => `${place}: there is no question ${key}`)
  const isRepeated = new Set(names).size !== names.length
  return isRepeated ? [...problems, `${place}: a question counts twice`] : problems
}

const checkUnique = (list: readonly { key: string }[], place: string): string[] =>
  new Set(list.map(({ key }) => key)).size === list.length ? [] : [`${place}: a key stands here twice`]

/** From the least that the total can be, upwards: every total has exactly one band. */
function checkBands(
  file: InstrumentFile,
  { bands }: InstrumentFile['scoring']['bandSets'][number],
  place: string,
): string[] {
  const problems = checkUnique(bands, `${place}.bands`)
  const answersTo = (key: string): string =>
    file.questions.find((question) => question.key === key)?.answers ?? ''
  const { least, most } = rangeOf(file.scoring.total, (key) => file.answerSets[answersTo(key)] ?? [0])
  if ((bands[0]?.from ?? 0) > least) problems.push(`${place}.bands[0].from: totals begin at ${least}`)
  for (const [index, { from }] of bands.entries()) {
    if (index > 0 && from <= (bands[index - 1]?.from ?? 0)) {
      problems.push(`${place}.bands[${index}].from: is not above the band before`)
    }
    if (from > most) problems.push(`${place}.bands[${index}].from: totals end at ${most}`)
  }
  return problems
}

function checkLoinc({ loinc, questions }: InstrumentFile): string[] {
  const codes: [string, string | null | undefined][] = [
    ['loinc.panel', loinc.panel],
    ['loinc.score', loinc.score],
    ...questions.map(
      ({ loinc: code }, index) => [`questions[${index}].loinc`, code] as [string, string | undefined],
    ),
  ]
  return codes
    .filter(([, code]) => code !== null && code !== undefined && !hasRightCheckDigit(code))
    .map(([place]) => `${place}: the check digit is wrong`)
}

/** The last digit of a LOINC code is the Luhn digit of those before: a mistyped code is seen without a dictionary. */
function hasRightCheckDigit(code: string): boolean {
  const [digits = '', check] = code.split('-')
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1)
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return (10 - (sum % 10)) % 10 === Number(check)
}

/** Without words, a list needs at least a neutral name for each question. */
function checkLabels({ texts, questions }: InstrumentFile): string[] {
  if (Object.keys(texts).length > 0) return []
  return questions.flatMap(({ label }, index) =>
    label === undefined ? [`questions[${index}].label: is missing, and there is no text either`] : [],
  )
}
