import type { Checkpoints, ChunkResult } from '../../engines/speech/chunk-result.js'
import type { Database } from '../../kernel/db/database.js'
import { sealJson, unsealJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectChunks, upsertChunk } from './transcripts.sql.js'

const chunkPlace = (sessionId: string, chunk: number) => ({
  table: 'transcription_chunks',
  row: `${sessionId}/${chunk}`,
  column: 'sealed_chunk',
})

/** What was heard so far, sealed like the transcript that it becomes part of. */
export const makeCheckpoints = (
  { db, keys }: { db: Database; keys: TenantKeys },
  tenant: TenantScope,
  sessionId: string,
): Checkpoints => ({
  load: async () => {
    const rows = (await db.read(tenant, selectChunks(tenant, sessionId))) as {
      chunk: number
      sealedChunk: Buffer
    }[]
    const ring = await keys.get(tenant)
    return rows.map(({ chunk, sealedChunk }) =>
      unsealJson<ChunkResult>(ring, chunkPlace(sessionId, chunk), sealedChunk),
    )
  },
  save: async (chunk) => {
    const ring = await keys.get(tenant)
    const sealedChunk = sealJson(ring, chunkPlace(sessionId, chunk.index), chunk)
    await db.writeAtOnce(tenant, upsertChunk(tenant, { sessionId, chunk: chunk.index, sealedChunk }))
  },
})
