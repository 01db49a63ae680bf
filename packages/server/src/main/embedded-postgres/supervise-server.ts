import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbeddedLog } from './embedded-log.js'
import { stopProcess, type ServerProcess } from './server-process.js'

interface SupervisedServer {
  pid(): number
  stop(): Promise<void>
}

interface SuperviseOptions {
  log: EmbeddedLog
  bringUp: (abort: AbortSignal) => Promise<ServerProcess>
  onGivenUp: (error: Error) => void
}

/**
 * At once, since a crash is mostly a single one; about two minutes in all, since a full disk needs somebody.
 */
const restartDelaysMs = [0, 250, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000]
/** A server that stayed up this long did start: its next crash counts from one again. */
const stableAfterMs = 60_000

export function superviseServer(first: ServerProcess, options: SuperviseOptions): SupervisedServer {
  const { log, bringUp, onGivenUp } = options
  const stopping = new AbortController()
  const aborted = new Promise<string>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve('stopped'))
  })
  let server = first
  let stopped: Promise<void> | null = null

  async function restart(tries: number): Promise<{ next: ServerProcess; tries: number } | null> {
    let lastError = new Error('PostgreSQL keeps stopping right after its start')
    for (; tries < restartDelaysMs.length; tries++) {
      await sleep(restartDelaysMs[tries], undefined, { signal: stopping.signal, ref: false })
      try {
        const next = await bringUp(stopping.signal)
        log.info(`PostgreSQL is running again (pid ${next.pid})`)
        return { next, tries: tries + 1 }
      } catch (error) {
        stopping.signal.throwIfAborted()
        lastError = error instanceof Error ? error : new Error(String(error))
        log.warn(`PostgreSQL could not be started again: ${lastError.message}`)
      }
    }
    log.warn('PostgreSQL is given up: restart Casenote when the cause is removed')
    onGivenUp(lastError)
    return null
  }

  async function watch(): Promise<void> {
    let tries = 0
    for (;;) {
      const upSince = Date.now()
      const reason = await Promise.race([server.gone, aborted])
      stopping.signal.throwIfAborted()
      if (Date.now() - upSince > stableAfterMs) tries = 0
      log.warn(`PostgreSQL (pid ${server.pid}) ended unexpectedly: ${reason}. Starting it again`)
      const restarted = await restart(tries)
      if (!restarted) return
      server = restarted.next
      tries = restarted.tries
    }
  }

  // It ends by the abort, or after onGivenUp has been told.
  const watching = watch().catch(() => undefined)
  async function stop(): Promise<void> {
    stopping.abort()
    await watching
    await stopProcess(server)
  }
  return {
    pid: () => server.pid,
    stop: () => (stopped ??= stop()),
  }
}
