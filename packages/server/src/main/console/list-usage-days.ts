interface Counts {
  requests: readonly { day: string; requests: number; errors: number }[]
  sessions: readonly { day: string; sessions: number }[]
  deliveries: readonly { day: string; deliveries: number }[]
  /** What is stored now; of the days before nobody has written it down. */
  standing: { storedBytes: number } | undefined
}

const dayMs = 24 * 3_600_000

/** A row for every UTC day, oldest first, also for those on which nothing happened. */
export function listUsageDays(days: number, counts: Counts, nowMs = Date.now()) {
  const byDay = <Row extends { day: string }>(rows: readonly Row[]): Map<string, Row> =>
    new Map(rows.map((row) => [row.day, row]))
  const requests = byDay(counts.requests)
  const sessions = byDay(counts.sessions)
  const deliveries = byDay(counts.deliveries)
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(nowMs - (days - 1 - index) * dayMs).toISOString().slice(0, 10)
    return {
      day,
      requests: requests.get(day)?.requests ?? 0,
      errors: requests.get(day)?.errors ?? 0,
      sessions: sessions.get(day)?.sessions ?? 0,
      // The length of a recording stands in no table.
      audioMinutes: null,
      deliveries: deliveries.get(day)?.deliveries ?? 0,
      storedBytes: index === days - 1 ? (counts.standing?.storedBytes ?? null) : null,
    }
  })
}
