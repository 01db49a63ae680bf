import type { ClipResult } from '../../engines/speech/chunk-result.js'
import type { Database } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { unsealJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { chunkPlace } from './make-checkpoints.js'
import { selectChunksFrom } from './transcripts.sql.js'

/** What was heard so far of a recording, from one of its chunks on, by chunk without a gap. */
export async function readHeardChunks(
  db: Database,
  ring: TenantKeyRing,
  wanted: { sessionId: SessionId; from: number; most: number },
): Promise<(readonly ClipResult[])[]> {
  const rows = await db.read(ring, selectChunksFrom(ring, wanted))
  return rows
    .filter(({ chunk }, position) => chunk === wanted.from + position)
    .map(({ chunk, sealedChunk }) => unsealJson(ring, chunkPlace(wanted.sessionId, chunk), sealedChunk).clips)
}
