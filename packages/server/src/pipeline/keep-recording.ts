import { receiveRecording } from '../features/sessions/index.js'
import { dropWaitingJob, finishJob } from '../jobs/enqueue-job.js'
import type { Job } from '../jobs/jobs.sql.js'
import type { PipelineParts } from './pipeline-parts.js'

/** Ends the job with the recording in its place. Whoever took the job over meanwhile goes on with this very blob. */
export const keepRecording = (parts: PipelineParts, job: Job, blobId: string): Promise<void> =>
  parts.db.write(job, async (tx) => {
    await finishJob(tx, job)
    await dropWaitingJob(tx, 'hear_download', job.subjectId)
    await receiveRecording(tx, { sessionId: job.subjectId, blobId })
  })
