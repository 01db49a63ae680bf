import type { QueryResultRow } from 'pg'
import type { TenantId } from '../ids.js'
import { isDatabaseUnavailable } from './db-errors.js'
import type { Statement } from './tenant-read.js'

/** Some 0.3 ms of the server's time: beyond it another connection is as quick. */
const togetherMost = 8

type Results = QueryResultRow[][]

interface Waiting {
  statements: readonly Statement[]
  resolve: (results: Results) => void
  reject: (error: unknown) => void
}

interface GatheredReadsParts {
  send(tenantId: TenantId, statements: readonly Statement[]): Promise<Results>
  /** Whether a connection is free. When all are taken the database is slow, and nobody is to wait for others' statements as well. */
  hasRoom(): boolean
}

/**
 * Reads of one tenant that are asked for in the same turn of the loop, in one round trip and one transaction. Waking the
 * server, and its beginning and ending a transaction, cost more than finding a row (decision 0001).
 */
export class GatheredReads {
  readonly #parts: GatheredReadsParts
  readonly #waiting = new Map<TenantId, Waiting[]>()

  constructor(parts: GatheredReadsParts) {
    this.#parts = parts
  }

  read(tenantId: TenantId, statements: readonly Statement[]): Promise<Results> {
    return new Promise((resolve, reject) => {
      const one = { statements, resolve, reject }
      const waiting = this.#waiting.get(tenantId)
      if (waiting !== undefined) {
        waiting.push(one)
        return
      }
      this.#waiting.set(tenantId, [one])
      setImmediate(() => this.#sendAll(tenantId))
    })
  }

  #sendAll(tenantId: TenantId): void {
    const waiting = this.#waiting.get(tenantId) ?? []
    this.#waiting.delete(tenantId)
    while (waiting.length > 0) {
      const together = waiting.splice(0, this.#parts.hasRoom() ? togetherMost : 1)
      void this.#send(tenantId, together)
    }
  }

  async #send(tenantId: TenantId, together: readonly Waiting[]): Promise<void> {
    try {
      const statements = together.flatMap((one) => one.statements)
      const results = await this.#parts.send(tenantId, statements)
      for (const one of together) one.resolve(results.splice(0, one.statements.length))
    } catch (error) {
      this.#fail(tenantId, together, error)
    }
  }

  /** One of them is to blame: by itself it fails nobody else. A database that is slow or away is not asked again. */
  #fail(tenantId: TenantId, together: readonly Waiting[], error: unknown): void {
    const isOwn = together.length === 1 || isDatabaseUnavailable(error)
    for (const one of together) {
      if (isOwn) one.reject(error)
      else void this.#send(tenantId, [one])
    }
  }
}
