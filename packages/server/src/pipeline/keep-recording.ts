import { receiveRecording } from '../features/sessions/index.js'
import { finishJob, JobLost } from '../jobs/enqueue-job.js'
import type { Job } from '../jobs/jobs.sql.js'
import { deleteBlob } from '../kernel/blobs/index.js'
import type { PipelineParts } from './pipeline-parts.js'

/**
 * Ends the job with the recording in its place. The bytes that a claim made and lost are of no use to anyone; after any
 * other fault they may be: the commit may stand.
 */
export async function keepRecording(
  parts: PipelineParts,
  job: Job,
  { blobId, isMadeHere }: { blobId: string; isMadeHere: boolean },
): Promise<void> {
  try {
    await parts.db.write(job, async (tx) => {
      await finishJob(tx, job)
      await receiveRecording(tx, { sessionId: job.subjectId, blobId })
    })
  } catch (error) {
    if (isMadeHere && error instanceof JobLost) await deleteBlob(parts.blobs, job, blobId, 'replaced')
    throw error
  }
}
