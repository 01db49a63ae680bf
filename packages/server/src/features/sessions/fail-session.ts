import { toSessionPayload } from '@casenote/contract'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { recordEvent } from '../../kernel/outbox/index.js'
import { abandonNote } from '../progress-notes/index.js'
import { applySessionAction } from './apply-session-action.js'
import { forgetEnded } from './forget-ended.js'
import { getSession } from './read-sessions.js'
import { describeFailure, SESSION_FAILURES, type SessionFailure } from './session-lifecycle.js'

/**
 * Final: no transcript and no note will be made. The contract's event says that transcription failed, so a session that
 * already has its transcript fails with another one, for endpoints that ask for it. False: it had completed or failed
 * before, and nothing was changed.
 */
export async function failSession(
  tx: Tx,
  context: ChangeContext,
  { sessionId, failure }: { sessionId: SessionId; failure: SessionFailure },
): Promise<boolean> {
  const fromStatus = await applySessionAction(tx, sessionId, 'fail', failure)
  if (fromStatus === null) return false
  await abandonNote(tx, context, sessionId)
  const session = await getSession(tx, sessionId)
  // A device that still has the recording sends it as another session, with its pad.
  await forgetEnded(tx, { sessionId, clientId: session.clientId, isGivenUp: failure === 'audio_missing' })
  const { actor, requestId, nowMs } = context
  const subjects = [sessionId, session.clientId]
  await recordChange(tx, { operation: 'session.fail', actor, requestId, subjects })
  const eventType = fromStatus === 'generating' ? 'session_failed' : 'session_transcript_error'
  await recordEvent(tx, {
    eventType,
    payload: {
      ...toSessionPayload(session),
      error: SESSION_FAILURES[failure],
      failure: describeFailure(failure),
    },
    onceKey: `${eventType}/${sessionId}`,
    nowMs,
  })
  return true
}
