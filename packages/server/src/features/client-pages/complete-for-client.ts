import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type AssessmentId, type AssignmentId, type ClientId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { dropClosedAnswers, scoreAnswers, selectScoreOfAssignment } from '../assessments/index.js'
import { finishSitting, type FinishContext } from './finish-sitting.js'
import { saveAnswers } from './save-answers.js'
import { lockSitting } from './sittings.sql.js'

interface Answered {
  assignment: {
    assignmentId: AssignmentId
    clientId: ClientId
    assessmentId: AssessmentId
    instrumentVersion: string
  }
  answers: readonly { questionKey: string; answerValue: number }[]
}

/**
 * What a client's page does, all at once: the answers are saved, the sitting ends, and what is complete is scored and told.
 * Only for a sandbox, in which there are no clients who could have answered otherwise. Gives the score's id.
 */
export async function completeForClient(
  tx: Tx,
  context: FinishContext,
  { assignment, answers }: Answered,
): Promise<string> {
  const { assignmentId, clientId, assessmentId, instrumentVersion } = assignment
  const { actor, requestId, nowMs } = context
  const source: ChangeSource = { actor, requestId }
  const instrument = context.catalogue.find(assessmentId, { version: instrumentVersion })
  if (instrument === null) throw new Error(`there is no instrument ${assessmentId} of ${instrumentVersion}`)
  const opening = { tenant: tx.tenant, clientId, openingId: newId(), linkHash: Buffer.alloc(0) }
  const given = answers.map(({ questionKey, answerValue: value }) => {
    const language = instrument.language ?? 'en'
    return { assignmentId, answerId: newId(), questionKey, value, language, givenAtMs: nowMs }
  })
  const { closedIds } = await saveAnswers(tx, context, opening, { answers: given, ...source })
  if (closedIds.length > 0)
    throw refuse.conflict('assessment_not_outstanding', 'Assessment is not outstanding')
  const { missing, isComplete } = scoreAnswers(instrument, dropClosedAnswers(instrument, answers))
  if (!isComplete) throw refuse.invalid(missing.map((key) => `${key} should not be empty`))
  const [sitting] = await tx.run(lockSitting(tx.tenant, clientId))
  if (sitting === undefined) throw new Error('answers were saved without a sitting')
  await finishSitting(tx, context, sitting)
  const [score] = await tx.run(selectScoreOfAssignment(tx.tenant, assignmentId))
  if (score === undefined) throw new Error('a complete assessment has no score')
  const subjects = [clientId, assignmentId, score.scoreId]
  await recordChange(tx, { ...source, operation: 'sandbox.completeAssessment', subjects })
  return score.scoreId
}
