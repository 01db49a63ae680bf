import { markCut } from '../features/session-gaps/index.js'
import { receiveRecording } from '../features/sessions/index.js'
import { dropWaitingJob, finishJob } from '../jobs/enqueue-job.js'
import type { Job } from '../jobs/jobs.sql.js'
import { deleteBlob, intendDeletion } from '../kernel/blobs/index.js'
import type { Tx } from '../kernel/db/database.js'
import type { PipelineParts } from './pipeline-parts.js'

interface KeptRecording {
  blobId: string
  spoken?: readonly { blobId: string }[]
  /** Asked in the transaction that keeps it. */
  mayKeep?: (tx: Tx) => Promise<boolean>
}

/**
 * Ends the job with the recording in its place. Whoever took the job over meanwhile goes on with this very blob. `spoken`: in which still
 * lies what is off the record. False: it may not be kept any more, and nothing has changed.
 */
export async function keepRecording(
  parts: PipelineParts,
  job: Job,
  { blobId, spoken = [], mayKeep }: KeptRecording,
): Promise<boolean> {
  const cut = await parts.db.write(job, async (tx) => {
    if ((await mayKeep?.(tx)) === false) return null
    await finishJob(tx, job)
    await dropWaitingJob(tx, 'hear_download', job.subjectId)
    // Withdrawn meanwhile: all of it is another session's, which cuts it.
    if (!(await receiveRecording(tx, { sessionId: job.subjectId, blobId })) || spoken.length === 0) return []
    await tx.run(markCut(tx.tenant, job.subjectId))
    for (const one of spoken) await intendDeletion(tx, one.blobId, 'requested')
    return spoken
  })
  if (cut === null) return false
  // At once; what a kill leaves here goes with the next purge.
  for (const one of cut) await deleteBlob(parts.blobs, job, one.blobId, 'requested')
  return true
}
