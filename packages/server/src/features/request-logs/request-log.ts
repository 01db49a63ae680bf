import { Counter } from 'prom-client'
import { metrics } from '../../http/metrics.js'
import type { Database } from '../../kernel/db/database.js'
import { isId, type TenantId } from '../../kernel/ids.js'
import type { Log } from '../../kernel/log.js'
import { pause } from '../../kernel/pause.js'
import { appendRequestLogs, type LoggedRequest } from './request-logs.sql.js'

/** Two seconds at the highest default rate, some 8 MB: a pause of the database that short loses nothing. */
const queuedMax = 20_000

/** A thousand rows are one statement of some 200 kB and 15 ms of the database. */
const batchMax = 1_000

/** Nobody watches more closely than that, and calls that come one by one share a commit. */
const gatherMs = 250

/** The pause after a failure; after three tries in a row what was tried gives way, so that no batch stands for ever. */
const pauseAfterFailureMs = 1_000
const triesMax = 3

const dropped = new Counter({
  name: 'casenote_request_log_dropped_total',
  help: 'Calls that are not in the request log, because it could not be written as fast as they came',
  registers: [metrics],
})

/** What an answer tells of itself. */
export interface AnsweredRequest {
  tenantId: TenantId
  requestId: string
  operation: string
  /** When the call was answered, by the database's clock. */
  endedAtMs: number
  status: number
  code: string | null
  elapsedMs: number
  params: Readonly<Record<string, string>>
}

/** A stable code is a word; anything else would be somebody's text. */
const codePattern = /^[A-Za-z0-9_.-]{1,64}$/

/**
 * Writes the calls of partners down, in batches and beside the answers: no answer waits for it or fails with it. When the
 * database does not keep up, calls are left out of the log and counted.
 */
export class RequestLogWriter {
  readonly #db: Pick<Database, 'throughDoor'>
  readonly #log: Log
  readonly #stopping = new AbortController()
  #queue: LoggedRequest[] = []
  #draining: Promise<void> | null = null

  constructor({ db, log }: { db: Pick<Database, 'throughDoor'>; log: Log }) {
    this.#db = db
    this.#log = log
  }

  add(answered: AnsweredRequest): void {
    if (this.#queue.length >= queuedMax || this.#stopping.signal.aborted) {
      dropped.inc()
      return
    }
    const { tenantId, requestId, operation, status, code, endedAtMs, elapsedMs, params } = answered
    this.#queue.push({
      tenantId,
      requestId,
      operation,
      status,
      code: code !== null && codePattern.test(code) && code.toLowerCase() !== 'null' ? code : null,
      atMs: endedAtMs - elapsedMs,
      latencyMs: Math.round(elapsedMs),
      pathIds: writeIds(params),
    })
    this.#draining ??= this.#drain()
  }

  /** Takes no more, and returns when what was taken is written or given up. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#draining
  }

  async #drain(): Promise<void> {
    let tries = 0
    do {
      await pause(tries === 0 ? gatherMs : pauseAfterFailureMs, this.#stopping.signal)
      const batch = this.#queue.slice(0, batchMax)
      tries += 1
      const isWritten = await this.#write(batch)
      // A process that stops tries once.
      const isGivenUp = !isWritten && (tries === triesMax || this.#stopping.signal.aborted)
      if (isGivenUp) dropped.inc(batch.length)
      if (!isWritten && !isGivenUp) continue
      this.#queue = this.#queue.slice(batch.length)
      tries = 0
    } while (this.#queue.length > 0)
    this.#draining = null
  }

  async #write(batch: readonly LoggedRequest[]): Promise<boolean> {
    try {
      await this.#db.throughDoor(appendRequestLogs(batch))
      return true
    } catch (error) {
      this.#log.warn({ err: error, calls: batch.length }, 'the request log could not be written')
      return false
    }
  }
}

/** Only what is an id in our spelling: anything else in a path may be anything. */
function writeIds(params: Readonly<Record<string, string>>): string {
  let ids = ''
  for (const value of Object.values(params)) {
    ids += `${ids === '' ? '' : ','}${isId(value) ? value : 'null'}`
  }
  return `{${ids}}`
}
