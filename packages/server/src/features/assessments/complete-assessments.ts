import { recordChange, type AuditEntry } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId } from '../../kernel/ids.js'
import { recordEvent } from '../../kernel/outbox/index.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { completeAssignments, insertScore, type AssignmentRow } from './assessments.sql.js'
import { findInstrument } from './instruments/index.js'
import { sealResult, wordAnswers, type GivenAnswer } from './score-result.js'

/** One assignment, answered and scored. */
export interface ScoredAssessment {
  assignmentId: string
  score: number
  severity: string | null
  flags: readonly string[]
  answers: readonly GivenAnswer[]
  /** Which rules counted. */
  scorerVersion: string
}

export interface Completion {
  clientId: string
  results: readonly ScoredAssessment[]
  publicUrl: string
  nowMs: number
}

interface StoredScore {
  id: string
  assessmentId: string
}

/**
 * Closes the assignments, stores their scores and tells of them in one event: all of it or none. 409 if one of them is
 * not outstanding (any more), so that the same page sent twice counts once.
 */
export async function completeAssessments(
  tx: Tx,
  ring: TenantKeyRing,
  { clientId, results, publicUrl, nowMs }: Completion,
  audit: Pick<AuditEntry, 'actor' | 'requestId'>,
): Promise<StoredScore[]> {
  const completedAt = new Date(nowMs)
  const assessments = await closeAssignments(tx, { clientId, results, completedAt })
  const scores: StoredScore[] = []
  for (const result of results) {
    const assessmentId = assessments.get(result.assignmentId) ?? ''
    const id = await storeScore(tx, ring, { clientId, assessmentId, result, completedAt })
    scores.push({ id, assessmentId })
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

/** Gives each assignment's assessment. */
async function closeAssignments(
  tx: Tx,
  { clientId, results, completedAt }: Pick<Completion, 'clientId' | 'results'> & { completedAt: Date },
): Promise<Map<string, string>> {
  if (results.length === 0) throw new Error('nothing to complete')
  const assignmentIds = results.map(({ assignmentId }) => assignmentId)
  const closed = await tx.run<AssignmentRow>(
    completeAssignments(tx.tenant, clientId, assignmentIds, completedAt),
  )
  if (closed.length !== results.length) throw refuse.conflict('Assessment is not outstanding')
  return new Map(closed.map(({ assignmentId, assessmentId }) => [assignmentId, assessmentId]))
}

async function storeScore(
  tx: Tx,
  ring: TenantKeyRing,
  of: { clientId: string; assessmentId: string; result: ScoredAssessment; completedAt: Date },
): Promise<string> {
  const { clientId, assessmentId, result, completedAt } = of
  const instrument = findInstrument(assessmentId)
  if (instrument === null) throw new Error(`there is no instrument ${assessmentId}`)
  const { assignmentId, score, severity, flags, scorerVersion } = result
  const scoreId = newId()
  const answers = wordAnswers(instrument, result.answers)
  const sealedResult = sealResult(ring, scoreId, { score, severity, flags: [...flags], answers })
  const instrumentVersion = instrument.version
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
  return scoreId
}
