import type { Dispatcher as HttpAgent } from 'undici'
import { Bell } from '../../../jobs/bell.js'
import { DutyRunner } from '../../../jobs/duties.js'
import type { Clock } from '../../../kernel/clock.js'
import { Listener } from '../../../kernel/db/announcements.js'
import type { Database, Statement } from '../../../kernel/db/database.js'
import { tolerateFailure, type Log } from '../../../kernel/log.js'
import { targetsOf, type Environment, type TenantScope } from '../../../kernel/tenant.js'
import { traced, type Span } from '../../../kernel/tracing/trace.js'
import { hasBeaten, Vital } from '../../../kernel/vital.js'
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
  isSandboxHome: () => boolean
  clock: Clock
  random: () => number
  log: Log
}

/**
 * How long a claim lasts without news. Short, for what a dead dispatcher had in hand keeps the places of its endpoints
 * meanwhile; long enough for one that gets no processor for some seconds, or what has arrived is sent again.
 */
const leaseMs = 6_000
const leaseRoundMs = 1_000
/** Most deliveries end sooner and cost no renewal. */
const renewAfterMs = 2_000
/** How long others get to renew after an outage or a sleep of more than a lease, before anything is taken from them. */
const settleMs = 2_000

/** What is under way at once in one process: sockets and some kilobytes each. */
const inHandMost = 1_024

/**
 * How many deliveries are on their way to one endpoint, from all dispatchers together. Failing ones get no more than it takes to see that
 * they are back.
 */
const mostOfEndpoint = 32
const mostOfFailing = 2

/** Events of one tenant in one pass, while a pass takes no longer than a statement may. */
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
  #fannedOutMost = fannedOutMost
  readonly #recorder: OutcomeRecorder
  readonly #duties: DutyRunner
  readonly #listener: Listener
  readonly #events = new Bell()
  readonly #due = new Bell()
  /** That events become deliveries, and deliveries are taken. */
  readonly vitals = [new Vital('webhooks'), new Vital('webhooks')] as const
  /** Claimed and not recorded yet, with the moment of the claim or its last renewal on this process's clock. */
  readonly #inHand = new Map<ClaimedDelivery, number>()
  readonly #live: LiveAttempts = new Set()
  #loops: Promise<unknown> = Promise.resolve()
  #refill: NodeJS.Timeout | null = null
  #leasesKeptAtMs = Number.NEGATIVE_INFINITY
  #inTouchSinceMs = 0
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
      this.#loop('fanning out', this.#events, this.vitals[0], () => this.#fanOut()),
      this.#loop('claiming', this.#due, this.vitals[1], () => this.#claim()),
    ])
    this.#duties.start([
      { name: 'webhookDelivery.keepLeases', pauseMs: leaseRoundMs, run: () => this.#keepLeases() },
      { name: 'webhookDelivery.cancel', pauseMs: 10_000, run: () => this.#cancel() },
    ])
  }

  /** Whether it has looked for everything once. */
  isPolling(): boolean {
    return this.vitals.every(hasBeaten) && this.#duties.isPolling()
  }

  inHand(): number {
    return this.#inHand.size
  }

  async close(): Promise<void> {
    this.#isStopping = true
    this.#events.ring()
    this.#due.ring()
    await this.#loops
    await this.#emptyHands(finishWithinMs)
    for (const attempt of this.#live) attempt.interrupt()
    await this.#emptyHands(recordWithinMs)
    await this.#recorder.close()
    // Not before: what is under way takes longer than a lease at times, and would be taken over and sent again.
    await this.#duties.stop()
    await this.#listener.close()
  }

  /** Waits until all that was claimed is recorded, so long and no longer. */
  async #emptyHands(withinMs: number): Promise<void> {
    const byMs = performance.now() + withinMs
    while (this.#inHand.size > 0 && performance.now() < byMs) await this.#due.wait(refillAfterMs)
  }

  /** Runs `turn` until it finds nothing to do, then waits for the bell. */
  async #loop(what: string, bell: Bell, vital: Vital, turn: () => Promise<boolean>): Promise<void> {
    while (!this.#isStopping) {
      let hasMore = false
      await tolerateFailure(this.#parts.log, `${what} is tried again`, async () => {
        hasMore = await turn()
        vital.succeed()
      })
      if (!hasMore) await bell.wait(pollMs)
    }
  }

  async #fanOut(): Promise<boolean> {
    const most = this.#fannedOutMost
    // One statement for all tenants, which is cut off after some seconds: what was too much is tried again with less.
    this.#fannedOutMost = Math.ceil(most / 4)
    const count = await this.#count(fanOutEvents(most))
    this.#fannedOutMost = Math.min(fannedOutMost, most * 2)
    if (count > 0) this.#due.ring()
    return count >= most
  }

  async #claim(): Promise<boolean> {
    const most = inHandMost - this.#inHand.size
    if (most === 0) return false
    const bounds = { most, mostOfEndpoint: shareOfEndpoint(most), mostOfFailing, leaseMs }
    const claimedAtMs = performance.now()
    const claims = await this.#parts.db.throughDoor(claimDeliveries(bounds))
    for (const claim of claims) {
      this.#inHand.set(claim, claimedAtMs)
      void this.#trace(claim)
    }
    return false
  }

  /** Sends a delivery within the trace of its event. Nothing of the trace is handed to the partner's server. */
  #trace(claim: ClaimedDelivery): Promise<void> {
    const { tenantId, eventId, deliveryId, endpointId, scheduleStep } = claim
    const facts = { tenantId, eventId, deliveryId, endpointId, attempt: scheduleStep }
    return traced({ name: 'webhook.deliver', kind: 'client', about: eventId, facts }, (span) =>
      this.#deliver(claim, span),
    )
  }

  async #deliver(claim: ClaimedDelivery, span: Span): Promise<void> {
    const { clock, random, agents, findSecrets, isSandboxHome, log } = this.#parts
    try {
      const secrets = await findSecrets(claim)
      // Stopped past the lease (a suspended machine, say): by now it is another's.
      if (performance.now() - (this.#inHand.get(claim) ?? 0) > leaseMs) {
        this.#release([{ claim }])
        return
      }
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Casenote-Webhooks/1',
        ...signDelivery(claim, secrets, clock.nowMs()),
      }
      const { url, body } = claim
      const agent = agents[targetsOf(claim.environment, isSandboxHome())]
      const result = await sendDelivery(agent, { url, body, headers }, { live: this.#live })
      observeAttempt(result, claim.waitedMs)
      span.add({ status: result.httpStatus ?? undefined, end: result.error ?? 'answered' })
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

  /** Ours first: one that was stopped past its leases must not take over, and send again, what it has itself in hand. */
  async #keepLeases(): Promise<void> {
    const nowMs = performance.now()
    if (nowMs - this.#leasesKeptAtMs > leaseMs) this.#inTouchSinceMs = nowMs
    await this.#renew(nowMs)
    const isSettled = nowMs - this.#inTouchSinceMs >= settleMs
    // None is asked for as well: the answer tells that the database can be reached.
    if ((await this.#count(releaseClaims(isSettled ? inHandMost : 0, leaseMs))) > 0) this.#due.ring()
    this.#leasesKeptAtMs = performance.now()
  }

  /** What takes long, or waits to be recorded while the database is away, stays ours: all of it by one statement. */
  async #renew(nowMs: number): Promise<void> {
    const claims = [...this.#inHand].filter(([, atMs]) => nowMs - atMs > renewAfterMs).map(([claim]) => claim)
    if (claims.length === 0) return
    const rows = await this.#parts.db.throughDoor(renewLeases(claims, leaseMs))
    const renewed = new Set(rows.map(({ deliveryId }) => deliveryId))
    for (const claim of claims) {
      if (renewed.has(claim.deliveryId) && this.#inHand.has(claim)) this.#inHand.set(claim, nowMs)
    }
  }

  async #cancel(): Promise<void> {
    await this.#count(cancelDeliveries(10_000))
  }

  async #count(statement: Statement<{ count: number }>): Promise<number> {
    const [row] = await this.#parts.db.throughDoor(statement)
    return row?.count ?? 0
  }
}

/** The fuller the hands, the less of them for one endpoint: many slow ones together must leave room for the others. */
function shareOfEndpoint(room: number): number {
  if (room > inHandMost / 2) return mostOfEndpoint
  return room > inHandMost / 4 ? mostOfEndpoint / 4 : 1
}
