import type { Dispatcher as HttpAgent } from 'undici'
import { Bell } from '../../../jobs/bell.js'
import { DutyRunner } from '../../../jobs/duties.js'
import type { Clock } from '../../../kernel/clock.js'
import { Listener } from '../../../kernel/db/announcements.js'
import type { Database } from '../../../kernel/db/database.js'
import { tolerateFailure, type Log } from '../../../kernel/log.js'
import type { Environment, TenantScope } from '../../../kernel/tenant.js'
import { decideOutcome } from './decide-outcome.js'
import {
  cancelDeliveries,
  claimDeliveries,
  fanOutEvents,
  releaseClaims,
  renewLeases,
  type ClaimedDelivery,
  type EndedClaim,
} from './dispatch.sql.js'
import { observeAttempt } from './dispatch-metrics.js'
import { OutcomeRecorder } from './outcome-recorder.js'
import { sendDelivery, type LiveAttempts } from './send-delivery.js'
import { signDelivery } from './sign-delivery.js'

export interface DispatcherParts {
  db: Database
  /** For a connection of its own, on which announcements are heard. */
  listenUrl: string
  /** A partner's secrets that are good at the moment, the newest first. */
  findSecrets: (tenant: TenantScope) => Promise<readonly string[]>
  /** Checks every connection by the rules of the environment. */
  agents: Readonly<Record<Environment, HttpAgent>>
  clock: Clock
  random: () => number
  log: Log
}

/** How long a claim holds without news: a dispatcher that dies is replaced within this and one release. */
const leaseMs = 24_000
const renewEveryMs = 6_000
const releaseEveryMs = 2_000

/** What is under way at once in one process: sockets and some kilobytes each. */
const inHandMost = 1_024

/** To one endpoint, from all dispatchers together. Failing ones get no more than it takes to see that they are back. */
const mostOfEndpoint = 32
const mostOfFailing = 2

/** Events of one tenant in one pass. */
const fannedOutMost = 500

/** Places that come free within this are filled by one claim: it costs much the same for one as for a hundred. */
const refillAfterMs = 8

/** Who waits is woken by announcements; polling is for those that were lost. */
const pollMs = 1_000

/** SIGTERM must end the process within 15 s: what has not answered by then is cut off. */
const finishWithinMs = 8_000
const recordWithinMs = 3_000

/**
 * Delivers events to endpoints. Any number of dispatchers may run: a claim has a lease and a fence, so a dispatcher
 * that dies is replaced, and one that was stopped and wakes up late changes nothing.
 */
export class WebhookDispatcher {
  readonly #parts: DispatcherParts
  readonly #recorder: OutcomeRecorder
  readonly #duties: DutyRunner
  readonly #listener: Listener
  readonly #events = new Bell()
  readonly #due = new Bell()
  /** Claimed and not recorded yet, with the moment on this process's clock. */
  readonly #inHand = new Map<ClaimedDelivery, number>()
  readonly #live: LiveAttempts = new Set()
  #loops: Promise<unknown> = Promise.resolve()
  #refill: NodeJS.Timeout | null = null
  #polled = 0
  #isStopping = false

  constructor(parts: DispatcherParts) {
    const { db, listenUrl, log } = parts
    this.#parts = parts
    this.#recorder = new OutcomeRecorder(db, log, (ended) => this.#release(ended))
    this.#duties = new DutyRunner(log)
    const onRing = (): void => {
      this.#events.ring()
      this.#due.ring()
    }
    this.#listener = new Listener({ url: listenUrl, channel: 'casenote_webhooks', onRing, log })
  }

  start(): void {
    this.#listener.start()
    this.#loops = Promise.all([
      this.#loop('fanning out', this.#events, () => this.#fanOut()),
      this.#loop('claiming', this.#due, () => this.#claim()),
    ])
    this.#duties.start([
      { name: 'webhookDelivery.renew', pauseMs: renewEveryMs, run: () => this.#renew() },
      { name: 'webhookDelivery.release', pauseMs: releaseEveryMs, run: () => this.#takeOver() },
      { name: 'webhookDelivery.cancel', pauseMs: 10_000, run: () => this.#cancel() },
    ])
  }

  isPolling(): boolean {
    return this.#polled === 2 && this.#duties.isPolling()
  }

  inHand(): number {
    return this.#inHand.size
  }

  async close(): Promise<void> {
    this.#isStopping = true
    this.#events.ring()
    this.#due.ring()
    await this.#loops
    await this.#duties.stop()
    const finishByMs = performance.now() + finishWithinMs
    while (this.#inHand.size > 0 && performance.now() < finishByMs) await this.#due.wait(refillAfterMs)
    for (const attempt of this.#live) attempt.interrupt()
    await this.#recorder.close(recordWithinMs)
    await this.#listener.close()
  }

  /** Runs `turn` until it finds nothing to do, then waits for the bell. */
  async #loop(what: string, bell: Bell, turn: () => Promise<boolean>): Promise<void> {
    let isFirst = true
    while (!this.#isStopping) {
      let hasMore = false
      await tolerateFailure(this.#parts.log, `${what} is tried again`, async () => {
        hasMore = await turn()
        if (isFirst) this.#polled += 1
        isFirst = false
      })
      if (!hasMore) await bell.wait(pollMs)
    }
  }

  async #fanOut(): Promise<boolean> {
    const count = await this.#count(fanOutEvents(fannedOutMost))
    if (count > 0) this.#due.ring()
    return count >= fannedOutMost
  }

  async #claim(): Promise<boolean> {
    const most = inHandMost - this.#inHand.size
    if (most === 0) return false
    const bounds = { most, mostOfEndpoint: shareOfEndpoint(most), mostOfFailing, leaseMs }
    const claimedAtMs = performance.now()
    const claims = await this.#parts.db.throughDoor<ClaimedDelivery & Record<string, unknown>>(
      claimDeliveries(bounds),
    )
    for (const claim of claims) {
      this.#inHand.set(claim, claimedAtMs)
      void this.#deliver(claim, claimedAtMs)
    }
    return false
  }

  async #deliver(claim: ClaimedDelivery, claimedAtMs: number): Promise<void> {
    const { clock, random, agents, findSecrets, log } = this.#parts
    try {
      const secrets = await findSecrets(claim)
      // Stopped past the lease (a suspended machine, say): by now it is another's.
      if (performance.now() - claimedAtMs > leaseMs) {
        this.#release([{ claim }])
        return
      }
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Casenote-Webhooks/1',
        ...signDelivery(claim, secrets, clock.nowMs()),
      }
      const { url, body } = claim
      const agent = agents[claim.environment]
      const result = await sendDelivery(agent, { url, body, headers }, { live: this.#live })
      observeAttempt(result, claim.waitedMs)
      this.#recorder.add({ claim, result, outcome: decideOutcome(result, claim, random()) })
    } catch (error) {
      // Not sent: the lease runs out, and it is due again.
      log.warn({ err: error, deliveryId: claim.deliveryId }, 'a delivery could not be sent')
      this.#release([{ claim }])
    }
  }

  #release(ended: readonly Pick<EndedClaim, 'claim'>[]): void {
    for (const { claim } of ended) this.#inHand.delete(claim)
    if (this.#refill !== null) return
    this.#refill = setTimeout(() => {
      this.#refill = null
      this.#due.ring()
    }, refillAfterMs)
  }

  /** What takes long, or waits to be recorded while the database is away, stays ours. */
  async #renew(): Promise<void> {
    const longAgoMs = performance.now() - renewEveryMs
    const claims = [...this.#inHand].filter(([, atMs]) => atMs < longAgoMs).map(([claim]) => claim)
    if (claims.length > 0) await this.#parts.db.throughDoor(renewLeases(claims, leaseMs))
  }

  async #takeOver(): Promise<void> {
    // After an outage our own outcomes come first: what has arrived must not be sent again.
    if (!this.#recorder.isIdle) return
    if ((await this.#count(releaseClaims(inHandMost, leaseMs))) > 0) this.#due.ring()
  }

  async #cancel(): Promise<void> {
    await this.#count(cancelDeliveries(10_000))
  }

  async #count(statement: Parameters<Database['throughDoor']>[0]): Promise<number> {
    const [row] = await this.#parts.db.throughDoor<{ count: number }>(statement)
    return row?.count ?? 0
  }
}

/** The fuller the hands, the less of them for one endpoint: many slow ones together must leave room for the others. */
function shareOfEndpoint(room: number): number {
  if (room > inHandMost / 2) return mostOfEndpoint
  return room > inHandMost / 4 ? mostOfEndpoint / 4 : 1
}
