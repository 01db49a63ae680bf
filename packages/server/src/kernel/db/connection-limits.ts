import type { Socket } from 'node:net'
import type pg from 'pg'

/**
 * A connection can die without a word: a fail-over, a firewall that forgot it, a cut cable. TCP then resends for a quarter
 * of an hour before it gives up, so whoever waits decides: every connection of every role knows within 10 s.
 */
const connectWithinMs = 5_000

/** Longer than what the server allows itself: a statement that is slow is told from a server that is gone. */
export const statementWithinMs = 7_500
export const answerWithinMs = 8_500

/** For connections that wait for nothing: the system asks the other side, and drops one that is gone. */
const keepAliveAfterMs = 5_000

/** For every connection to a server that may be on another machine. */
export const connectionLimits = {
  connectionTimeoutMillis: connectWithinMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: keepAliveAfterMs,
}

/** A goodbye to a server that is gone would be waited for as long as TCP resends. */
const goodbyeWithinMs = 1_000

/** The other side said nothing for too long, and the connection was cut. */
export class SilentConnection extends Error {
  readonly code = 'SILENT'

  constructor(
    /** When it was asked, by `performance.now()`. */
    readonly askedAtMs: number,
  ) {
    super('the database did not answer in time')
    this.name = 'SilentConnection'
  }
}

type Connected = pg.Client | pg.PoolClient

/** TLS or not; pg's types leave it out. */
const streamOf = (client: Connected): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

/** Whatever waits for an answer on it is told at once. */
export function cutConnection(client: Connected, why?: Error): void {
  streamOf(client).destroy(why)
}

/**
 * Cuts the connection when `ask` is not answered in time. pg's own `query_timeout` leaves the connection waiting for the
 * late answer, and does not know statements of our own making.
 */
export async function answerInTime<T>(
  client: Connected,
  ask: () => Promise<T>,
  withinMs = answerWithinMs,
): Promise<T> {
  const askedAtMs = performance.now()
  let isAnswered = false
  const cut = (): void => {
    if (!isAnswered) cutConnection(client, new SilentConnection(askedAtMs))
  }
  // Of a process that was stopped for long, timers come first: what has arrived meanwhile is read before it is judged.
  const timer = setTimeout(() => setImmediate(cut), withinMs)
  try {
    return await ask()
  } finally {
    isAnswered = true
    clearTimeout(timer)
  }
}

/** The names are pg's own, and what its pool goes by. */
export function isCut(client: Connected): boolean {
  const { _queryable, _ending, _ended } = client as unknown as Record<string, boolean | undefined>
  return _queryable === false || _ending === true || _ended === true
}

/** Says goodbye, or cuts: never waits for a server that is gone. `end` must not fail. */
export async function endInTime(clients: () => Iterable<Connected>, end: () => Promise<void>): Promise<void> {
  const timer = setTimeout(() => {
    for (const client of clients()) cutConnection(client)
  }, goodbyeWithinMs)
  try {
    await end()
  } finally {
    clearTimeout(timer)
  }
}
