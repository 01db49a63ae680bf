import { intendDeletion } from '../../kernel/blobs/index.js'
import type { Tx } from '../../kernel/db/database.js'
import type { BlobId, ClientId, SessionId } from '../../kernel/ids.js'
import { isUnderHold } from './is-under-hold.js'
import { markCut } from './session-gaps.sql.js'

interface Spoken {
  sessionId: SessionId
  clientId: ClientId
  segments: readonly { blobId: BlobId }[]
}

/**
 * In which still lies what was struck while it was recorded: they go with this transaction, and are given back to be removed at once. Under a
 * legal hold, which may be newer than the strike, they stay where nobody hears them, until it is lifted (decision 0049).
 */
export async function dropSpoken(
  tx: Tx,
  { sessionId, clientId, segments }: Spoken,
): Promise<Spoken['segments']> {
  if (await isUnderHold(tx, clientId)) return []
  await tx.run(markCut(tx.tenant, sessionId))
  for (const { blobId } of segments) await intendDeletion(tx, blobId, 'requested')
  return segments
}
