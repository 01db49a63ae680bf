import type { FinishedSitting } from '@casenote/contract'
import type { AuditEntry } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClientId, SittingId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import {
  completeAssessments,
  dropClosedAnswers,
  scoreAnswers,
  type AnsweredAssessment,
  type Catalogue,
} from '../assessments/index.js'
import { fillForms } from './answered-form.js'
import { selectNewestAnswers } from './answers.sql.js'
import { selectOutstanding, type OutstandingRow } from './assignments.sql.js'
import { closeOpenings } from './openings.sql.js'
import { endSitting } from './sittings.sql.js'

export interface FinishContext extends Pick<AuditEntry, 'actor' | 'requestId'> {
  ring: TenantKeyRing
  catalogue: Catalogue
  publicUrl: string
  nowMs: number
}

/**
 * Ends a sitting that the caller has locked: what is answered to its end is scored, and all of it told in one event. What
 * is not stays outstanding with its answers, for the next sitting. The browsers are let out once nothing is left.
 */
export async function finishSitting(
  tx: Tx,
  context: FinishContext,
  { sittingId, clientId }: { sittingId: SittingId; clientId: ClientId },
): Promise<FinishedSitting> {
  const outstanding = await tx.run(selectOutstanding(tx.tenant, clientId))
  const results = await listComplete(tx, context, outstanding)
  if (results.length > 0) {
    const { actor, requestId, publicUrl, nowMs } = context
    await completeAssessments(tx, context, { clientId, results, publicUrl, nowMs }, { actor, requestId })
  }
  await tx.run(endSitting(tx.tenant, sittingId))
  const remaining = outstanding.length - results.length
  if (remaining === 0) await tx.run(closeOpenings(tx.tenant, clientId))
  return { remaining }
}

async function listComplete(
  tx: Tx,
  context: FinishContext,
  outstanding: readonly OutstandingRow[],
): Promise<AnsweredAssessment[]> {
  const assignmentIds = outstanding.map(({ assignmentId }) => assignmentId)
  const rows = await tx.run(selectNewestAnswers(tx.tenant, assignmentIds))
  return fillForms(context, outstanding, { rows, languages: [] }).flatMap(
    ({ assignmentId, instrument, answers: given }) => {
      const answers = dropClosedAnswers(instrument, given)
      if (!scoreAnswers(instrument, answers).isComplete) return []
      const { language } = instrument
      return [{ assignmentId, answers, ...(language === null ? {} : { language }) }]
    },
  )
}
