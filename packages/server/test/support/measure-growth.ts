import { expect } from 'vitest'

/** Of this process, all its threads; so what is measured must be alone in it. */
export const measureMs = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Below this the collector and the compiler are measured, not the work; nobody waits for it either. */
const noticedMs = 100
/** The square of the length takes four times as long for twice the length, what is linear twice as long. */
const growthMax = 3

/**
 * Holds work to a time that grows with its text alone. A busy machine makes single measurements longer, never shorter: the
 * shortest of several is compared, and what is over is measured again before it counts.
 */
export function expectLinear(prepare: (length: number) => () => void, length: number): void {
  const half = prepare(length / 2)
  const whole = prepare(length)
  let halfMs = Infinity
  let wholeMs = Infinity
  for (let tries = 0; tries < 5; tries++) {
    wholeMs = Math.min(wholeMs, measureMs(whole))
    if (wholeMs < noticedMs) return
    halfMs = Math.min(halfMs, measureMs(half))
    if (wholeMs < halfMs * growthMax) return
  }
  expect(wholeMs, `half of the text took ${Math.round(halfMs)} ms`).toBeLessThan(halfMs * growthMax)
}
