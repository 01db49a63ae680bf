const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Ruling 8: after the first attempt nine more, 75 h 35 min 5 s in all. */
export const RETRY_DELAYS_MS = [
  5_000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const

/** Only ever later than the table, so that a burst that failed together does not come back together. */
const jitterMost = 0.1

/** What a receiver may ask for at the most: the longest step of the schedule. */
const retryAfterMaxMs = 24 * hourMs

/**
 * How long after the attempt at `step` the next one is due. Null: that was the last. `random` is from 0 to 1.
 * Retry-After makes it later, never earlier.
 */
export function retryDelayMs(step: number, retryAfterMs: number | null, random: number): number | null {
  const delayMs = RETRY_DELAYS_MS[step]
  if (delayMs === undefined) return null
  return Math.max(delayMs * (1 + jitterMost * random), Math.min(retryAfterMs ?? 0, retryAfterMaxMs))
}
