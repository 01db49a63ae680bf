import { beginDownload } from '../kernel/guarded-fetch/download.js'
import { findDownload, recordDownload } from '../features/sessions/index.js'
import { requireJob } from '../jobs/enqueue-job.js'
import type { SessionJob } from '../jobs/jobs.sql.js'
import { deleteBlob, resumeBlob, type BlobGuard, type BlobWriterOptions } from '../kernel/blobs/index.js'
import type { ClientId, ClinicianId } from '../kernel/ids.js'
import type { TenantKeyRing } from '../kernel/secrets/tenant-keys.js'
import type { PipelineParts } from './pipeline-parts.js'

/** A late worker must not touch the blob that another one goes on with. */
export const guardOf =
  (job: SessionJob): BlobGuard =>
  (tx) =>
    requireJob(tx, job)

/** How a recording is written that cannot be gone on with: whoever comes next finds what was begun. */
export const rememberBegun = (
  job: SessionJob,
  ring: TenantKeyRing,
  { clientId, clinicianId }: { clientId: ClientId; clinicianId: ClinicianId },
): BlobWriterOptions => ({
  guard: guardOf(job),
  clinicianId,
  onCreate: (tx, blobId) =>
    recordDownload(tx, ring, { sessionId: job.subjectId, clientId, blobId, state: beginDownload() }),
})

/** What a worker made that was killed before it was in its place. What is not whole goes. */
export async function findWholeRecording(
  parts: PipelineParts,
  job: SessionJob,
  ring: TenantKeyRing,
): Promise<string | null> {
  const begun = (await findDownload(parts.db, ring, job.subjectId))?.blobId ?? null
  if (begun === null) return null
  const left = await resumeBlob(parts.blobs, job, begun, guardOf(job))
  if (left?.isComplete === true) return begun
  await dropBegun(parts, job, ring)
  return null
}

export async function dropBegun(parts: PipelineParts, job: SessionJob, ring: TenantKeyRing): Promise<void> {
  const begun = (await findDownload(parts.db, ring, job.subjectId))?.blobId ?? null
  if (begun !== null) await deleteBlob(parts.blobs, job, begun, 'replaced', guardOf(job))
}
