import { finishJob, requireJob, JobLost } from '../../jobs/enqueue-job.js'
import type { JobHandlers } from '../../jobs/job-runner.js'
import type { JobOf } from '../../jobs/jobs.sql.js'
import { findOutage, waitForOutage } from '../../jobs/wait-for-outage.js'
import { recordChange } from '../../kernel/audit/index.js'
import { intendDeletion, makeBlobWriter, QuotaExceeded, requireRoom } from '../../kernel/blobs/index.js'
import type { Tx } from '../../kernel/db/database.js'
import type { BlobId, ClientId, ExportId } from '../../kernel/ids.js'
import { tolerateFailure, type Log } from '../../kernel/log.js'
import { readOwnVersion } from '../../kernel/own-files.js'
import { findClient } from '../clients/index.js'
import { beginFile, completeExport, expireOthers, failExport } from './client-exports.sql.js'
import type { ExportParts } from './export-parts.js'
import { listExportFiles } from './list-export-files.js'
import { findExport } from './read-export.js'
import { zipExport } from './zip-export.js'

/** Whoever asked for it is there to fetch it; a copy of all that is kept about somebody should not lie about. */
const keepDays = 1

export type ExportJobParts = ExportParts & { log: Log }

/**
 * A worker that is killed leaves the job to the next one, which begins anew: what was made so far goes with its first
 * byte. A blob store or a database that is away or full is waited for, as by the steps of the pipeline.
 */
export const makeExportHandlers = (parts: ExportJobParts): JobHandlers<JobOf<'export_client'>> => ({
  run: async (job, signal) => {
    try {
      await makeExport(parts, job, signal)
    } catch (error) {
      // Whoever asked for it can make room and ask again: what is full is told, and not waited for.
      if (error instanceof QuotaExceeded) {
        parts.log.warn({ exportId: job.subjectId, quota: error.told }, 'there is no room for an export')
        await fail(parts, job)
        return
      }
      const outage = signal.aborted ? null : findOutage(error)
      if (outage === null || !(await waitForOutage(parts, job, outage))) throw error
    }
  },
  giveUp: (job) => fail(parts, job),
})

async function makeExport(
  parts: ExportJobParts,
  job: JobOf<'export_client'>,
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = parts
  const row = await findExport(db, job, job.subjectId)
  const client = row?.status === 'preparing' ? await findClient(db, job, row.clientId) : null
  if (row === null || client === null) {
    await db.write(job, (tx) => finishJob(tx, job))
    return
  }
  // Its row names the file once it is ready: until then nobody could look up whose it is.
  const findOwner = (): Promise<ClientId> => Promise.resolve(client.clientId)
  const writer = makeBlobWriter({ ...parts.blobs, keepDays, findOwner }, job, 'export', {
    guard: (tx) => requireJob(tx, job),
    onCreate: (tx, blobId) => beginBlob(tx, job.subjectId, blobId),
    isForOneWriter: true,
    settle: (tx) => requireRoom(tx, { clinicianId: null }),
  })
  const about = {
    format: 1,
    clientId: client.clientId,
    product: { name: 'casenote', version: readOwnVersion() },
    startedAt: row.createdAt.toISOString(),
  }
  try {
    for await (const piece of zipExport(listExportFiles(parts, job, client), about, row.createdAt)) {
      signal.throwIfAborted()
      await writer.write(piece)
    }
    const { blobId, sizeBytes } = await writer.finish()
    await keep(parts, job, { clientId: client.clientId, blobId, sizeBytes })
  } catch (error) {
    await tolerateFailure(log, 'it goes after a day', () => writer.abandon())
    throw error
  }
}

/** In the row from the beginning: so it is sealed for its client, and found by whoever erases them. */
async function beginBlob(tx: Tx, exportId: ExportId, blobId: BlobId): Promise<void> {
  const [begun] = await tx.run(beginFile(tx.tenant, exportId, blobId))
  if (begun === undefined) throw new JobLost()
  if (begun.formerBlobId !== null) await intendDeletion(tx, begun.formerBlobId, 'replaced')
}

async function keep(
  { db }: ExportJobParts,
  job: JobOf<'export_client'>,
  file: { clientId: ClientId; blobId: BlobId; sizeBytes: number },
): Promise<void> {
  const { clientId, blobId, sizeBytes } = file
  const exportId = job.subjectId
  await db.write(job, async (tx) => {
    await finishJob(tx, job)
    const [completed] = await tx.run(completeExport(job, exportId, { blobId, sizeBytes, keepDays }))
    // Somebody ended it, whatever its job says.
    if (completed === undefined) throw new JobLost()
    const others = await tx.run(expireOthers(job, { clientId, exportId }))
    for (const other of others) await intendDeletion(tx, other.blobId, 'replaced')
    await recordChange(tx, {
      actor: { kind: 'system', id: null },
      requestId: null,
      operation: 'clientExport.complete',
      subjects: [clientId, exportId],
    })
  })
}

async function fail({ db }: ExportJobParts, job: JobOf<'export_client'>): Promise<void> {
  await db.write(job, async (tx) => {
    await finishJob(tx, job, 'parked')
    const [failed] = await tx.run(failExport(job, job.subjectId))
    if (failed?.blobId != null) await intendDeletion(tx, failed.blobId, 'replaced')
  })
}
