import type { ConsoleLate, ConsoleQueue } from '@casenote/contract'

const minuteMs = 60_000

/** Hearing a whole recording takes as long as it takes, and others wait for it. */
const slowKinds: ReadonlySet<string> = new Set(['transcribe', 'finish_live'])

/** Those that find no place wait by design, and are heard when they are complete. */
const patientKinds: ReadonlySet<string> = new Set(['hear_live', 'hear_download'])

/** As the alert rules: CasenoteJobsLate, CasenoteTranscribingLate, CasenoteWebhooksLate. A test compares them. */
const jobsLateMs = 5 * minuteMs
const slowLateMs = 30 * minuteMs
const webhooksLateMs = minuteMs

interface Waiting {
  queue: readonly Pick<ConsoleQueue, 'kind' | 'oldestDueMs'>[]
  deliveries: { oldestDueMs: number }
}

/** What could be done and waits for longer than it should, the longest first. */
export function listLate({ queue, deliveries }: Waiting): ConsoleLate[] {
  const waiting = [
    ...queue.map(({ kind, oldestDueMs }) => ({ kind, oldestDueMs: oldestDueMs ?? 0 })),
    { kind: 'webhooks', oldestDueMs: deliveries.oldestDueMs },
  ]
  return waiting
    .filter(({ kind, oldestDueMs }) => oldestDueMs > lateAfterMs(kind))
    .toSorted((a, b) => b.oldestDueMs - a.oldestDueMs)
}

export function lateAfterMs(kind: string): number {
  if (patientKinds.has(kind)) return Infinity
  if (kind === 'webhooks') return webhooksLateMs
  return slowKinds.has(kind) ? slowLateMs : jobsLateMs
}
