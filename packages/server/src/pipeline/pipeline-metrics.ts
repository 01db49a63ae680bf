import { Counter, Gauge, Histogram } from 'prom-client'
import { countSeldom, metrics } from '../http/metrics.js'
import type { ClaimEnd } from '../jobs/job-runner.js'
import { describeJobQueue, JOB_KINDS, JOB_STATES, type Job } from '../jobs/jobs.sql.js'
import { describeUsage } from '../kernel/blobs/index.js'
import type { Database } from '../kernel/db/database.js'
import type { Log } from '../kernel/log.js'

const ends = new Counter({
  name: 'casenote_job_claims_total',
  help: 'Claims of jobs that ended here, by kind and how',
  labelNames: ['kind', 'end'] as const,
  registers: [metrics],
})

const durations = new Histogram({
  name: 'casenote_job_claim_duration_seconds',
  help: 'From the claim of a job to its end or failure',
  labelNames: ['kind'] as const,
  // From a magic edit to three hours of sound on a slow machine.
  buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 10_800],
  registers: [metrics],
})

export function observeClaim({ kind }: Job, end: ClaimEnd, elapsedMs: number): void {
  ends.inc({ kind, end })
  durations.observe({ kind }, elapsedMs / 1000)
}

/** How the gauges are counted, once a worker runs. */
let recount = async (): Promise<void> => {}

const jobs = new Gauge({
  name: 'casenote_jobs',
  help: 'Jobs that wait or run, by kind and state',
  labelNames: ['kind', 'state'] as const,
  registers: [metrics],
  collect: () => recount(),
})

const oldest = new Gauge({
  name: 'casenote_job_oldest_due_seconds',
  help: 'How long the oldest job of a kind is due',
  labelNames: ['kind'] as const,
  registers: [metrics],
  collect: () => recount(),
})

const storedBytes = new Gauge({
  name: 'casenote_stored_bytes',
  help: 'Bytes of recordings that are kept, of all partners',
  registers: [metrics],
  collect: () => recount(),
})

const openUploads = new Gauge({
  name: 'casenote_open_uploads',
  help: 'Uploads of recordings that were begun and not ended, of all partners',
  registers: [metrics],
  collect: () => recount(),
})

/** Gauges of all tenants: jobs, stored bytes, open uploads. Every worker shows the same. */
export function observeShared({ db, log }: { db: Database; log: Log }): void {
  recount = countSeldom(log, () => countShared(db))
}

async function countShared(db: Database): Promise<void> {
  const [usage] = await db.throughDoor(describeUsage())
  storedBytes.set(usage?.storedBytes ?? 0)
  openUploads.set(usage?.openUploads ?? 0)
  const rows = await db.throughDoor(describeJobQueue())
  for (const kind of JOB_KINDS) {
    const ofKind = rows.filter((row) => row.kind === kind)
    for (const state of JOB_STATES)
      jobs.set({ kind, state }, ofKind.find((row) => row.state === state)?.jobs ?? 0)
    oldest.set({ kind }, Math.max(0, ...ofKind.map(({ oldestDueMs }) => oldestDueMs ?? 0)) / 1000)
  }
}
