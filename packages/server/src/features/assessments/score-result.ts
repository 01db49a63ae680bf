import type { AssessmentAnswer } from '@casenote/contract'
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
  /** Of the form that was answered. */
  language: string | null
}

const place = (scoreId: string) => ({ table: 'assessment_scores', row: scoreId, column: 'sealed_result' })

export const sealResult = (ring: TenantKeyRing, scoreId: string, result: ScoreResult): Buffer =>
  ring.seal(place(scoreId), Buffer.from(JSON.stringify(result)))

export const unsealResult = (ring: TenantKeyRing, scoreId: string, sealed: Buffer): ScoreResult =>
  JSON.parse(ring.unseal(place(scoreId), sealed).toString()) as ScoreResult

/**
 * The answers in the order of the form, in the words that the client read. Kept with the score: a later version of the
 * instrument must not reword what somebody answered. An answer that the instrument does not know is a fault of ours.
 */
export function wordAnswers(instrument: Instrument, given: readonly GivenAnswer[]): AssessmentAnswer[] {
  const values = new Map(given.map(({ questionKey, answerValue }) => [questionKey, answerValue]))
  const worded: AssessmentAnswer[] = []
  for (const { key, text, options } of instrument.questions) {
    const answerValue = values.get(key)
    if (answerValue === undefined) continue
    const answerDisplay = options.find(({ value }) => value === answerValue)?.text
    if (answerDisplay === undefined || answerDisplay === null) {
      throw new Error(`an answer to ${key} is none of its options`)
    }
    worded.push({ questionKey: key, questionDisplay: text, answerValue, answerDisplay })
  }
  if (worded.length !== given.length) throw new Error(`an answer belongs to no question of ${instrument.id}`)
  return worded
}
