import { ServerOutage } from '../engines/engine-fault.js'
import { postponeForOutage, type Job } from '../jobs/jobs.sql.js'
import { BlobStoreFault, QuotaExceeded } from '../kernel/blobs/index.js'
import { isDatabaseUnavailable } from '../kernel/db/db-errors.js'
import type { PipelineParts, Step } from './pipeline-parts.js'

/** Who waits for a note waits an hour for it, as for a file server. */
const usualPatienceMs = 3_600_000
/** The call itself has spanned a shorter one. */
const firstMs = 5_000
/** A server that came back is found within this. */
const mostMs = 300_000

/** Something that a job needs and nobody is to blame for, the recording least of all. */
export interface Outage {
  error: unknown
  /** How long the server asked to wait, if it did. */
  retryAfterMs: number | null
}

/** An engine's server, the blob store or the database that is away, full or overloaded, or a quota. Null: another fault. */
export function findOutage(error: unknown): Outage | null {
  if (error instanceof ServerOutage) return { error, retryAfterMs: error.retryAfterMs }
  const isOurs =
    error instanceof BlobStoreFault || error instanceof QuotaExceeded || isDatabaseUnavailable(error)
  return isOurs ? { error, retryAfterMs: null } : null
}

/**
 * Gives the job back until the server may be there again: it holds no place meanwhile. False: it has waited its time, and
 * from there on a fault costs an attempt as any other (of a database that is away, from its sixth time in a row). A long
 * recording that has gone on since waits anew (`requireAdvancedJob`).
 */
export async function waitForServer<Claimed extends Job>(
  parts: PipelineParts,
  job: Claimed,
  step: Step<Claimed>,
  outage: Outage,
): Promise<boolean> {
  const totalMs = (await step.findPatienceMs?.(parts, job)) ?? usualPatienceMs
  const statement = postponeForOutage(job, outage.retryAfterMs ?? 0, { firstMs, mostMs, totalMs })
  const [row] = await parts.db.write(job, (tx) => tx.run(statement))
  if (row === undefined) return false
  const { jobId, kind, subjectId } = job
  parts.log.warn(
    { jobId, kind, subjectId, waitMs: row.waitMs, err: outage.error },
    'what the job needs is away; it is tried again later',
  )
  return true
}
