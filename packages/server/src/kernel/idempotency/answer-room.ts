import type { Database } from '../db/database.js'
import type { TenantId } from '../ids.js'
import type { TenantScope } from '../tenant.js'
import { sumKeptBytes } from './kept-answers.sql.js'

/** A day of a call every second, each with an answer of ten kilobytes; whoever has more repeats everything, or fills the disk. */
const usualBytesMax = 1_000_000_000

/** What other processes keep meanwhile is some thousands of answers. */
const countedEveryMs = 60_000

/** Counting goes through all that is kept: however long it takes, it is a hundredth of the time. */
const restPerCount = 100

interface Count {
  /** What was there when it was counted, and what this process has kept since. */
  bytes: number
  nextAtMs: number
}

/** Whether a tenant may have one more answer kept, as far as this process knows. Of every tenant that uses keys it holds two numbers. */
export class AnswerRoom {
  readonly #db: Database
  readonly #bytesMax: number
  readonly #counts = new Map<TenantId, Count>()
  readonly #counting = new Map<TenantId, Promise<void>>()

  constructor(db: Database, bytesMax = usualBytesMax) {
    this.#db = db
    this.#bytesMax = bytesMax
  }

  async hasRoom({ tenantId }: TenantScope): Promise<boolean> {
    const count = this.#counts.get(tenantId)
    if (count === undefined || performance.now() >= count.nextAtMs) await this.#countOnce(tenantId)
    return (this.#counts.get(tenantId)?.bytes ?? 0) < this.#bytesMax
  }

  add({ tenantId }: TenantScope, bytes: number): void {
    const count = this.#counts.get(tenantId)
    if (count !== undefined) count.bytes += bytes
  }

  /** Whoever comes meanwhile waits for the same one. */
  async #countOnce(tenantId: TenantId): Promise<void> {
    const begun = this.#counting.get(tenantId)
    const counting = begun ?? this.#count(tenantId).finally(() => this.#counting.delete(tenantId))
    this.#counting.set(tenantId, counting)
    return counting
  }

  async #count(tenantId: TenantId): Promise<void> {
    const begunAtMs = performance.now()
    const tenant = { tenantId }
    const [row] = await this.#db.read(tenant, sumKeptBytes(tenant))
    const nowMs = performance.now()
    const pauseMs = Math.max(countedEveryMs, restPerCount * (nowMs - begunAtMs))
    this.#counts.set(tenantId, { bytes: row?.bytes ?? 0, nextAtMs: nowMs + pauseMs })
  }
}
