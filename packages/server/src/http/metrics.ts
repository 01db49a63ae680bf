import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { QuotaName } from '../kernel/blobs/index.js'
import { tolerateFailure, type Log } from '../kernel/log.js'

/** One registry per process. Labels are operation names and statuses: no id, no path, nothing of a person. */
export const metrics = new Registry()
collectDefaultMetrics({ register: metrics })

const requests = new Counter({
  name: 'casenote_http_requests_total',
  help: 'Requests answered, by operation and status',
  labelNames: ['operation', 'status'] as const,
  registers: [metrics],
})

const durations = new Histogram({
  name: 'casenote_http_request_duration_seconds',
  help: 'Time from the request line to the end of the answer',
  labelNames: ['operation'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  registers: [metrics],
})

export function observeRequest(operation: string, status: number, elapsedMs: number): void {
  requests.inc({ operation, status })
  durations.observe({ operation }, elapsedMs / 1000)
}

const quotaRefusals = new Counter({
  name: 'casenote_quota_refusals_total',
  help: 'What was refused because a quota had no room, by quota',
  labelNames: ['quota'] as const,
  registers: [metrics],
})

export const observeQuotaRefusal = (quota: QuotaName): void => quotaRefusals.inc({ quota })

const slowReaders = new Counter({
  name: 'casenote_slow_readers_total',
  help: 'Answers that were broken off because they were read too slowly, by operation',
  labelNames: ['operation'] as const,
  registers: [metrics],
})

export const observeSlowReader = (operation: string): void => slowReaders.inc({ operation })

const guesses = new Counter({
  name: 'casenote_unknown_credentials_total',
  help: 'API keys and tenants that do not exist, and whether the database was asked for them',
  labelNames: ['answer'] as const,
  registers: [metrics],
})

export const observeGuess = (answer: 'looked_up' | 'not_looked_up'): void => guesses.inc({ answer })

const clockAhead = new Gauge({
  name: 'casenote_clock_ahead_seconds',
  help: "By how much this machine's clock is ahead of the database's, at the last poll; negative: behind",
  registers: [metrics],
})

export function observeClock(machineAheadMs: number): void {
  clockAhead.set(machineAheadMs / 1000)
}

/** Counting reads a whole queue; two scrapes within this share one count. */
const countedForMs = 5_000

/** For `collect` of gauges that are counted together. When counting fails, the last counts are shown. */
export function countSeldom(log: Log, count: () => Promise<void>): () => Promise<void> {
  let counting: Promise<void> = Promise.resolve()
  let countedAtMs = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - countedAtMs > countedForMs) {
      countedAtMs = performance.now()
      counting = tolerateFailure(log, 'the last counts are shown', count)
    }
    return counting
  }
}
