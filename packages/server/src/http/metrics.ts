import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'

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
