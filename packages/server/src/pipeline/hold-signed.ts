import { isNoteSigned } from '../features/progress-notes/index.js'
import { isWithdrawn } from '../features/sessions/index.js'
import type { Tx } from '../kernel/db/database.js'

/**
 * Whether the session's note is signed when something is kept beside it: that was signed with the note, and stays. First in the
 * transaction: the session before its note, as whoever withdraws both, and the note before the job, as whoever judges it again.
 */
export async function holdSigned(tx: Tx, sessionId: string): Promise<boolean> {
  await isWithdrawn(tx, sessionId)
  return isNoteSigned(tx, sessionId)
}
