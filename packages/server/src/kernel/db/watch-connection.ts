import pg from 'pg'
import { pause } from '../pause.js'
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

type Watched = pg.Client | pg.PoolClient

/** A server that refuses one connection more, or ends that one, still works for the others: which those are, the next look says. */
const isAnswer = (error: unknown): boolean => error instanceof pg.DatabaseError

/**
 * For connections whose statements may take as long as they like: one more looks whether the server still works for them, and cuts those
 * of which the server knows nothing any more, or all where it has gone itself, which is to say that it does not answer.
 */
export class ConnectionWatch {
  readonly #url: string
  /** With the process of the server that works for it; null while that is asked. */
  readonly #watched = new Map<Watched, number | null>()
  #stopping = new AbortController()
  #looking: Promise<void> | null = null

  constructor(url: string) {
    this.#url = url
  }

  /** Before the first statement that is waited for. */
  async add(client: Watched): Promise<void> {
    if (this.#watched.has(client)) return
    this.#watched.set(client, null)
    const { rows } = await answerInTime(client, () =>
      client.query<{ pid: number }>('select pg_backend_pid() as pid'),
    )
    // Removed meanwhile: it is cut, and must not be looked for.
    if (this.#watched.has(client)) this.#watched.set(client, rows[0]?.pid ?? null)
    this.#begin()
  }

  remove(client: Watched): void {
    this.#watched.delete(client)
  }

  /** Nothing is looked at from now on. */
  async stop(): Promise<void> {
    this.#watched.clear()
    this.#stopping.abort()
    await this.#looking
  }

  /** As long as any is watched: one that comes while a look ends has nobody else. */
  #begin(): void {
    if (this.#looking === null && this.#hasToLook()) this.#looking = this.#lookOn()
  }

  #hasToLook(): boolean {
    return this.#watched.size > 0 && !this.#stopping.signal.aborted
  }

  async #lookOn(): Promise<void> {
    try {
      while (this.#hasToLook()) await this.#look()
    } finally {
      this.#looking = null
    }
  }

  async #look(): Promise<void> {
    const looker = new pg.Client({
      ...connectionOf(this.#url),
      application_name: 'casenote look',
      ...connectionLimits,
    })
    /** What the server said when it ended the connection between two looks. */
    let lastWord: Error | null = null
    // The look in hand fails, and says it all.
    looker.on('error', (error) => (lastWord ??= error))
    let lookedAtMs = performance.now()
    try {
      await looker.connect()
      while (this.#hasToLook()) {
        lookedAtMs = performance.now()
        await this.#cutUnknown(looker, lookedAtMs)
        await pause(lookEveryMs, this.#stopping.signal)
      }
    } catch (error) {
      if (isAnswer(lastWord ?? error)) {
        await pause(lookEveryMs, this.#stopping.signal)
        return
      }
      // Whichever of them still works is opened anew: nobody knows which that is.
      for (const client of this.#watched.keys()) this.#cut(client, lookedAtMs)
    } finally {
      await endInTime(
        () => [looker],
        () => looker.end(),
      )
    }
  }

  async #cutUnknown(looker: pg.Client, lookedAtMs: number): Promise<void> {
    const asked = [...this.#watched].filter((one): one is [Watched, number] => one[1] !== null)
    const look = 'select pid from pg_stat_activity where pid = any($1)'
    const pids = asked.map(([, pid]) => pid)
    const { rows } = await answerInTime(
      looker,
      () => looker.query<{ pid: number }>(look, [pids]),
      seenWithinMs,
    )
    const known = new Set(rows.map(({ pid }) => pid))
    for (const [client, pid] of asked) if (!known.has(pid)) this.#cut(client, lookedAtMs)
  }

  #cut(client: Watched, lookedAtMs: number): void {
    if (this.#watched.delete(client)) cutConnection(client, new SilentConnection(lookedAtMs))
  }
}

/** For one connection, such as that of a migration. `stop` ends the looking. */
export async function watchConnection(watched: pg.Client, url: string): Promise<{ stop(): Promise<void> }> {
  const watch = new ConnectionWatch(url)
  await watch.add(watched)
  return watch
}
