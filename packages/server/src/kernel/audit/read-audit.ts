import type { Clock } from '../clock.js'
import type { Database } from '../db/database.js'
import { newId, type TenantId } from '../ids.js'
import type { Log } from '../log.js'
import { refuse } from '../refuse.js'
import type { TenantKeys } from '../secrets/tenant-keys.js'
import type { TenantScope } from '../tenant.js'
import { AuditAppend } from './audit-append.js'
import { startChain, type AuditChain } from './audit-chain.js'
import { writeBody, writeSubjects, type AuditEntry } from './audit-entry.js'
import { newestAuditKey, type AuditKey } from './audit-keys.js'

/** A second of reads at full speed: who would wait longer than that is better told at once. */
const queuedMax = 20_000

/** Beyond some hundred entries a batch costs the same per entry; a thousand take 30 ms. */
const batchMax = 1_000

interface Waiting {
  tenant: TenantScope
  subjects: string
  body: string
  resolve: () => void
  reject: (error: unknown) => void
}

interface ReadAuditParts {
  db: Database
  keys: TenantKeys
  clock: Clock
  log: Log
}

/**
 * Records reads before they are answered. While one batch is being written the next one gathers, so that the cost of
 * a commit is shared by all who wait for it.
 */
export class ReadAudit {
  readonly #parts: ReadAuditParts
  #writerId = newId()
  #chains = new Map<string, AuditChain>()
  #queue: Waiting[] = []
  #draining: Promise<void> | null = null
  #isStopped = false

  constructor(parts: ReadAuditParts) {
    this.#parts = parts
  }

  /** Resolves when the entry is durable. After a rejection it may be in the log or not: the answer must not go out. */
  record(tenant: TenantScope, entry: AuditEntry): Promise<void> {
    if (this.#isStopped) return Promise.reject(new Error('the audit log is closed'))
    if (this.#queue.length >= queuedMax)
      return Promise.reject(refuse.busy('busy', 'The audit log cannot keep up'))
    return new Promise((resolve, reject) => {
      const subjects = writeSubjects(entry.subjects)
      const body = writeBody(this.#parts.clock.nowMs(), entry)
      this.#queue.push({ tenant, subjects, body, resolve, reject })
      this.#draining ??= this.#drain()
    })
  }

  /** Takes no more and returns when everything taken is written. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#draining
  }

  async #drain(): Promise<void> {
    do {
      // All who were woken by the last batch, or by this turn's requests, come along with the next one.
      await nextTurn()
      const batch = this.#queue.length <= batchMax ? this.#queue : this.#queue.slice(0, batchMax)
      this.#queue = this.#queue.slice(batch.length)
      await this.#write(batch)
    } while (this.#queue.length > 0)
    this.#draining = null
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const keys = await this.#takeKeys(batch)
    const append = new AuditAppend(this.#writerId)
    try {
      for (const { tenant, subjects, body } of batch) {
        const key = keys.get(tenant.tenantId)
        if (key !== undefined) append.add(this.#chainOf(tenant.tenantId), key, subjects, body)
      }
      if (append.size > 0) await this.#parts.db.throughDoor(append.statement())
    } catch (error) {
      // Nobody knows whether it was committed. Both are sound ends of the old chains: leave them, begin new ones.
      this.#writerId = newId()
      this.#chains = new Map()
      this.#parts.log.error({ err: error, entries: append.size }, 'audit batch failed')
      for (const waiting of batch) waiting.reject(error)
      return
    }
    // Who was rejected for want of a key stays so: a promise settles once.
    for (const waiting of batch) waiting.resolve()
  }

  /** A tenant whose keys cannot be had fails its own reads, not those of others. */
  async #takeKeys(batch: readonly Waiting[]): Promise<Map<string, AuditKey>> {
    const keys = new Map<string, AuditKey>()
    const takeKey = async (tenantId: TenantId): Promise<void> => {
      try {
        keys.set(tenantId, newestAuditKey(await this.#parts.keys.get({ tenantId })))
      } catch (error) {
        this.#parts.log.error({ err: error, tenantId }, 'audit key cannot be had')
        for (const waiting of batch) if (waiting.tenant.tenantId === tenantId) waiting.reject(error)
      }
    }
    await Promise.all([...new Set(batch.map(({ tenant }) => tenant.tenantId))].map(takeKey))
    return keys
  }

  #chainOf(tenantId: TenantId): AuditChain {
    let chain = this.#chains.get(tenantId)
    if (chain === undefined) {
      chain = startChain(tenantId, this.#writerId)
      this.#chains.set(tenantId, chain)
    }
    return chain
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
