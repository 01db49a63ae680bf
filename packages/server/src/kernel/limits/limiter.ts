import type { Clock } from '../clock.js'
import type { Database } from '../db/database.js'
import type { ClinicianId } from '../ids.js'
import type { Log } from '../log.js'
import type { TenantScope } from '../tenant.js'
import { BucketShare, type Bucket } from './bucket-share.js'
import { ClinicianBucket, clinicianLimits } from './clinician-bucket.js'
import { TenantBucket } from './tenant-bucket.js'
import type { LimitVerdict, TenantLimits } from './verdict.js'

const sweepEveryMs = 500

/** Idle for 1 to 1.5 s: its tokens are of more use to the other processes. */
const giveBackAfterSweeps = 2

/** One minute. Who comes back later begins anew, with one lease. */
const forgetAfterSweeps = 120

/**
 * Rate, burst and daily quota per tenant (ruling 10), and a rate for each clinician in the widget, counted across
 * all processes at no round trip per request: each process leases a share of the tokens ahead and spends it locally.
 * Tokens come from the database alone, so nothing is admitted twice; what a process holds, at most a 400th of a
 * tenant's burst, is lost if it is killed. Decision 0004.
 */
export class Limiter {
  readonly #db: Database
  readonly #clock: Clock
  readonly #log: Log
  readonly #shares = new Map<string, BucketShare>()
  #timer: NodeJS.Timeout | null = null
  #sweeping: Promise<void> | null = null
  #isStopped = false

  constructor({ db, clock, log }: { db: Database; clock: Clock; log: Log }) {
    this.#db = db
    this.#clock = clock
    this.#log = log
  }

  /** How many tenants and clinicians this process knows now. */
  get shareCount(): number {
    return this.#shares.size
  }

  /**
   * Answers at once from the tokens at hand; waits only when a lease is needed, and then rejects if the
   * database cannot be reached. `limits` are for the headers: the lease reads the tenant's row itself.
   */
  admit(tenant: TenantScope, limits: TenantLimits): LimitVerdict | Promise<LimitVerdict> {
    const share = this.#shares.get(tenant.tenantId)
    return (share ?? this.#openShare(tenant.tenantId, new TenantBucket(this.#db, tenant))).admit(limits)
  }

  /** Admits a request of the widget by its clinician's rate; the tenant's limits do not count it. */
  admitClinician(tenant: TenantScope, clinicianId: ClinicianId): LimitVerdict | Promise<LimitVerdict> {
    const key = `${tenant.tenantId}/${clinicianId}`
    const share =
      this.#shares.get(key) ?? this.#openShare(key, new ClinicianBucket(this.#db, tenant, clinicianId))
    return share.admit(clinicianLimits)
  }

  /** Stops after the last request, and gives all unspent tokens back. */
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

  #openShare(key: string, bucket: Bucket): BucketShare {
    const share = new BucketShare(bucket, this.#clock, this.#log)
    this.#shares.set(key, share)
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
   * One statement at a time, so that many falling idle together do not take the pool from requests.
   */
  async #sweep(): Promise<void> {
    let isDatabaseThere = true
    for (const [key, share] of this.#shares) {
      share.idleSweeps = share.isTouched || share.isInUse ? 0 : share.idleSweeps + 1
      share.isTouched = false
      if (share.idleSweeps >= forgetAfterSweeps) this.#shares.delete(key)
      else if (share.idleSweeps >= giveBackAfterSweeps && isDatabaseThere)
        isDatabaseThere = await share.giveBack()
    }
    if (this.#shares.size === 0) this.#stopTimer()
  }
}
