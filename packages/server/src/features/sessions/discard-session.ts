import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { abandonNote } from '../progress-notes/index.js'
import { applySessionAction } from './apply-session-action.js'
import { forgetEnded } from './forget-ended.js'
import { getSession } from './read-sessions.js'

/**
 * The clinician threw an unfinished recording away. The session stays as a failed one, so that its history tells what
 * happened, but no event is sent: transcription did not fail, and the partner was never told to wait for any. False: the
 * recording is complete already, or the session has ended.
 */
export async function discardSession(tx: Tx, context: ChangeContext, sessionId: SessionId): Promise<boolean> {
  if ((await applySessionAction(tx, sessionId, 'discard', 'discarded')) === null) return false
  await abandonNote(tx, context, sessionId)
  const { clientId } = await getSession(tx, sessionId)
  await forgetEnded(tx, { sessionId, clientId, isGivenUp: true })
  const { actor, requestId } = context
  await recordChange(tx, { operation: 'session.discard', actor, requestId, subjects: [sessionId, clientId] })
  return true
}
