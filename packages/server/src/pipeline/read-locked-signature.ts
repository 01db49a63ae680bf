import { isNoteSigned } from '../features/progress-notes/index.js'
import { lockSession } from '../features/sessions/index.js'
import type { Tx } from '../kernel/db/database.js'
import type { SessionId } from '../kernel/ids.js'

/**
 * Whether the session's note is signed. A step asks before it keeps something beside the note (its summary, its MDM elements): what
 * stood there was signed with it, and stays.
 *
 * To be called first in the transaction, since it locks in the order of all others: the session before its note, as a withdrawal
 * of both does, and the note before the job, as judging it again does. The session is locked for a change at once:
 * whoever has locked it only to read it, and wants the note next, has to be waited for before the note is locked here, or each
 * would wait for the other.
 */
export async function readLockedSignature(tx: Tx, sessionId: SessionId): Promise<boolean> {
  await tx.run(lockSession(tx.tenant, sessionId))
  return isNoteSigned(tx, sessionId)
}
