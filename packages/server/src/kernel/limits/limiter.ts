import type { Clock } from '../clock.js'
import type { Database } from '../db/database.js'
import type { Log } from '../log.js'
import type { TenantScope } from '../tenant.js'
import { Bucket } from './bucket.js'
import { TenantShare } from './tenant-share.js'
import type { LimitVerdict, TenantLimits } from './verdict.js'

const sweepEveryMs = 500

/** Idle for 1 to 1.5 s: its tokens are of more use to the other processes. */
const giveBackAfterSweeps = 2

/** One minute. A tenant that comes back later begins anew, with one lease. */
const forgetAfterSweeps = 120

/**
 * Rate, burst and daily quota per tenant (decisions 10), counted across all processes at no round trip per
 * request: each process leases a share of the tenant's tokens ahead and spends it locally. Tokens come from
 * the database alone, so nothing is admitted twice; what a process holds, at most a 400th of the burst, is
 * lost if it is killed.
 */
export class Limiter {
  readonly #db: Database
  readonly #clock: Clock
  readonly #log: Log
  readonly #shares = new Map<string, TenantShare>()
  #timer: NodeJS.Timeout | null = null
  #sweeping: Promise<void> | null = null
  #isStopped = false

  constructor({ db, clock, log }: { db: Database; clock: Clock; log: Log }) {
    this.#db = db
    this.#clock = clock
    this.#log = log
  }

  /** How many tenants this process knows now. */
  get tenantCount(): number {
    return this.#shares.size
  }

  /**
   * Answers at once from the tokens at hand; waits only when a lease is needed, and then rejects if the
   * database cannot be reached. `limits` are for the headers: the lease reads the tenant's row itself.
   */
  admit(tenant: TenantScope, limits: TenantLimits): LimitVerdict | Promise<LimitVerdict> {
    const share = this.#shares.get(tenant.tenantId) ?? this.#openShare(tenant)
    return share.admit(limits)
  }

  /** After the last request: gives all unspent tokens back. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#stopTimer()
    await this.#sweeping
    const shares = [...this.#shares.values()]
    this.#shares.clear()
    await Promise.all(shares.map((share) => share.close()))
    for (const share of shares) {
      // A database that is away would make each one wait for its own timeout.
      if (!(await share.giveBack())) return
    }
  }

  #openShare(tenant: TenantScope): TenantShare {
    const share = new TenantShare(new Bucket(this.#db, tenant), this.#clock, this.#log)
    this.#shares.set(tenant.tenantId, share)
    if (!this.#isStopped) this.#timer ??= setInterval(() => this.#sweepOnce(), sweepEveryMs).unref()
    return share
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  #sweepOnce(): void {
    this.#sweeping ??= this.#sweep().finally(() => {
      this.#sweeping = null
    })
  }

  /**
   * One statement at a time, so that many tenants falling idle together do not take the pool from requests.
   */
  async #sweep(): Promise<void> {
    let isDatabaseThere = true
    for (const [tenantId, share] of this.#shares) {
      share.idleSweeps = share.isTouched || share.isInUse ? 0 : share.idleSweeps + 1
      share.isTouched = false
      if (share.idleSweeps >= forgetAfterSweeps) this.#shares.delete(tenantId)
      else if (share.idleSweeps >= giveBackAfterSweeps && isDatabaseThere)
        isDatabaseThere = await share.giveBack()
    }
    if (this.#shares.size === 0) this.#stopTimer()
  }
}
