import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Clock } from '../../src/kernel/clock.js'
import { Database } from '../../src/kernel/db/database.js'
import { Limiter, type LimitVerdict, type TenantLimits } from '../../src/kernel/limits/index.js'
import { makeLog } from '../../src/kernel/log.js'
import type { TenantScope } from '../../src/kernel/tenant.js'
import { makeTestDatabase } from '../support/test-database.js'

export interface BucketRow {
  tokens: number
  dayCount: number
  leasedAtMs: number
}

/** A local clock that stands still until it is moved; the database's goes on. */
export class MovableClock implements Clock {
  #nowMs = 1_000_000

  nowMs(): number {
    return this.#nowMs
  }

  advance(durationMs: number): void {
    this.#nowMs += durationMs
  }
}

/** One database, an operator's connection to it, and as many "processes" as a test wants. */
export async function makeLimitsFixture() {
  const testDatabase = await makeTestDatabase()
  const operator = new pg.Client({ connectionString: testDatabase.migrateUrl })
  await operator.connect()
  const databases: Database[] = []
  const limiters: Limiter[] = []

  const openDatabase = (url = testDatabase.databaseUrl): Database => {
    const db = new Database({ url, poolSize: 2, applicationName: 'limits', onConnectionError: () => {} })
    databases.push(db)
    return db
  }

  return {
    operator,
    openDatabase,

    openLimiter(clock: Clock, db = openDatabase()): Limiter {
      const limiter = new Limiter({ db, clock, log: makeLog('silent', 'test') })
      limiters.push(limiter)
      return limiter
    },

    async addTenant({ ratePerSecond, burst, perDay }: TenantLimits): Promise<TenantScope> {
      const tenantId = randomUUID()
      await operator.query(
        `insert into casenote.tenants
           (tenant_id, name, environment, client_id, rate_per_second, burst, per_day)
         values ($1, 'Acme', 'sandbox', 'acme', $2, $3, $4)`,
        [tenantId, ratePerSecond, burst, perDay],
      )
      return { tenantId }
    },

    async readBucket({ tenantId }: TenantScope): Promise<BucketRow> {
      const { rows } = await operator.query<BucketRow>(
        `select tokens, day_count::int as "dayCount",
           extract(epoch from refilled_at)::float8 * 1000 as "leasedAtMs"
         from casenote.limit_buckets where tenant_id = $1`,
        [tenantId],
      )
      return rows[0] as BucketRow
    },

    /** As if the bucket had last been touched that much earlier. */
    async age({ tenantId }: TenantScope, interval: string): Promise<void> {
      await operator.query(
        `update casenote.limit_buckets set refilled_at = refilled_at - $2::interval,
           day = ((refilled_at - $2::interval) at time zone 'utc')::date where tenant_id = $1`,
        [tenantId, interval],
      )
    },

    async readDatabaseMs(): Promise<number> {
      const { rows } = await operator.query<{ at: number }>(
        'select extract(epoch from clock_timestamp())::float8 * 1000 as at',
      )
      return rows[0]?.at ?? Number.NaN
    },

    async tearDown(): Promise<void> {
      await Promise.all(limiters.map((limiter) => limiter.stop()))
      await Promise.all(databases.map((db) => db.end()))
      await operator.end()
      await testDatabase.drop()
    },
  }
}

export type LimitsFixture = Awaited<ReturnType<typeof makeLimitsFixture>>

export async function admitTimes(
  times: number,
  admit: () => LimitVerdict | Promise<LimitVerdict>,
): Promise<LimitVerdict[]> {
  const verdicts: LimitVerdict[] = []
  for (let n = 0; n < times; n += 1) verdicts.push(await admit())
  return verdicts
}

export const countAdmitted = (verdicts: readonly LimitVerdict[]): number =>
  verdicts.filter((verdict) => verdict.isAdmitted).length
