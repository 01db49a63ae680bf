import type { Database } from '../db/database.js'
import type { PassOptions } from '../try-each.js'
import { purgeKeptAnswers } from './kept-answers.sql.js'

/** A second or so each. */
const usualBatch = 10_000

/** A million answers: what a day's quota of a large partner comes to. The rest is the next run's. */
const batchesMost = 100

/** Removes the answers that are older than their day, a transaction for each batch; says how many. */
export async function purgeOldAnswers(
  db: Database,
  { batch = usualBatch, signal }: PassOptions & { batch?: number } = {},
): Promise<number> {
  let purged = 0
  for (let batches = 0; batches < batchesMost; batches += 1) {
    if (signal?.aborted === true) break
    const [row] = await db.throughDoor(purgeKeptAnswers(batch))
    const removed = row?.purged ?? 0
    purged += removed
    if (removed < batch) break
  }
  return purged
}
