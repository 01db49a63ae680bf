import { setTimeout as pause } from 'node:timers/promises'

/**
 * A wrong date is written down and an unknown link is not, which shows in the milliseconds. Whoever is refused waits for
 * the next full step from the beginning of their request. 300 ms: many times what either takes, and nobody minds it
 * after mistyping.
 */
const stepMs = 300

export async function delayRefusal(startedMs: number): Promise<void> {
  const tookMs = performance.now() - startedMs
  await pause(stepMs - (tookMs % stepMs))
}
