import pg from 'pg'
import type { Log } from '../log.js'
import { answerInTime, connectionLimits, endInTime } from './connection-limits.js'
import { connectionOf } from './connection-tls.js'

/** What a process may be waiting for. An announcement says that there is something to look for, never what. */
export type Channel = 'casenote_webhooks' | 'casenote_jobs' | 'casenote_sessions'

/**
 * Rings at most this often: at 200 changes a second one announcement serves several. `pg_notify` inside the writing
 * transaction would halve the rate of writes, so it follows the commit; whoever listens also polls.
 */
const restMs = 5

export class Announcer {
  readonly #send: (channel: Channel) => Promise<void>
  readonly #waiting = new Set<Channel>()
  readonly #busy = new Set<Channel>()

  /** `send` must not fail: an announcement that is lost costs one poll. */
  constructor(send: (channel: Channel) => Promise<void>) {
    this.#send = send
  }

  announce(channel: Channel): void {
    this.#waiting.add(channel)
    if (!this.#busy.has(channel)) void this.#drain(channel)
  }

  async #drain(channel: Channel): Promise<void> {
    this.#busy.add(channel)
    while (this.#waiting.delete(channel)) {
      await this.#send(channel)
      await new Promise((resolve) => setTimeout(resolve, restMs))
    }
    this.#busy.delete(channel)
  }
}

/** First after a second, then rarer: a server that restarts is back within seconds. */
const reconnectMs = [1_000, 2_000, 5_000]

/** Nothing comes for hours on a quiet day: only asking tells a connection that is dead from one that has no news. */
const askEveryMs = 3_000
const askedWithinMs = 5_000

/** A connection of its own that hears announcements, and finds its way back after a failure. */
export class Listener {
  readonly #url: string
  readonly #channel: Channel
  readonly #onRing: () => void
  readonly #log: Log
  #client: pg.Client | null = null
  #timer: NodeJS.Timeout | null = null
  #asking: NodeJS.Timeout | null = null
  #connecting: Promise<void> = Promise.resolve()
  #failures = 0
  #isClosed = false

  constructor(options: { url: string; channel: Channel; onRing: () => void; log: Log }) {
    this.#url = options.url
    this.#channel = options.channel
    this.#onRing = options.onRing
    this.#log = options.log
  }

  start(): void {
    this.#connecting = this.#connect()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#asking !== null) clearTimeout(this.#asking)
    await this.#connecting
    const client = this.#client
    if (client !== null) await endClient(client)
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      ...connectionOf(this.#url),
      application_name: 'casenote listener',
      ...connectionLimits,
    })
    client.on('error', () => this.#lose(client))
    client.on('end', () => this.#lose(client))
    client.on('notification', () => this.#onRing())
    try {
      await client.connect()
      await answerInTime(client, () => client.query(`listen ${pg.escapeIdentifier(this.#channel)}`))
      this.#client = client
      this.#failures = 0
      this.#askLater(client)
      // Something may have been announced while nobody listened.
      this.#onRing()
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot listen for announcements; polling goes on')
      await endClient(client)
      this.#reconnectLater()
    }
  }

  #askLater(client: pg.Client): void {
    this.#asking = setTimeout(() => {
      void this.#ask(client)
    }, askEveryMs)
  }

  async #ask(client: pg.Client): Promise<void> {
    try {
      await answerInTime(client, () => client.query('select 1'), askedWithinMs)
      if (this.#client === client && !this.#isClosed) this.#askLater(client)
    } catch {
      this.#lose(client) // The log tells when listening cannot be begun again.
    }
  }

  #lose(client: pg.Client): void {
    if (this.#client !== client) return
    this.#client = null
    if (this.#asking !== null) clearTimeout(this.#asking)
    // Only an error that the server told leaves it open.
    void endClient(client)
    this.#reconnectLater()
  }

  #reconnectLater(): void {
    if (this.#isClosed || this.#timer !== null) return
    const waitMs = reconnectMs[Math.min(this.#failures, reconnectMs.length - 1)]
    this.#failures += 1
    this.#timer = setTimeout(() => {
      this.#timer = null
      if (!this.#isClosed) this.#connecting = this.#connect()
    }, waitMs)
  }
}

/** Ends a connection that may be broken already, or never have been connected. */
const endClient = (client: pg.Client): Promise<void> =>
  endInTime(
    () => [client],
    () => client.end().catch(() => {}),
  )
