import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Checkpoints, ChunkResult } from '../../engines/speech/chunk-result.js'
import { countAttemptsAnew, requireAdvancedJob } from '../../jobs/enqueue-job.js'
import type { Job } from '../../jobs/jobs.sql.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import type { ClientId, SessionId } from '../../kernel/ids.js'
import { sealJson, unsealJson, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import { isWithdrawn } from '../sessions/index.js'
import { selectChunks, upsertChunk } from './transcripts.sql.js'

export const chunkPlace = (sessionId: SessionId, chunk: number): JsonPlace<ChunkResult> => ({
  table: 'transcription_chunks',
  row: `${sessionId}/${chunk}`,
  column: 'sealed_chunk',
})

/** What was heard so far, sealed for the client like the transcript that it becomes part of. Saving ends with the claim of the job. */
export const makeCheckpoints = (
  { db, keys }: { db: Database; keys: TenantKeys },
  job: Job,
  { sessionId, clientId }: { sessionId: SessionId; clientId: ClientId },
  /** Whether the session is still wanted. Asked before the job is locked, where somebody who waits for the job may have locked the session. */
  isWanted?: (tx: Tx) => Promise<boolean>,
): Checkpoints => ({
  load: async () => {
    const rows = await db.read(job, selectChunks(job, sessionId))
    const ring = await keys.get(job)
    const chunks: ChunkResult[] = []
    for (const { chunk, sealedChunk } of rows) {
      // Three hours are seven megabytes: others come in between.
      await nextTurn()
      chunks.push(unsealJson(ring, chunkPlace(sessionId, chunk), sealedChunk))
    }
    return chunks
  },
  save: async (chunk) => {
    const ring = (await keys.get(job)).forClient(clientId)
    // A minute of eight channels comes to a megabyte.
    await nextTurn()
    const sealedChunk = sealJson(ring, chunkPlace(sessionId, chunk.index), chunk)
    await db.write(job, async (tx) => {
      if (isWanted !== undefined && !(await isWanted(tx))) return
      await requireAdvancedJob(tx, job)
      if (await isWithdrawn(tx, sessionId)) return
      const [kept] = await tx.run(upsertChunk(job, { sessionId, chunk: chunk.index, sealedChunk }))
      if (kept?.isNew === true) await countAttemptsAnew(tx, job)
    })
  },
})
