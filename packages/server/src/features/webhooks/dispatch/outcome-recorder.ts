import type { Database } from '../../../kernel/db/database.js'
import { DatabaseFault } from '../../../kernel/db/db-errors.js'
import type { Log } from '../../../kernel/log.js'
import { disableAfterMs } from './decide-outcome.js'
import { recordOutcomes, type EndedClaim } from './dispatch.sql.js'

/** Some 1 MB of parameters at the most, and a transaction of some ten milliseconds. */
const batchMost = 500

/** What ends within this comes along: a batch costs much the same for one as for a hundred. Nobody waits for it. */
const gatherMs = 4

const retryMs = 500

/**
 * Writes outcomes down in batches: what ends while one batch is being written forms the next. An outcome is written
 * until it is: without its record a delivery that has arrived would be sent again.
 */
export class OutcomeRecorder {
  readonly #db: Database
  readonly #log: Log
  readonly #onRecorded: (ended: readonly EndedClaim[]) => void
  #queue: EndedClaim[] = []
  #writing: Promise<void> | null = null
  #isGivenUp = false

  constructor(db: Database, log: Log, onRecorded: (ended: readonly EndedClaim[]) => void) {
    this.#db = db
    this.#log = log
    this.#onRecorded = onRecorded
  }

  add(ended: EndedClaim): void {
    this.#queue.push(ended)
    this.#writing ??= this.#write().finally(() => (this.#writing = null))
  }

  /** What is not written by now is given up for good, as by a killed dispatcher: a process must not live on for it. */
  async close(): Promise<void> {
    this.#isGivenUp = true
    await this.#writing
  }

  async #write(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, gatherMs))
    let most = batchMost
    while (this.#queue.length > 0 && !this.#isGivenUp) {
      const batch = this.#queue.splice(0, most)
      most = (await this.#writeBatch(batch)) ? batchMost : 1
    }
  }

  /** False: it holds something that the database does not take, and is back in the queue to be written one by one. */
  async #writeBatch(batch: EndedClaim[]): Promise<boolean> {
    try {
      // Safe to repeat: what was written before is no longer `delivering` under its fence.
      await this.#db.throughDoor(recordOutcomes(batch, disableAfterMs))
      this.#onRecorded(batch)
      return true
    } catch (error) {
      const isRefused = error instanceof DatabaseFault && /^2[23]/.test(error.code)
      if (isRefused && batch.length === 1) {
        const [{ claim } = { claim: null }] = batch
        this.#log.error({ err: error, deliveryId: claim?.deliveryId }, 'an outcome cannot be written')
        this.#onRecorded(batch)
        return true
      }
      this.#log.warn({ err: error, count: batch.length }, 'outcomes of deliveries are written again')
      this.#queue = [...batch, ...this.#queue]
      if (!isRefused) await new Promise((resolve) => setTimeout(resolve, retryMs))
      return !isRefused
    }
  }
}
