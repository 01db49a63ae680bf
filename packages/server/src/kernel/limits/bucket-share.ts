import type { Clock } from '../clock.js'
import type { Log } from '../log.js'
import { planShare, refuseLocallyForMs, topUpThreshold } from './lease-size.js'
import type { Lease, LeaseAsk } from './lease-tokens.sql.js'
import { describeLimit, describePolicies, toWholeSeconds, type LimitField } from './rate-limit-fields.js'
import type { LimitVerdict, TenantLimits } from './verdict.js'

/**
 * Requests that wait for one lease. A process serves some 5,000 requests a second, and a lease takes 1 ms or
 * so: with more than this waiting the database stands still, and memory must not grow until it times out.
 */
const waitingMax = 5_000

/** A top-up that failed is not tried again for each of the tokens that are still at hand. */
const topUpAgainAfterMs = 1_000

interface Waiter {
  resolve(verdict: LimitVerdict): void
  reject(error: unknown): void
}

/** What the last lease found at its end. */
interface Exhaustion {
  reason: 'rate' | 'day'
  seenAtMs: number
  /** Until then the database is not asked; that more is there may take longer. */
  askAgainAtMs: number
  moreAtMs: number
}

/** Tokens in the database, which all processes take from. */
export interface Bucket {
  lease(ask: LeaseAsk): Promise<Lease>
  /** `day`: of the lease. */
  giveBack(tokens: number, day: string): Promise<void>
}

/** What this process holds of one bucket. At most one lease is under way. */
export class BucketShare {
  /** Each sweep clears it, each request sets it: cheaper than to keep the time of every request. */
  isTouched = true
  idleSweeps = 0

  readonly #bucket: Bucket
  readonly #clock: Clock
  readonly #log: Log

  #inHand = 0
  #inHandOfDay = ''
  #topUpAt = 0
  #shareMost = Number.POSITIVE_INFINITY
  #spent = 0
  #spentSinceMs = Number.NEGATIVE_INFINITY

  /** What is left of the scarcer limit, as of the last lease. */
  #left = 0
  #limitField: LimitField = describeLimit('burst', 0)
  #limits: TenantLimits | null = null
  #policies = ''

  #exhaustion: Exhaustion | null = null
  #waiting: Waiter[] = []
  #leasing: Promise<void> | null = null
  #topUpNotBeforeMs = Number.NEGATIVE_INFINITY
  #isClosed = false

  constructor(bucket: Bucket, clock: Clock, log: Log) {
    this.#bucket = bucket
    this.#clock = clock
    this.#log = log
  }

  get isInUse(): boolean {
    return this.#leasing !== null
  }

  admit(limits: TenantLimits): LimitVerdict | Promise<LimitVerdict> {
    this.isTouched = true
    if (limits !== this.#limits) {
      this.#limits = limits
      this.#policies = describePolicies(limits)
    }
    if (this.#inHand > 0) {
      const verdict = this.#spendOne()
      if (this.#inHand <= this.#topUpAt && this.#leasing === null) this.#topUp()
      return verdict
    }
    const nowMs = this.#clock.nowMs()
    const found = this.#exhaustion
    // The first comparison: a clock that was put back must not make a refusal last.
    if (found !== null && nowMs >= found.seenAtMs && nowMs < found.askAgainAtMs) {
      return this.#refuse(found.reason, found.moreAtMs - nowMs)
    }
    if (this.#waiting.length >= waitingMax) return this.#refuse('rate', 0)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#leasing ??= this.#leaseForAll()
    })
  }

  /** False: the database was not reached. The tokens are lost then, as they may have arrived all the same. */
  async giveBack(): Promise<boolean> {
    const tokens = this.#inHand
    if (tokens === 0) return true
    this.#inHand = 0
    try {
      await this.#bucket.giveBack(tokens, this.#inHandOfDay)
      return true
    } catch (error) {
      this.#log.warn({ err: error, tolerated: 'a share that is not given back is lost' }, 'tolerated failure')
      return false
    }
  }

  /** Closes the share: from now on nothing is leased ahead. */
  async close(): Promise<void> {
    this.#isClosed = true
    while (this.#leasing !== null) await this.#leasing
  }

  #topUp(): void {
    const nowMs = this.#clock.nowMs()
    if (nowMs < this.#topUpNotBeforeMs) return
    if (this.#decideShare(nowMs) > this.#inHand) this.#leasing = this.#leaseForAll()
  }

  #decideShare(nowMs: number): number {
    if (this.#isClosed) return 0
    const share = Math.min(planShare(this.#spent, nowMs - this.#spentSinceMs), this.#shareMost)
    this.#topUpAt = topUpThreshold(share)
    return share
  }

  /** Leases for all who wait. Those who come while a lease is under way wait for it; if it was not made for them, another follows. */
  async #leaseForAll(): Promise<void> {
    try {
      do await this.#leaseOnce()
      while (this.#waiting.length > 0)
    } catch (error) {
      this.#topUpNotBeforeMs = this.#clock.nowMs() + topUpAgainAfterMs
      const failed = this.#waiting
      this.#waiting = []
      for (const waiter of failed) waiter.reject(error)
      if (failed.length === 0) {
        this.#log.warn({ err: error, tolerated: 'there are tokens at hand' }, 'tolerated failure')
      }
    } finally {
      this.#leasing = null
    }
  }

  async #leaseOnce(): Promise<void> {
    const askedAtMs = this.#clock.nowMs()
    const share = this.#decideShare(askedAtMs)
    this.#spent = 0
    this.#spentSinceMs = askedAtMs
    const lease = await this.#bucket.lease({ waiting: this.#waiting.length, share, inHand: this.#inHand })
    this.#take(lease)
    const served = this.#waiting.splice(0, this.#inHand)
    for (const waiter of served) waiter.resolve(this.#spendOne())
    if (this.#exhaustion === null) return
    const { reason, seenAtMs, moreAtMs } = this.#exhaustion
    const refused = this.#waiting
    this.#waiting = []
    for (const waiter of refused) waiter.resolve(this.#refuse(reason, moreAtMs - seenAtMs))
  }

  #take(lease: Lease): void {
    // Yesterday's tokens were counted yesterday: let go, at most a 400th of the burst once a day.
    if (lease.day !== this.#inHandOfDay) this.#inHand = 0
    this.#inHandOfDay = lease.day
    this.#inHand += lease.leased
    this.#shareMost = lease.shareMost
    this.#topUpAt = Math.min(this.#topUpAt, topUpThreshold(lease.shareMost))

    const isDayScarcer = lease.dayLeft < lease.tokensLeft || lease.dayLeft === 0
    const moreInMs = isDayScarcer ? lease.dayEndsInMs : lease.nextTokenInMs
    this.#left = isDayScarcer ? lease.dayLeft : lease.tokensLeft
    this.#limitField = describeLimit(isDayScarcer ? 'day' : 'burst', moreInMs)
    this.#exhaustion =
      this.#left > 0 ? null : this.#rememberExhaustion(isDayScarcer ? 'day' : 'rate', moreInMs)
  }

  #rememberExhaustion(reason: 'rate' | 'day', moreInMs: number): Exhaustion {
    const seenAtMs = this.#clock.nowMs()
    const askAgainAtMs = seenAtMs + refuseLocallyForMs(moreInMs)
    this.#topUpNotBeforeMs = askAgainAtMs
    return { reason, seenAtMs, askAgainAtMs, moreAtMs: seenAtMs + moreInMs }
  }

  #spendOne(): LimitVerdict {
    this.#inHand -= 1
    this.#spent += 1
    const { beforeRemaining, afterRemaining } = this.#limitField
    return {
      isAdmitted: true,
      reason: null,
      retryAfterSeconds: 0,
      headers: {
        policy: this.#policies,
        limit: `${beforeRemaining}${this.#left + this.#inHand}${afterRemaining}`,
      },
    }
  }

  #refuse(reason: 'rate' | 'day', moreInMs: number): LimitVerdict {
    const { beforeRemaining, afterRemaining } = describeLimit(reason === 'day' ? 'day' : 'burst', moreInMs)
    return {
      isAdmitted: false,
      reason,
      retryAfterSeconds: toWholeSeconds(moreInMs),
      headers: { policy: this.#policies, limit: `${beforeRemaining}0${afterRemaining}` },
    }
  }
}
