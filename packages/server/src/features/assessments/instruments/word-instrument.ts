import { keysOf } from '../scoring/measure.js'
import type { InstrumentFile, InstrumentTexts } from './instrument-file.js'
import type { AnswerOption, Instrument, Question, Scoring } from './instrument.js'

/** The instrument in a language that it has; null: without words. */
export function wordInstrument(file: InstrumentFile, language: string | null): Instrument {
  const texts = language === null ? null : (file.texts[language] ?? null)
  const { id, version, name, description, recall, rights, loinc } = file
  return {
    id,
    version,
    name,
    description,
    recall,
    rights: { ...rights, attribution: texts?.attribution ?? rights.attribution },
    loinc,
    language: texts === null ? null : language,
    languages: Object.keys(file.texts),
    intro: texts?.intro ?? null,
    questions: file.questions.map((question) => wordQuestion(file, question, texts, language)),
    scoring: completeScoring(file.scoring),
  }
}

function wordQuestion(
  file: InstrumentFile,
  question: InstrumentFile['questions'][number],
  texts: InstrumentTexts | null,
  language: string | null,
): Question {
  const { key, label = null, answers, hasLeadIn = true, isReversed = false } = question
  const scored = keysOf(file.scoring.total)
  const isScored = scored.includes(key)
  return {
    key,
    label,
    leadIn: hasLeadIn ? (texts?.leadIn ?? null) : null,
    text: texts?.questions[key] ?? label ?? key,
    help: texts?.help?.[key] ?? question.help?.[language ?? ''] ?? null,
    options: wordOptions(file.answerSets[answers] ?? [], texts?.answers[answers]),
    isScored,
    isRequired: isScored || isGateOf(file, key, scored),
    isReversed,
    onlyIf: question.onlyIf ?? [],
    pointsIfSkipped: question.pointsIfSkipped ?? 0,
    selfHarmFrom: question.selfHarmFrom ?? null,
    selfHarmAsks: question.selfHarmAsks ?? null,
    loinc: question.loinc ?? null,
  }
}

const wordOptions = (values: readonly number[], words: Record<string, string> | undefined): AnswerOption[] =>
  values.map((value) => ({ value, text: words?.[String(value)] ?? null }))

/** A gate of a gate is one as well: the file's order has no circles, so this ends. */
function isGateOf(file: InstrumentFile, key: string, scored: readonly string[]): boolean {
  return file.questions.some(
    (later) =>
      (later.onlyIf ?? []).some((condition) => keysOf(condition).includes(key)) &&
      (scored.includes(later.key) || isGateOf(file, later.key, scored)),
  )
}

const completeScoring = (scoring: InstrumentFile['scoring']): Scoring => ({
  total: scoring.total,
  betterWhen: scoring.betterWhen,
  subscales: scoring.subscales ?? [],
  bandSets: scoring.bandSets,
  criteria: scoring.criteria ?? [],
  flags: scoring.flags ?? [],
  proratedUpTo: scoring.missing?.proratedUpTo ?? 0,
  change: scoring.change ?? null,
})
