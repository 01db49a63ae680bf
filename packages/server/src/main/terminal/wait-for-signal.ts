import { setTimeout as sleep } from 'node:timers/promises'

/** Ctrl-C under `npm run` comes twice within milliseconds: from the terminal, and from npm, which passes it on. */
const impatientAfterMs = 500

/** The first one ends it in good order; who asks again does not want to wait for that. */
export function waitForSignal(): AbortSignal {
  const stopped = new AbortController()
  let firstAtMs: number | null = null
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      firstAtMs ??= performance.now()
      if (performance.now() - firstAtMs > impatientAfterMs) process.exit(1)
      stopped.abort()
    })
  }
  return stopped.signal
}

/** False as soon as it is stopped. */
export async function isTimeLeft(stopped: AbortSignal, waitMs: number): Promise<boolean> {
  // Being woken early is what the signal is for.
  await sleep(waitMs, undefined, { signal: stopped }).catch(() => {})
  return !stopped.aborted
}
