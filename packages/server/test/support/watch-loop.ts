import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

/** How often the loop is looked at; the longest delay is known to within this. */
const resolutionMs = 5

/** The longest time for which nothing else came to its turn while the work was done. */
async function measureDelayMs(work: () => Promise<unknown>): Promise<number> {
  const monitor = monitorEventLoopDelay({ resolution: resolutionMs })
  monitor.enable()
  // The monitor counts from its first look on.
  await pause(resolutionMs * 3)
  monitor.reset()
  await work()
  await pause(resolutionMs * 3)
  monitor.disable()
  return monitor.max / 1e6
}

/** A busy machine makes a delay longer, never shorter: of several times the shortest counts. */
export async function findDelayMs(limitMs: number, work: () => Promise<unknown>): Promise<number> {
  let shortestMs = Infinity
  for (let tries = 0; tries < 8 && shortestMs >= limitMs; tries++)
    shortestMs = Math.min(shortestMs, await measureDelayMs(work))
  return shortestMs
}
