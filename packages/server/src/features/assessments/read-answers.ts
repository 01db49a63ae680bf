import type { WidgetAnswers } from '@casenote/contract'
import type { ClientId, ScoreId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { findScore, type ScoreParts } from './read-scores.js'
import { pointsOf } from './scoring/measure.js'
import { nameSeverity } from './scoring/name-severity.js'
import { needsCrisisHelp } from './scoring/score-answers.js'

/** Item by item, by the version that was answered; null: it is not this client's. */
export async function readAnswers(
  parts: ScoreParts,
  tenant: TenantScope,
  { clientId, scoreId }: { clientId: ClientId; scoreId: ScoreId },
): Promise<WidgetAnswers | null> {
  const found = await findScore(parts, tenant, scoreId)
  if (found === null || found.clientId !== clientId) return null
  const catalogue = await parts.instruments.get()
  const version = found.assessmentVersion
  const instrument = catalogue.find(found.assessmentId, { version })
  const questions = new Map(instrument?.questions.map((question) => [question.key, question]))
  return {
    scoreId,
    name: instrument?.name ?? found.assessmentId,
    score: found.score,
    severityName: nameSeverity(instrument, found.severity),
    completedAt: found.completedAt,
    language: found.language,
    answers: found.answers.map((answer) => {
      const { questionKey: key, questionDisplay, answerValue, answerDisplay } = answer
      const question = questions.get(key)
      const counts = question?.isScored === true
      return {
        key,
        question: questionDisplay,
        answer: answerDisplay,
        points: counts ? pointsOf(question, answerValue) : null,
        isFlagged: instrument !== null && needsCrisisHelp(instrument, [answer]),
      }
    }),
  }
}
