import { selectTenant, type TenantRow } from '../features/partners/index.js'
import { findSession, readFileUrl, receiveRecording } from '../features/sessions/index.js'
import { finishJob, JobLost } from '../jobs/enqueue-job.js'
import type { Job } from '../jobs/jobs.sql.js'
import { deleteBlob, makeBlobWriter } from '../kernel/blobs/index.js'
import { downloadFile } from '../kernel/guarded-fetch/download.js'
import { failSessionOf } from './fail-session-of.js'
import { openPipelineChange, type PipelineParts, type Step } from './pipeline-parts.js'

/** Brings the recording of a `fileUrl` into the blob store. */
export const fetchAudio: Step = {
  async run(parts, job, signal) {
    const session = await findSession(parts.db, job, job.subjectId)
    if (session?.status !== 'fetching') {
      await parts.db.write(job, (tx) => finishJob(tx, job))
      return
    }
    const context = await openPipelineChange(parts, job)
    const url = readFileUrl(context.ring, session)
    if (url === null) throw new Error('a session that is being fetched has no fileUrl')
    const [tenant] = (await parts.db.read(job, selectTenant(job))) as TenantRow[]
    if (tenant === undefined) throw new Error('a job has no tenant')
    const { environment } = tenant
    const writer = makeBlobWriter(parts.blobs, job, 'audio')
    const outcome = await downloadFile(url, writer, {
      dispatcher: parts.agents[environment],
      environment,
      signal,
    }).catch(async (error: unknown) => {
      await writer.abandon()
      throw error
    })
    if (!outcome.isComplete) {
      await writer.abandon()
      await failSessionOf(parts, job, `fetch_${outcome.code}`)
      return
    }
    await keep(parts, job, (await writer.finish()).blobId)
  },
  giveUp: (parts, job) => failSessionOf(parts, job, 'processing_failed', 'parked'),
}

/** The bytes of a claim that was lost are of no use to anyone. After any other fault they may be: the commit may stand. */
async function keep(parts: PipelineParts, job: Job, blobId: string): Promise<void> {
  try {
    await parts.db.write(job, async (tx) => {
      await finishJob(tx, job)
      await receiveRecording(tx, { sessionId: job.subjectId, blobId })
    })
  } catch (error) {
    if (error instanceof JobLost) await deleteBlob(parts.blobs, job, blobId, 'replaced')
    throw error
  }
}
