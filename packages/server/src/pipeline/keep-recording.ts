import type { Stretch } from '../engines/speech/audio/silence-stretches.js'
import { dropSpoken, placeGap } from '../features/session-gaps/index.js'
import { receiveRecording } from '../features/sessions/index.js'
import { dropWaitingJob, finishJob } from '../jobs/enqueue-job.js'
import type { SessionJob } from '../jobs/jobs.sql.js'
import { deleteBlob } from '../kernel/blobs/index.js'
import type { Tx } from '../kernel/db/database.js'
import type { BlobId, ClientId, GapId } from '../kernel/ids.js'
import type { PipelineParts } from './pipeline-parts.js'

interface KeptRecording {
  blobId: BlobId
  /** The recording that it was made of, in which still lies what is off the record, and where that lies in it. */
  spoken?: {
    clientId: ClientId
    segments: readonly { blobId: BlobId }[]
    placed: readonly { of: { gapId: GapId }; placed: Stretch }[]
  } | null
  /** Asked in the transaction that keeps it. */
  mayKeep?: (tx: Tx) => Promise<boolean>
}

/**
 * Ends the job with the recording in its place. Whoever took the job over meanwhile goes on with this very blob. False: it may not be kept
 * any more, and nothing has changed.
 */
export async function keepRecording(
  parts: PipelineParts,
  job: SessionJob,
  { blobId, spoken = null, mayKeep }: KeptRecording,
): Promise<boolean> {
  const sessionId = job.subjectId
  const cut = await parts.db.write(job, async (tx) => {
    if ((await mayKeep?.(tx)) === false) return null
    await finishJob(tx, job)
    await dropWaitingJob(tx, 'hear_download', sessionId)
    // Withdrawn meanwhile: all of it is another session's, which cuts it.
    if (!(await receiveRecording(tx, { sessionId, blobId })) || spoken === null) return []
    for (const { of, placed } of spoken.placed) {
      const [startMs, endMs] = [Math.round(placed.start * 1_000), Math.round(placed.end * 1_000)]
      await tx.run(placeGap(tx.tenant, sessionId, { gapId: of.gapId, startMs, endMs }))
    }
    return dropSpoken(tx, { sessionId, ...spoken })
  })
  if (cut === null) return false
  // At once; what a kill leaves here goes with the next purge.
  for (const one of cut) await deleteBlob(parts.blobs, job, one.blobId, 'requested')
  return true
}
