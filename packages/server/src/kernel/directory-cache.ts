import type { Clock } from './clock.js'
import type { Database } from './db/database.js'
import { selectDirectoryVersion } from './directory-version.sql.js'
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
  readonly #clock: Clock
  readonly #log: Log
  /** That the database answers at all. */
  readonly vital = new Vital('database')
  #version = 0
  #polledAtMs = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | null = null
  #polling: Promise<void> = Promise.resolve()

  constructor(db: Database, clock: Clock, log: Log) {
    this.#db = db
    this.#clock = clock
    this.#log = log
  }

  /** Null: unknown, because the database could not be asked lately. Then nothing cached may be used. */
  version(): number | null {
    return this.#clock.nowMs() - this.#polledAtMs < trustForMs ? this.#version : null
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
    const askedAtMs = this.#clock.nowMs()
    const rows = await this.#db.throughDoor<{ version: number }>(selectDirectoryVersion())
    // Polls may answer out of order; an older answer must not revive what a newer one has ended.
    this.#version = Math.max(this.#version, rows[0]?.version ?? 0)
    this.#polledAtMs = Math.max(this.#polledAtMs, askedAtMs)
    this.vital.succeed()
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

  /** Null results are not kept: a credential that was created just now must work at once. */
  async #load(key: string, version: number | null, load: () => Promise<Value | null>): Promise<Value | null> {
    if (version === null) return load()
    const entry: CacheEntry<Value | null> = { version, loading: load(), value: undefined }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    if (this.#entries.size > entriesMax) this.#entries.delete(this.#entries.keys().next().value as string)
    try {
      entry.value = await entry.loading
      return entry.value
    } finally {
      if (!entry.value && this.#entries.get(key) === entry) this.#entries.delete(key)
    }
  }
}
