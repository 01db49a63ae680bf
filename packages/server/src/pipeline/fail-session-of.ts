import { failSession, type SessionFailure } from '../features/sessions/index.js'
import { finishJob } from '../jobs/enqueue-job.js'
import type { SessionJob } from '../jobs/jobs.sql.js'
import { openPipelineChange, type PipelineParts } from './pipeline-parts.js'

/** Ends the job together with its session, which the partner is told. */
export async function failSessionOf(
  parts: PipelineParts,
  job: SessionJob,
  failure: SessionFailure,
  status: 'done' | 'parked' = 'done',
): Promise<void> {
  const context = await openPipelineChange(parts, job)
  await parts.db.write(job, async (tx) => {
    await finishJob(tx, job, status)
    await failSession(tx, context, { sessionId: job.subjectId, failure })
  })
}
