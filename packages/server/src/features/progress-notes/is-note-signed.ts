import type { Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { lockSignature } from './progress-notes.sql.js'

/** Whether the session's note is signed, also where it waits for a co-signature; true until the transaction ends. */
export async function isNoteSigned(tx: Tx, sessionId: SessionId): Promise<boolean> {
  const [note] = await tx.run(lockSignature(tx.tenant, sessionId))
  return note?.isSigned === true
}
