import { selectTenant, type TenantRow } from '../features/partners/index.js'
import { findSession, readFileUrl } from '../features/sessions/index.js'
import { finishJob } from '../jobs/enqueue-job.js'
import { makeBlobWriter } from '../kernel/blobs/index.js'
import { downloadFile } from '../kernel/guarded-fetch/download.js'
import { failSessionOf } from './fail-session-of.js'
import { keepRecording } from './keep-recording.js'
import { openPipelineChange, type Step } from './pipeline-parts.js'

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
    const { blobId } = await writer.finish()
    await keepRecording(parts, job, { blobId, isMadeHere: true })
  },
  giveUp: (parts, job) => failSessionOf(parts, job, 'processing_failed', 'parked'),
}
