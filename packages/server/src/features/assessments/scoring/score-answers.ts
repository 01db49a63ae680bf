import { refuse } from '../../../kernel/refuse.js'
import type { GivenAnswer, Instrument, Scoring } from '../instruments/instrument.js'
import { areMet, keysOf, measure, unknownOf, type Points } from './measure.js'
import { followCourse, type Course } from './next-questions.js'

/** Changes with the rules in this folder, not with an instrument's numbers: those have the instrument's version. */
const scorerVersion = '1'

/** On a score whose total rests on fewer answers than there are questions. */
const proratedFlag = 'prorated'
const selfHarmFlag = 'self_harm'

export interface ScoredAnswers {
  /** Null: too many answers are missing. */
  score: number | null
  subscales: { key: string; name: string; score: number }[]
  /** The band of the total in the instrument's first set. */
  severity: string | null
  /** The total in every set of bands that is published. */
  bands: { set: string; setName: string; band: string; bandName: string }[]
  criteria: { key: string; name: string; isMet: boolean }[]
  /** What needs a look whatever the total is; raised by what was answered, also before the end. */
  flags: string[]
  isComplete: boolean
  /** Keys of the questions without which there is no complete score. */
  missing: string[]
  scorerVersion: string
}

/** Refuses answers that the form does not have; an incomplete form is no error. */
export function scoreAnswers(instrument: Instrument, answers: readonly GivenAnswer[]): ScoredAnswers {
  const course = followCourse(instrument, answers)
  requireAnswersOfForm(instrument, answers, course)
  const { scoring } = instrument
  const { points } = course
  const missing = instrument.questions
    .filter(({ key, isRequired }) => isRequired && !points.has(key))
    .map(({ key }) => key)
  const isComplete = missing.length === 0
  const score = totalOf(scoring, points, missing)
  const bands = score === null ? [] : bandsOf(scoring, score)
  const flags = raiseFlags(instrument, answers)
  if (!isComplete && score !== null) flags.push(proratedFlag)
  return {
    score,
    subscales: scoring.subscales
      .filter((subscale) => unknownOf(subscale.measure, points).length === 0)
      .map(({ key, name, measure: what }) => ({ key, name, score: measure(what, points) })),
    severity: bands[0]?.band ?? null,
    bands,
    criteria: isComplete
      ? scoring.criteria.map(({ key, name, when }) => ({ key, name, isMet: areMet(when, points) }))
      : [],
    flags,
    isComplete,
    missing,
    scorerVersion,
  }
}

/** The flags that answers raise, also those that are still being given: an answer about self-harm counts when it is given. */
export function raiseFlags(instrument: Instrument, answers: readonly GivenAnswer[]): string[] {
  const { points } = followCourse(instrument, answers)
  const raised = instrument.scoring.flags.filter(({ when }) => areMet(when, points)).map(({ key }) => key)
  return needsCrisisHelp(instrument, answers) ? [selfHarmFlag, ...raised] : raised
}

export const needsCrisisHelp = (instrument: Instrument, answers: readonly GivenAnswer[]): boolean =>
  instrument.questions.some(
    ({ key, selfHarmFrom }) =>
      selfHarmFrom !== null &&
      answers.some(({ questionKey, answerValue }) => questionKey === key && answerValue >= selfHarmFrom),
  )

function totalOf(
  { total, proratedUpTo }: Scoring,
  points: Points,
  missing: readonly string[],
): number | null {
  if (missing.length === 0) return measure(total, points)
  const unknown = unknownOf(total, points)
  if (missing.length > proratedUpTo || unknown.length !== missing.length) return null
  const all = keysOf(total).length
  return Math.round((measure(total, points) * all) / (all - unknown.length))
}

const bandsOf = ({ bandSets }: Scoring, score: number): ScoredAnswers['bands'] =>
  bandSets.flatMap(({ key: set, name: setName, bands }) => {
    const band = bands.findLast(({ from }) => score >= from)
    return band === undefined ? [] : [{ set, setName, band: band.key, bandName: band.name }]
  })

/** Every offending answer is named, as partners know it from other fields (ruling 1, step 7). */
function requireAnswersOfForm(
  instrument: Instrument,
  answers: readonly GivenAnswer[],
  { shown }: Course,
): void {
  const problems: string[] = []
  const seen = new Set<string>()
  for (const { questionKey: key, answerValue } of answers) {
    const question = instrument.questions.find((one) => one.key === key)
    if (question === undefined) {
      problems.push(`answers must be to questions of ${instrument.id}`)
    } else if (seen.has(key)) {
      problems.push(`${key} must be answered once`)
    } else if (!question.options.some(({ value }) => value === answerValue)) {
      const values = question.options.map(({ value }) => value).join(', ')
      problems.push(`${key} must be one of the following values: ${values}`)
    } else if (!shown.includes(question)) {
      problems.push(`${key} must not be answered after these answers`)
    }
    seen.add(key)
  }
  if (problems.length > 0) throw refuse.invalid([...new Set(problems)])
}
