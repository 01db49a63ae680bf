import type { SessionStatus } from '@casenote/contract'
import type { Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import {
  PROGRESS_AT,
  SESSION_TRANSITIONS,
  type SessionAction,
  type SessionFailure,
} from './session-lifecycle.js'
import { insertSessionHistory, updateSessionStatus } from './sessions.sql.js'

/**
 * The one way to change a session's status: compare and set, with its history row. Returns the status before. Null:
 * the session is in none that this action starts from, and nothing was changed.
 */
export async function applySessionAction(
  tx: Tx,
  sessionId: SessionId,
  action: SessionAction,
  failureCode: SessionFailure | null = null,
): Promise<SessionStatus | null> {
  const { from, to } = SESSION_TRANSITIONS[action]
  const progress = to === 'failed' ? null : PROGRESS_AT[to]
  const [changed] = await tx.run(
    updateSessionStatus(tx.tenant, sessionId, { from, to, progress, failureCode }),
  )
  if (changed === undefined) return null
  await tx.run(insertSessionHistory(tx.tenant, sessionId, { action, ...changed, toStatus: to }))
  tx.announce('casenote_sessions')
  return changed.fromStatus
}
