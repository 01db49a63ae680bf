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

/** Reading the largest table from end to end; that the server has gone is told by `ConnectionWatch` before. */
export const unhurriedAnswerWithinMs = 24 * 3_600_000

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
    /** When the question was asked, by `performance.now()`. */
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

interface Ask {
  askedAtMs: number
  withinMs: number
  /** When it was last known that something came, and how much had come by then. */
  heardAtMs: number
  bytesHeard: number
}

/** Looks in the time that an answer may take: so much later than that a silence is noticed at most. */
const looksPerWait = 8

/**
 * One timer for a connection, not one for each statement: answers come in a millisecond, and starting and clearing a timer
 * each time is to be seen in what a read costs (with what is described once, an eighth of its processor time here). An answer
 * of megabytes that is on its way is no silence.
 */
class AnswerWatch {
  readonly #client: Connected
  readonly #open = new Set<Ask>()
  #timer: NodeJS.Timeout | null = null

  constructor(client: Connected) {
    this.#client = client
  }

  add(withinMs: number): Ask {
    const askedAtMs = performance.now()
    const ask = { askedAtMs, withinMs, heardAtMs: askedAtMs, bytesHeard: streamOf(this.#client).bytesRead }
    this.#open.add(ask)
    if (this.#timer === null) this.#arm(withinMs)
    return ask
  }

  remove(ask: Ask): void {
    this.#open.delete(ask)
  }

  #arm(withinMs: number): void {
    // Of a process that was stopped for long, timers come first: what has arrived meanwhile is read before it is judged.
    this.#timer = setTimeout(() => setImmediate(() => this.#look()), withinMs / looksPerWait)
    // What waits for an answer waits on a socket, which keeps the process alive.
    this.#timer.unref()
  }

  #look(): void {
    this.#timer = null
    const nowMs = performance.now()
    const { bytesRead } = streamOf(this.#client)
    for (const ask of this.#open) {
      if (ask.bytesHeard !== bytesRead) {
        ask.bytesHeard = bytesRead
        ask.heardAtMs = nowMs
      }
      if (nowMs - ask.heardAtMs < ask.withinMs) continue
      cutConnection(this.#client, new SilentConnection(ask.askedAtMs))
      return
    }
    const shortestMs = Math.min(...[...this.#open].map(({ withinMs }) => withinMs))
    if (this.#open.size > 0) this.#arm(shortestMs)
  }
}

const watches = new WeakMap<Connected, AnswerWatch>()

/**
 * Cuts the connection when nothing of the answer to `ask` comes in time. pg's own `query_timeout` leaves the connection waiting for the
 * late answer, and does not know statements of our own making.
 */
export async function answerInTime<T>(
  client: Connected,
  ask: () => Promise<T>,
  withinMs = answerWithinMs,
): Promise<T> {
  let watch = watches.get(client)
  if (watch === undefined) {
    watch = new AnswerWatch(client)
    watches.set(client, watch)
  }
  const open = watch.add(withinMs)
  try {
    return await ask()
  } finally {
    watch.remove(open)
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
