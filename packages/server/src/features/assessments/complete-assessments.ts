import { recordChange, type AuditEntry } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type AssessmentId, type AssignmentId, type ClientId, type ScoreId } from '../../kernel/ids.js'
import { recordEvent } from '../../kernel/outbox/index.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { insertScore } from './assessments.sql.js'
import { completeAssignments, type AssignmentRow } from './assignments.sql.js'
import type { Catalogue } from './instruments/index.js'
import { sealResult, wordAnswers, type ReadAnswer } from './score-result.js'
import { scoreAnswers } from './scoring/score-answers.js'

/** One assignment, answered to its end. */
export interface AnsweredAssessment {
  assignmentId: AssignmentId
  answers: readonly ReadAnswer[]
  /** The language of the form that the client read last; absent: the instrument's first. */
  language?: string | null
}

export interface Completion {
  clientId: ClientId
  results: readonly AnsweredAssessment[]
  publicUrl: string
  nowMs: number
}

interface StoredScore {
  id: ScoreId
  assessmentId: AssessmentId
}

/**
 * Closes the assignments, scores them and tells of them in one event: all of it or none. 409 if one of them is not
 * outstanding (any more), so that the same page sent twice counts once; 400 for answers that do not fit or do not suffice.
 */
export async function completeAssessments(
  tx: Tx,
  parts: { ring: TenantKeyRing; catalogue: Catalogue },
  { clientId, results, publicUrl, nowMs }: Completion,
  audit: Pick<AuditEntry, 'actor' | 'requestId'>,
): Promise<StoredScore[]> {
  const completedAt = new Date(nowMs)
  const assignments = await closeAssignments(tx, { clientId, results, completedAt })
  const scores: StoredScore[] = []
  for (const result of results) {
    const assignment = assignments.get(result.assignmentId)
    if (assignment === undefined)
      throw refuse.conflict('assessment_not_outstanding', 'Assessment is not outstanding')
    scores.push(await storeScore(tx, parts, { clientId, assignment, result, completedAt }))
  }
  await recordEvent(tx, {
    eventType: 'assessment_completed',
    payload: {
      patientId: clientId,
      assessmentScores: scores.map(({ id, assessmentId }) => ({
        id,
        assessmentId,
        assessmentScoreUrl: `${publicUrl}/v2/assessment-scores/${id}`,
      })),
    },
    nowMs,
  })
  const subjects = [clientId, ...scores.map(({ id }) => id)]
  await recordChange(tx, { ...audit, operation: 'assessment.complete', subjects })
  return scores
}

async function closeAssignments(
  tx: Tx,
  { clientId, results, completedAt }: Pick<Completion, 'clientId' | 'results'> & { completedAt: Date },
): Promise<Map<AssignmentId, AssignmentRow>> {
  if (results.length === 0) throw new Error('nothing to complete')
  const assignmentIds = results.map(({ assignmentId }) => assignmentId)
  const closed = await tx.run(completeAssignments(tx.tenant, clientId, assignmentIds, completedAt))
  if (closed.length !== results.length)
    throw refuse.conflict('assessment_not_outstanding', 'Assessment is not outstanding')
  return new Map(closed.map((assignment) => [assignment.assignmentId, assignment]))
}

/** Scores an assessment by the version that the client was given, whatever is offered by now, and stores it. */
async function storeScore(
  tx: Tx,
  { ring, catalogue }: { ring: TenantKeyRing; catalogue: Catalogue },
  of: { clientId: ClientId; assignment: AssignmentRow; result: AnsweredAssessment; completedAt: Date },
): Promise<StoredScore> {
  const { clientId, assignment, result, completedAt } = of
  const { assignmentId, assessmentId, instrumentVersion } = assignment
  const findForm = (language: string | null) =>
    catalogue.find(assessmentId, { version: instrumentVersion, language })
  const instrument = findForm(result.language ?? null)
  if (instrument === null) throw new Error(`there is no instrument ${assessmentId} of ${instrumentVersion}`)
  const { score, severity, flags, subscales, bands, criteria, missing, scorerVersion } = scoreAnswers(
    instrument,
    result.answers,
  )
  if (score === null) throw refuse.invalid(missing.map((key) => `${key} should not be empty`))
  const scoreId = newId()
  const sealedResult = sealResult(ring.forClient(clientId), scoreId, {
    score,
    severity,
    flags,
    subscales,
    bands,
    criteria,
    answers: wordAnswers(instrument, result.answers, findForm),
    language: instrument.language,
  })
  await tx.run(
    insertScore(tx.tenant, {
      scoreId,
      clientId,
      assignmentId,
      assessmentId,
      instrumentVersion,
      scorerVersion,
      sealedResult,
      completedAt,
    }),
  )
  return { id: scoreId, assessmentId }
}
