import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  answerInTime,
  connectionLimits,
  cutConnection,
  endInTime,
  SilentConnection,
} from './connection-limits.js'
import { connectionOf } from './connection-tls.js'

const lookEveryMs = 2_000
const seenWithinMs = 5_000

/**
 * For a connection whose statements may take as long as they like: a second one looks whether the server still works for
 * it, and cuts it when the server has gone or knows nothing of it any more. `stop` ends the looking.
 */
export async function watchConnection(watched: pg.Client, url: string): Promise<{ stop(): Promise<void> }> {
  const looker = new pg.Client({
    ...connectionOf(url),
    application_name: 'casenote look',
    ...connectionLimits,
  })
  looker.on('error', () => {}) // The look in hand fails, and says it all.
  await looker.connect()
  const endLooker = (): Promise<void> =>
    endInTime(
      () => [looker],
      () => looker.end(),
    )
  const { rows } = await answerInTime(watched, () =>
    watched.query<{ pid: number }>('select pg_backend_pid() as pid'),
  ).catch(async (error: unknown) => {
    await endLooker()
    throw error
  })
  const isThere = async (): Promise<boolean> => {
    const look = 'select 1 from pg_stat_activity where pid = $1'
    const seen = await answerInTime(looker, () => looker.query(look, [rows[0]?.pid]), seenWithinMs)
    return seen.rows.length > 0
  }
  const stopping = new AbortController()
  const looking = (async () => {
    while (!stopping.signal.aborted) {
      const lookedAtMs = performance.now()
      if (!(await isThere().catch(() => false)) && !stopping.signal.aborted) {
        cutConnection(watched, new SilentConnection(lookedAtMs))
        return
      }
      await sleep(lookEveryMs, undefined, { signal: stopping.signal }).catch(() => {}) // Stopped: no more waiting.
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await looking
      await endLooker()
    },
  }
}
