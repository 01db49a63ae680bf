import { BlobStoreFault, QuotaExceeded } from '../kernel/blobs/index.js'
import type { Database } from '../kernel/db/database.js'
import { isDatabaseUnavailable } from '../kernel/db/db-errors.js'
import type { Log } from '../kernel/log.js'
import { postponeForOutage, type Job } from './jobs.sql.js'

/** Who waits for a note waits an hour for it, as for a file server. */
export const usualPatienceMs = 3_600_000
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

/** The blob store or the database that is away, full or overloaded, or a quota. Null: another fault. */
export function findOutage(error: unknown): Outage | null {
  const isOurs =
    error instanceof BlobStoreFault || error instanceof QuotaExceeded || isDatabaseUnavailable(error)
  return isOurs ? { error, retryAfterMs: null } : null
}

/**
 * Gives the job back until what it needs may be there again: it takes no place meanwhile. False: it has waited its time, and
 * from there on a fault costs an attempt as any other (of a database that is away, from its sixth time in a row). A long
 * recording that has gone on since waits anew (`requireAdvancedJob`).
 */
export async function waitForOutage(
  { db, log }: { db: Database; log: Log },
  job: Job,
  { error, retryAfterMs }: Outage,
  totalMs = usualPatienceMs,
): Promise<boolean> {
  const statement = postponeForOutage(job, retryAfterMs ?? 0, { firstMs, mostMs, totalMs })
  const [row] = await db.write(job, (tx) => tx.run(statement))
  if (row === undefined) return false
  const { jobId, kind, subjectId } = job
  log.warn(
    { jobId, kind, subjectId, waitMs: row.waitMs, err: error },
    'what the job needs is away; it is tried again later',
  )
  return true
}
