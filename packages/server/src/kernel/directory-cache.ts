import { systemClock, type DatabaseClock } from './clock.js'
import type { Database } from './db/database.js'
import { selectDirectoryVersion } from './directory-version.sql.js'
import { dropOldest } from './drop-oldest.js'
import { tolerateFailure, type Log } from './log.js'
import { Vital } from './vital.js'

/** A revoked credential must stop working everywhere within 5 s: polls each second, and 4 s without one distrust. */
const pollEveryMs = 1_000
const trustForMs = 4_000

/** Enough for every tenant of a large installation; beyond it the oldest entry is looked up again. */
const entriesMax = 20_000

/** Knows whether anything about tenants, credentials or keys has changed since something was cached. */
export class DirectoryWatch {
  readonly #db: Database
  readonly #clock: DatabaseClock | null
  readonly #log: Log
  /** That the database answers at all. */
  readonly vital = new Vital('database')
  #version = 0
  #isSandboxHome = false
  #onSandbox: (isHome: boolean, hasTurned: boolean) => void = () => {}
  #polledAt = { steadyMs: Number.NEGATIVE_INFINITY, wallMs: 0 }
  #timer: NodeJS.Timeout | null = null
  #polling: Promise<void> = Promise.resolve()

  /** `clock` is set by what the polls tell. */
  constructor(db: Database, log: Log, clock: DatabaseClock | null = null) {
    this.#db = db
    this.#clock = clock
    this.#log = log
  }

  /** Null: unknown, because the database could not be asked lately. Then nothing cached may be used. */
  version(): number | null {
    return this.#ageMs() < trustForMs ? this.#version : null
  }

  /** Whether the sandbox is at home, as last told, also while nobody can be asked: without the database nothing is fetched or sent. */
  isSandboxHome(): boolean {
    return this.#isSandboxHome
  }

  /** Tells the listener after every poll whether the sandbox is at home, and whether that is otherwise than at the poll before. */
  onSandbox(listener: (isHome: boolean, hasTurned: boolean) => void): void {
    this.#onSandbox = listener
  }

  async start(): Promise<void> {
    await this.poll()
    this.#timer = setInterval(() => {
      this.#polling = tolerateFailure(this.#log, 'the cache distrusts itself without a poll', () =>
        this.poll(),
      )
    }, pollEveryMs)
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#polling
  }

  async poll(): Promise<void> {
    // The time before the question counts: the answer may be that old.
    const askedAt = { steadyMs: performance.now(), wallMs: systemClock.nowMs() }
    const askedAtMs = this.#clock?.markAsking() ?? 0
    const [row] = await this.#db.throughDoor(selectDirectoryVersion())
    if (row !== undefined) this.#clock?.hear(row.nowMs, askedAtMs)
    const isSandboxHome = row?.isSandboxHome ?? false
    const hasTurned = isSandboxHome !== this.#isSandboxHome
    this.#isSandboxHome = isSandboxHome
    this.#onSandbox(isSandboxHome, hasTurned)
    // Polls may answer out of order; an older answer must not revive what a newer one has ended.
    this.#version = Math.max(this.#version, row?.version ?? 0)
    if (askedAt.steadyMs > this.#polledAt.steadyMs) this.#polledAt = askedAt
    this.vital.succeed()
  }

  /** The age of what is cached, by the clock that says more: one stands still while the machine sleeps, the other can be put back. */
  #ageMs(): number {
    const { steadyMs, wallMs } = this.#polledAt
    return Math.max(performance.now() - steadyMs, systemClock.nowMs() - wallMs)
  }
}

interface CacheEntry<Value> {
  version: number
  loading: Promise<Value>
  /** Undefined while it is loading. */
  value: Value | undefined
}

/** What was read from the directory, good for as long as its version stands. */
export class DirectoryCache<Value extends object> {
  readonly #watch: DirectoryWatch
  readonly #entries = new Map<string, CacheEntry<Value | null>>()

  constructor(watch: DirectoryWatch) {
    this.#watch = watch
  }

  /** Answers without waiting whenever it can: this is on the path of every request. */
  get(key: string, load: () => Promise<Value | null>): Value | Promise<Value | null> {
    const version = this.#watch.version()
    const entry = this.#entries.get(key)
    if (entry === undefined || entry.version !== version) return this.#load(key, version, load)
    return entry.value ?? entry.loading
  }

  /** What is cached and good; never asks. */
  peek(key: string): Value | null {
    const entry = this.#entries.get(key)
    return entry !== undefined && entry.version === this.#watch.version() ? (entry.value ?? null) : null
  }

  /** Null results are not kept: a credential that was created just now must work at once. */
  async #load(key: string, version: number | null, load: () => Promise<Value | null>): Promise<Value | null> {
    if (version === null) return load()
    const entry: CacheEntry<Value | null> = { version, loading: load(), value: undefined }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    try {
      entry.value = await entry.loading
      // Not before: what is asked for and does not exist must push out nothing that does.
      if (entry.value && this.#entries.size > entriesMax) dropOldest(this.#entries)
      return entry.value
    } finally {
      if (!entry.value && this.#entries.get(key) === entry) this.#entries.delete(key)
    }
  }
}
