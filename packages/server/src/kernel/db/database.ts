import pg from 'pg'
import type { TenantScope } from '../tenant.js'
import { Announcer, type Channel } from './announcements.js'
import { atTheDoor } from './db-errors.js'
import { TenantRead, type Statement } from './tenant-read.js'

export type { Statement } from './tenant-read.js'

/** `date` stays text (a birthday has no time zone), `int8` becomes a number: no count of ours passes 2^53. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.DATE, (text: string) => text)
types.setTypeParser(pg.types.builtins.INT8, (text: string) => Number(text))

const notifyStatement = { name: 'notify', text: "select pg_notify($1, '')" }

export interface DatabaseOptions {
  url: string
  poolSize: number
  applicationName: string
  /** Told of connections that broke; the pool replaces them by itself. */
  onConnectionError: (error: Error) => void
}

/** One transaction with its tenant set. Only `Database.write` makes one. */
export interface Tx {
  readonly tenant: TenantScope
  run<Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]>
  /** Tells who listens, once this is committed, that there is something to look for. */
  announce(channel: Channel): void
}

export class Database {
  readonly #pool: pg.Pool
  readonly #announcer: Announcer

  constructor(options: DatabaseOptions) {
    this.#pool = new pg.Pool({
      connectionString: options.url,
      max: options.poolSize,
      application_name: options.applicationName,
      types,
      // A pool that cannot connect must fail the request, not hold it: partners retry 5xx with backoff.
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 30_000,
      // The longest statement of a request is a bounded page or search; anything longer is a fault.
      statement_timeout: 15_000,
      idle_in_transaction_session_timeout: 30_000,
    })
    this.#pool.on('error', options.onConnectionError)
    // Also while a client is checked out: without a listener its 'error' event would end the process.
    this.#pool.on('connect', (client) => client.on('error', options.onConnectionError))
    this.#announcer = new Announcer(async (channel) => {
      if (this.#pool.ending) return
      // Who listens also polls, so a failure here costs a second and no more.
      await this.#pool.query({ ...notifyStatement, values: [channel] }).catch(options.onConnectionError)
    })
  }

  /**
   * One or several reads in one round trip: the tenant is set for just this implicit transaction, so nothing leaks
   * over pooled connections and a transaction-mode pooler works.
   */
  async read(tenant: TenantScope, statement: Statement): Promise<pg.QueryResultRow[]>
  async read(tenant: TenantScope, ...statements: Statement[]): Promise<pg.QueryResultRow[][]>
  async read(tenant: TenantScope, ...statements: Statement[]): Promise<unknown> {
    const results = await this.#submit(tenant.tenantId, statements)
    return statements.length === 1 ? results[0] : results
  }

  /**
   * Statements that need nothing of each other's answers, as one transaction in one round trip; `write` takes one for
   * each statement and two for its frame.
   */
  async writeAtOnce(tenant: TenantScope, ...statements: Statement[]): Promise<pg.QueryResultRow[][]> {
    return this.#submit(tenant.tenantId, statements)
  }

  /** The named doors: look-ups before a tenant is known, and maintenance. See `migrations/` and its catalogue test. */
  async throughDoor<Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]> {
    try {
      return (await this.#pool.query<Row>(statement)).rows
    } catch (error) {
      throw atTheDoor(error)
    }
  }

  async write<T>(tenant: TenantScope, work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.#connect()
    let broken: Error | undefined
    try {
      // One round trip instead of two. `tenantId` is a checked UUID, still it is quoted as a literal.
      await client.query(`begin; set local app.tenant = ${pg.escapeLiteral(tenant.tenantId)}`)
      const announced = new Set<Channel>()
      const tx: Tx = {
        tenant,
        announce: (channel) => announced.add(channel),
        run: async <Row extends pg.QueryResultRow>(statement: Statement) =>
          (await client.query<Row>(statement)).rows,
      }
      const result = await work(tx)
      await client.query('commit')
      for (const channel of announced) this.#announcer.announce(channel)
      return result
    } catch (error) {
      broken = await rollBack(client)
      throw atTheDoor(error)
    } finally {
      client.release(broken)
    }
  }

  async end(): Promise<void> {
    await this.#pool.end()
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      throw atTheDoor(error)
    }
  }

  async #submit(tenantId: string, statements: Statement[]): Promise<pg.QueryResultRow[][]> {
    const client = await this.#connect()
    return new Promise((resolve, reject) => {
      const read = new TenantRead(tenantId, statements, types, ({ error, isReusable, results }) => {
        client.release(!isReusable)
        if (error === null) resolve(results)
        else reject(atTheDoor(error))
      })
      client.query(read)
    })
  }
}

async function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback')
    return undefined
  } catch (error) {
    return error as Error // The connection is gone: the server has rolled back by itself.
  }
}
