import { Counter, Gauge, Histogram } from 'prom-client'
import { countSeldom, metrics } from '../../../http/metrics.js'
import type { Database } from '../../../kernel/db/database.js'
import type { Log } from '../../../kernel/log.js'
import type { AttemptResult } from './decide-outcome.js'
import { describeQueue, ENDPOINT_STATES } from './dispatch.sql.js'

const attempts = new Counter({
  name: 'casenote_webhook_attempts_total',
  help: 'Attempts to deliver, by outcome: a class of HTTP status or an error',
  labelNames: ['outcome'] as const,
  registers: [metrics],
})

const durations = new Histogram({
  name: 'casenote_webhook_attempt_duration_seconds',
  help: 'From the start of an attempt to its answer or failure',
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  registers: [metrics],
})

const delays = new Histogram({
  name: 'casenote_webhook_delay_seconds',
  help: 'From the moment when a delivery was due to its claim',
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30, 60, 300, 3600],
  registers: [metrics],
})

export function observeAttempt({ httpStatus, error, durationMs }: AttemptResult, waitedMs: number): void {
  attempts.inc({ outcome: error ?? `${Math.floor((httpStatus ?? 0) / 100)}xx` })
  durations.observe(durationMs / 1000)
  delays.observe(Math.max(0, waitedMs) / 1000)
}

/** Endpoints with the most on their way are shown one by one: an id is no name, and a hundred are readable. */
const endpointsShown = 100

/** What is counted when metrics are asked for: all tenants', seen by every dispatcher alike. */
export function observeQueue({ db, log }: { db: Database; log: Log }, inHand: () => number): void {
  const gauge = (name: string, help: string): Gauge =>
    new Gauge({ name: `casenote_webhook_${name}`, help, registers: [metrics], collect: refresh })
  const waiting = gauge('deliveries_waiting', 'Deliveries that wait for their time')
  const due = gauge('deliveries_due', 'Deliveries that are due to endpoints that take any')
  const underWay = gauge('deliveries_under_way', 'Deliveries claimed by any dispatcher')
  const mine = gauge('deliveries_in_hand', 'Deliveries claimed by this dispatcher')
  const oldest = gauge('oldest_due_seconds', 'How long the oldest delivery is due that could be sent')
  const states = new Gauge({
    name: 'casenote_webhook_endpoints',
    help: 'Endpoints by state',
    labelNames: ['state'] as const,
    registers: [metrics],
    collect: refresh,
  })
  const queues = new Gauge({
    name: 'casenote_webhook_endpoint_waiting',
    help: 'Deliveries that wait for an endpoint which is not well or has some waiting; the 100 with the most',
    labelNames: ['endpoint_id', 'state'] as const,
    registers: [metrics],
    collect: refresh,
  })
  const recount = countSeldom(log, count)

  function refresh(): Promise<void> {
    mine.set(inHand())
    return recount()
  }

  async function count(): Promise<void> {
    const rows = await db.throughDoor(describeQueue(100_000))
    const open = rows.filter(({ state }) => state === 'well' || state === 'failing')
    waiting.set(sum(rows.map((row) => row.waiting)))
    due.set(sum(open.map((row) => row.due)))
    underWay.set(sum(rows.map((row) => row.underWay)))
    oldest.set(Math.max(0, ...open.map((row) => row.oldestDueMs ?? 0)) / 1000)
    for (const state of ENDPOINT_STATES) {
      states.set({ state }, rows.filter((row) => row.state === state).length)
    }
    queues.reset()
    const notable = rows.filter((row) => row.state !== 'well' || row.waiting > 0)
    for (const row of notable.slice(0, endpointsShown)) {
      queues.set({ endpoint_id: row.endpointId, state: row.state }, row.waiting)
    }
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
