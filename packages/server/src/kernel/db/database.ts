import pg from 'pg'
import type { TenantId } from '../ids.js'
import type { OpenTransaction, TenantScope } from '../tenant.js'
import { isTracing, tracedWithin } from '../tracing/trace.js'
import { Announcer, type Channel } from './announcements.js'
import {
  answerInTime,
  answerWithinMs,
  connectionLimits,
  cutConnection,
  endInTime,
  isCut,
  unhurriedAnswerWithinMs,
  SilentConnection,
  statementWithinMs,
} from './connection-limits.js'
import { connectionOf } from './connection-tls.js'
import { atTheDoor, DatabaseAway } from './db-errors.js'
import { GatheredReads } from './gathered-reads.js'
import { TenantRead, type Statement } from './tenant-read.js'
import { factsOf, ToldStatements } from './told-statements.js'
import { ConnectionWatch } from './watch-connection.js'

export type { Statement } from './tenant-read.js'

/** `date` stays text (a birthday has no time zone), `int8` becomes a number: no count of ours passes 2^53. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.DATE, (text: string) => text)
types.setTypeParser(pg.types.builtins.INT8, (text: string) => Number(text))

async function runAll(tx: OpenTransaction, statements: readonly Statement[]): Promise<unknown[][]> {
  const results: unknown[][] = []
  for (const statement of statements) results.push(await tx.run(statement))
  return results
}

/**
 * A part of a transaction that is open: what it changed is gone if it fails, and the rest stands. The caller is asked for when all
 * of it commits. One after the other: savepoints of two at once would end one another.
 */
async function writeWithin<T>(
  tenant: TenantScope,
  transaction: OpenTransaction,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const tx: Tx = {
    tenant,
    run: (statement) => transaction.run(statement),
    announce: (channel) => transaction.announce(channel),
  }
  await tx.run({ text: 'savepoint part', values: [] })
  try {
    const result = await work(tx)
    await tx.run({ text: 'release savepoint part', values: [] })
    return result
  } catch (error) {
    // Where the connection broke all of it is gone, and why is what the caller must hear.
    await tx.run({ text: 'rollback to savepoint part', values: [] }).catch(() => {})
    throw error
  }
}

const notifyStatement = { name: 'notify', text: "select pg_notify($1, '')" }

export interface DatabaseOptions {
  url: string
  poolSize: number
  applicationName: string
  /** Told of connections that broke; the pool replaces them by itself. */
  onConnectionError: (error: Error) => void
  /**
   * For work that nobody waits for by the second, such as a restore: no statement is too long. A server that has gone is noticed by a
   * connection more, so the way to it must be one that keeps a session, not a pooler of transactions.
   */
  isUnhurried?: boolean
}

/** How a pool is used at this moment. */
export interface PoolState {
  most: number
  busy: number
  idle: number
  waiting: number
}

/** One transaction with its tenant set. Only `Database.write` makes one. */
export interface Tx extends OpenTransaction {
  readonly tenant: TenantScope
}

export class Database {
  readonly #pool: pg.Pool
  readonly #announcer: Announcer
  readonly #gathered = new GatheredReads({
    send: (tenantId, statements) => this.#submit(tenantId, statements),
    hasRoom: () => this.#hasFreeConnection(),
  })
  /** Every connection, and when it last answered. */
  readonly #heardAtMs = new Map<pg.PoolClient, number>()
  readonly #answerWithinMs: number
  /** Null: each statement has its time. */
  readonly #watch: ConnectionWatch | null
  #isAbandoned = false

  constructor(options: DatabaseOptions) {
    this.#answerWithinMs = options.isUnhurried === true ? unhurriedAnswerWithinMs : answerWithinMs
    this.#watch = options.isUnhurried === true ? new ConnectionWatch(options.url) : null
    this.#pool = new pg.Pool({
      ...connectionOf(options.url),
      max: options.poolSize,
      application_name: options.applicationName,
      types,
      // A pool that cannot connect must fail the request, not hold it: partners retry 5xx with backoff.
      ...connectionLimits,
      idleTimeoutMillis: 30_000,
      // The longest statement of a request is a bounded page or search; anything longer is a fault.
      ...(options.isUnhurried === true
        ? // pg does not send a zero, and a role may have limits of its own.
          { options: '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0' }
        : { statement_timeout: statementWithinMs, idle_in_transaction_session_timeout: 30_000 }),
    })
    this.#pool.on('error', options.onConnectionError)
    this.#pool.on('connect', (client) => {
      this.#heardAtMs.set(client, performance.now())
      // Also while a client is checked out: without a listener its 'error' event would end the process.
      client.on('error', options.onConnectionError)
    })
    this.#pool.on('remove', (client) => {
      this.#heardAtMs.delete(client)
      this.#watch?.remove(client)
    })
    this.#announcer = new Announcer(async (channel) => {
      if (this.#pool.ending) return
      // Who listens also polls, so a failure here costs a second and no more.
      await this.throughDoor({ ...notifyStatement, values: [channel] }).catch(options.onConnectionError)
    })
  }

  /**
   * One or several reads in one round trip: the tenant is set for just this implicit transaction, so nothing leaks
   * over pooled connections and a transaction-mode pooler works. Short ones go with others of the tenant.
   */
  async read<Row = pg.QueryResultRow>(tenant: TenantScope, statement: Statement<Row>): Promise<Row[]>
  async read<Rows extends unknown[]>(
    tenant: TenantScope,
    ...statements: { [At in keyof Rows]: Statement<Rows[At]> }
  ): Promise<{ [At in keyof Rows]: Rows[At][] }>
  async read(tenant: TenantScope, ...statements: Statement[]): Promise<unknown> {
    if (tenant.transaction !== undefined) {
      const rows = await runAll(tenant.transaction, statements)
      return statements.length === 1 ? rows[0] : rows
    }
    const isGathered = statements.every(({ isShort }) => isShort === true)
    const results = await tracedWithin('db.read', factsOf(statements), () =>
      isGathered
        ? this.#gathered.read(tenant.tenantId, statements)
        : this.#submit(tenant.tenantId, statements),
    )
    return statements.length === 1 ? results[0] : results
  }

  /**
   * Statements that need nothing of each other's answers, as one transaction in one round trip; `write` takes one for
   * each statement and two for its frame, and is used instead where the caller has to be asked for.
   */
  async writeAtOnce<Row = pg.QueryResultRow>(tenant: TenantScope, statement: Statement<Row>): Promise<Row[]>
  async writeAtOnce<Rows extends unknown[]>(
    tenant: TenantScope,
    ...statements: { [At in keyof Rows]: Statement<Rows[At]> }
  ): Promise<{ [At in keyof Rows]: Rows[At][] }>
  async writeAtOnce(tenant: TenantScope, ...statements: Statement[]): Promise<unknown> {
    const isFramed = tenant.transaction !== undefined || tenant.admission?.isCertain() === false
    const results = isFramed
      ? await this.write(tenant, (tx) => runAll(tx, statements))
      : await tracedWithin('db.write', factsOf(statements), () => this.#submit(tenant.tenantId, statements))
    return statements.length === 1 ? results[0] : results
  }

  /** The named doors: look-ups before a tenant is known, and maintenance. See `migrations/` and its catalogue test. */
  async throughDoor<Row = pg.QueryResultRow>(statement: Statement<Row>): Promise<Row[]> {
    return tracedWithin('db.door', factsOf([statement]), () => this.#throughDoor(statement))
  }

  async #throughDoor<Row>(statement: Statement<Row>): Promise<Row[]> {
    const client = await this.#connect()
    let isWell = false
    try {
      const rows = await this.#ask<Row>(client, statement)
      isWell = true
      return rows
    } finally {
      // A server that ends a connection says so first, and the end comes later: nobody must get it meanwhile.
      client.release(!isWell)
    }
  }

  async write<T>(tenant: TenantScope, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (tenant.transaction !== undefined) return writeWithin(tenant, tenant.transaction, work)
    return tracedWithin('db.write', {}, (span) => {
      const run = isTracing() ? new ToldStatements(span) : null
      return this.#write(tenant, work, (statement) => run?.tell(statement))
    })
  }

  async #write<T>(
    tenant: TenantScope,
    work: (tx: Tx) => Promise<T>,
    onRun: (statement: Statement) => void,
  ): Promise<T> {
    const client = await this.#connect()
    let broken: Error | undefined
    try {
      // One round trip instead of two. `tenantId` is a checked UUID, still it is quoted as a literal.
      await this.#ask(client, `begin; set local app.tenant = ${pg.escapeLiteral(tenant.tenantId)}`)
      const announced = new Set<Channel>()
      const tx: Tx = {
        tenant,
        announce: (channel) => announced.add(channel),
        run: <Row>(statement: Statement<Row>) => {
          onRun(statement)
          return this.#ask<Row>(client, statement)
        },
      }
      const result = await work(tx)
      if (tenant.admission?.isCertain() === false)
        await tenant.admission.require((statement) => tx.run(statement))
      await this.#ask(client, 'commit')
      for (const channel of announced) this.#announcer.announce(channel)
      return result
    } catch (error) {
      broken = await this.#rollBack(client)
      throw error
    } finally {
      client.release(broken)
    }
  }

  /** For a process that stops while the server is out of reach: all that waits for an answer is told at once. */
  abandon(): void {
    this.#isAbandoned = true
    for (const client of this.#heardAtMs.keys()) cutConnection(client)
  }

  /** Ends in time also while the server is out of reach. */
  async end(): Promise<void> {
    await endInTime(
      () => this.#heardAtMs.keys(),
      async () => {
        await this.#pool.end()
        // The pool does not wait for its goodbyes, which would hold the process.
        while (this.#heardAtMs.size > 0) {
          await new Promise((resolve) => this.#pool.once('remove', resolve))
        }
      },
    )
    await this.#watch?.stop()
  }

  describePool(): PoolState {
    const { idleCount, totalCount, waitingCount, options } = this.#pool
    return { most: options.max, busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
  }

  #hasFreeConnection(): boolean {
    const { idleCount, totalCount, waitingCount, options } = this.#pool
    return idleCount + options.max - totalCount > waitingCount
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.#isAbandoned) throw new DatabaseAway(null)
    let client: pg.PoolClient
    try {
      client = await this.#pool.connect()
    } catch (error) {
      throw atTheDoor(error, true)
    }
    try {
      await this.#watch?.add(client)
      return client
    } catch (error) {
      client.release(true)
      throw this.#tellFailure(client, error)
    }
  }

  async #ask<Row>(client: pg.PoolClient, statement: Statement<Row> | string): Promise<Row[]> {
    try {
      const { rows } = await answerInTime(
        client,
        () => client.query(statement as Statement),
        this.#answerWithinMs,
      )
      this.#hear(client)
      return rows
    } catch (error) {
      throw this.#tellFailure(client, error)
    }
  }

  async #submit(tenantId: TenantId, statements: readonly Statement[]): Promise<pg.QueryResultRow[][]> {
    const client = await this.#connect()
    const answer = answerInTime(
      client,
      () =>
        new Promise<pg.QueryResultRow[][]>((resolve, reject) => {
          const read = new TenantRead(tenantId, statements, types, ({ error, isReusable, results }) => {
            if (isReusable) this.#hear(client)
            client.release(!isReusable)
            if (error === null) resolve(results)
            else reject(error)
          })
          client.query(read)
        }),
      this.#answerWithinMs,
    )
    try {
      return await answer
    } catch (error) {
      throw this.#tellFailure(client, error)
    }
  }

  #hear(client: pg.PoolClient): void {
    // One that was removed meanwhile must not come back.
    if (this.#heardAtMs.has(client)) this.#heardAtMs.set(client, performance.now())
  }

  /**
   * Where one connection has gone silent, those that were not heard since have too, most likely: each would cost a
   * request, and a time-out of its own.
   */
  #tellFailure(client: pg.PoolClient, error: unknown): unknown {
    if (error instanceof SilentConnection) {
      for (const [other, heardAtMs] of this.#heardAtMs) {
        if (heardAtMs < error.askedAtMs) cutConnection(other, error)
      }
    }
    return atTheDoor(error, isCut(client))
  }

  /** What is returned says that the connection is of no more use: the server rolls back by itself. */
  async #rollBack(client: pg.PoolClient): Promise<Error | undefined> {
    try {
      if (isCut(client)) return new DatabaseAway(null)
      await this.#ask(client, 'rollback')
      return undefined
    } catch (error) {
      return error as Error
    }
  }
}
