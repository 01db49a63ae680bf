import type { ConsoleUsageDay } from '@casenote/contract'

interface Counts {
  requests: readonly { day: string; requests: number; errors: number; limited: number }[]
  /** `audioMs`: of what was transcribed; null: nothing was. */
  sessions: readonly { day: string; sessions: number; audioMs: number | null }[]
  deliveries: readonly { day: string; deliveries: number }[]
  /** The days on which it changed, oldest first, and the last such day before them. */
  stored: readonly { day: string; storedBytes: number }[]
  /** The first days of which all is looked at; null: so is every day. */
  knownFrom: { sessions: string | null; deliveries: string | null }
}

const dayMs = 24 * 3_600_000

/** A row for every UTC day, oldest first, also for those on which nothing happened. */
export function listUsageDays(days: number, counts: Counts, today: string): ConsoleUsageDay[] {
  const byDay = <Row extends { day: string }>(rows: readonly Row[]): Map<string, Row> =>
    new Map(rows.map((row) => [row.day, row]))
  const requests = byDay(counts.requests)
  const sessions = byDay(counts.sessions)
  const deliveries = byDay(counts.deliveries)
  const { knownFrom } = counts
  const isKnown = (from: string | null, day: string): boolean => from === null || day >= from
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(Date.parse(today) - (days - 1 - index) * dayMs).toISOString().slice(0, 10)
    return {
      day,
      requests: requests.get(day)?.requests ?? 0,
      errors: requests.get(day)?.errors ?? 0,
      limited: requests.get(day)?.limited ?? 0,
      sessions: isKnown(knownFrom.sessions, day) ? (sessions.get(day)?.sessions ?? 0) : null,
      audioMinutes: isKnown(knownFrom.sessions, day)
        ? Math.round((sessions.get(day)?.audioMs ?? 0) / 60_000)
        : null,
      deliveries: isKnown(knownFrom.deliveries, day) ? (deliveries.get(day)?.deliveries ?? 0) : null,
      storedBytes: counts.stored.findLast((row) => row.day <= day)?.storedBytes ?? null,
    }
  })
}
