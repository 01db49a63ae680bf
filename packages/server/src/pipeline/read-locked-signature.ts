import { isNoteSigned } from '../features/progress-notes/index.js'
import { lockSession } from '../features/sessions/index.js'
import type { Tx } from '../kernel/db/database.js'
import type { SessionId } from '../kernel/ids.js'

/**
 * Whether the session's note is signed when something is kept beside it: that was signed with the note, and stays. First in the
 * transaction: the session before its note, as whoever withdraws both, and the note before the job, as whoever judges it again.
 * The session for the change that follows: who holds it to read only, and wants the note, has to be waited for before that.
 */
export async function readLockedSignature(tx: Tx, sessionId: SessionId): Promise<boolean> {
  await tx.run(lockSession(tx.tenant, sessionId))
  return isNoteSigned(tx, sessionId)
}
