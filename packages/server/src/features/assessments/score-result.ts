import type { AssessmentAnswer } from '@casenote/contract'
import type { ScoreId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { GivenAnswer, Instrument } from './instruments/index.js'
import type { ScoredAnswers } from './scoring/score-answers.js'

/** What is sealed of a score. */
export interface ScoreResult extends Pick<
  ScoredAnswers,
  'severity' | 'flags' | 'subscales' | 'bands' | 'criteria'
> {
  score: number
  answers: AssessmentAnswer[]
  /** The language of the form that was answered. */
  language: string | null
}

/** `language`: that of the words in which it was asked; absent: the instrument's. */
export type ReadAnswer = GivenAnswer & { language?: string }

const place = (scoreId: ScoreId) => ({ table: 'assessment_scores', row: scoreId, column: 'sealed_result' })

export const sealResult = (ring: TenantKeyRing, scoreId: ScoreId, result: ScoreResult): Buffer =>
  ring.seal(place(scoreId), Buffer.from(JSON.stringify(result)))

export const unsealResult = (ring: TenantKeyRing, scoreId: ScoreId, sealed: Buffer): ScoreResult =>
  JSON.parse(ring.unseal(place(scoreId), sealed).toString()) as ScoreResult

/**
 * The answers in the order of the form, each in the words that the client read for it: who switched the language midway read
 * some in the one and some in the other, which `findForm` finds. Kept with the score: a later version of the
 * instrument must not reword what somebody answered. An answer that the instrument does not know is a fault of ours.
 */
export function wordAnswers(
  instrument: Instrument,
  given: readonly ReadAnswer[],
  findForm: (language: string) => Instrument | null = () => null,
): AssessmentAnswer[] {
  const answers = new Map(given.map((answer) => [answer.questionKey, answer]))
  const worded: AssessmentAnswer[] = []
  for (const { key } of instrument.questions) {
    const answer = answers.get(key)
    if (answer === undefined) continue
    const { answerValue, language } = answer
    const form = (language === undefined ? null : findForm(language)) ?? instrument
    const question = form.questions.find((one) => one.key === key)
    const answerDisplay = question?.options.find(({ value }) => value === answerValue)?.text
    if (question === undefined || answerDisplay === undefined || answerDisplay === null) {
      throw new Error(`an answer to ${key} is none of its options`)
    }
    worded.push({ questionKey: key, questionDisplay: question.text, answerValue, answerDisplay })
  }
  if (worded.length !== given.length) throw new Error(`an answer belongs to no question of ${instrument.id}`)
  return worded
}
