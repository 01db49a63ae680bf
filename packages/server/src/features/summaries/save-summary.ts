import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type SessionId } from '../../kernel/ids.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import { getSession, isWithdrawn } from '../sessions/index.js'
import { summaryPlace } from './read-summary.js'
import { upsertSummary } from './summaries.sql.js'

/**
 * No event tells of a summary (contract part 6). Null: the session was withdrawn meanwhile, or it has a summary and that is
 * signed.
 */
export async function saveSummary(
  tx: Tx,
  { ring, actor, requestId }: ChangeContext,
  {
    sessionId,
    summary,
    madeBy,
    isSigned = false,
  }: { sessionId: SessionId; summary: string; madeBy: string; isSigned?: boolean },
): Promise<string | null> {
  if (await isWithdrawn(tx, sessionId)) return null
  const session = await getSession(tx, sessionId)
  const sealedSummary = sealJson(ring.forClient(session.clientId), summaryPlace(sessionId), summary)
  const [saved] = await tx.run(
    upsertSummary(tx.tenant, { summaryId: newId(), sessionId, sealedSummary, madeBy, staysAsItIs: isSigned }),
  )
  if (saved === undefined && isSigned) return null
  if (saved === undefined) throw new Error('a summary was not saved')
  tx.announce('casenote_sessions')
  const subjects = [saved.summaryId, sessionId, session.clientId]
  await recordChange(tx, { operation: 'summary.save', actor, requestId, subjects })
  return saved.summaryId
}
