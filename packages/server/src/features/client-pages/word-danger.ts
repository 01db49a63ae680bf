import type { Catalogue, Instrument, Question } from '../assessments/index.js'
import type { OutstandingRow } from './assignments.sql.js'

interface WordedDanger {
  instrumentName: string
  question: string
  answer: string
  isAboutThoughts: boolean
}

/**
 * An answer from which the instrument shows crisis help, in the words that the client read, and where those are not English
 * in the form's English ones as well: whoever treats the client must understand it, and both wordings are published. Null:
 * it is no such answer.
 */
export function wordDanger(
  catalogue: Catalogue,
  { assessmentId, instrumentVersion: version }: Pick<OutstandingRow, 'assessmentId' | 'instrumentVersion'>,
  { questionKey, value, language }: { questionKey: string; value: number; language: string },
): WordedDanger | null {
  /** In the language, or as the form is worded where it has no words in it. */
  const findForm = (wanted: string) => catalogue.find(assessmentId, { version, language: wanted })
  const form = findForm(language)
  const question = findQuestion(form, questionKey)
  if (form === null || question === undefined) return null
  if (question.selfHarmFrom === null || value < question.selfHarmFrom) return null
  const english = findQuestion(findForm('en'), questionKey)
  return {
    instrumentName: form.name,
    question: inBoth(question.text, english?.text),
    isAboutThoughts: question.selfHarmAsks === 'thoughts',
    answer: inBoth(wordOption(question, value), english && wordOption(english, value)),
  }
}

const findQuestion = (form: Instrument | null, questionKey: string): Question | undefined =>
  form?.questions.find(({ key }) => key === questionKey)

const wordOption = ({ options }: Question, value: number): string =>
  options.find((option) => option.value === value)?.text ?? String(value)

const inBoth = (read: string, english: string | undefined): string =>
  english === undefined || english === read ? read : `${read} (${english})`
