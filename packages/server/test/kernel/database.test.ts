import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answerInTime, SilentConnection } from '../../src/kernel/db/connection-limits.js'
import { Database, type Statement } from '../../src/kernel/db/database.js'
import { BlackHole } from '../support/black-hole.js'
import { makeTestDatabase, type TestDatabase } from '../support/test-database.js'

const tenant = { tenantId: '00000000-0000-4000-8000-000000000001' }

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await makeTestDatabase()
  // One connection, so that what is prepared on it is met again.
  db = new Database({
    url: database.databaseUrl,
    poolSize: 1,
    applicationName: 'test',
    onConnectionError: () => {},
  })
})
afterAll(async () => {
  await db.end()
  await database.drop()
})

const count = (upTo: number) => ({
  name: 'count',
  text: "select n, n = 1 as first, null::text as none, date '2024-02-29' + n as day from generate_series(1, $1::int) n",
  values: [upTo],
})
const greet = { name: 'greet', text: 'select $1::text as word', values: ['hello'] }

describe('reads on one connection', () => {
  it('give the same rows when a statement has been described before', async () => {
    const first = await db.read(tenant, count(2))
    expect(first).toEqual([
      { n: 1, first: true, none: null, day: '2024-03-01' },
      { n: 2, first: false, none: null, day: '2024-03-02' },
    ])
    expect(await db.read(tenant, count(2))).toEqual(first)
    expect(await db.read(tenant, count(0))).toEqual([])
    expect(await db.read(tenant, greet, count(1), { text: 'select 7 as seven', values: [] }, greet)).toEqual([
      [{ word: 'hello' }],
      first.slice(0, 1),
      [{ seven: 7 }],
      [{ word: 'hello' }],
    ])
  })

  it('never read rows by columns that have changed since', async () => {
    await using owner = await openOwner()
    await owner.client.query(
      'create table public.things (a int, b text); insert into public.things values (1, $$x$$)',
    )
    await owner.client.query('grant select on public.things to public')
    const all = { name: 'things', text: 'select * from public.things', values: [] }
    expect(await db.read(tenant, all)).toEqual([{ a: 1, b: 'x' }])
    await owner.client.query(
      'alter table public.things drop column a; alter table public.things add column c int',
    )
    await expect(db.read(tenant, all)).rejects.toMatchObject({ code: '0A000' })
  })
})

describe('short reads that are asked for in one turn', () => {
  const other = { tenantId: '00000000-0000-4000-8000-000000000002' }
  const whose = (value: number): Statement<Record<'value' | 'tenantId' | 'transaction', unknown>> => ({
    name: 'whose',
    text: `select $1::int as value, current_setting('app.tenant') as "tenantId", pg_current_xact_id()::text as "transaction"`,
    values: [value],
    isShort: true,
  })
  const divide = (by: number) => ({
    name: 'divide',
    text: 'select 6 / $1::int as result',
    values: [by],
    isShort: true as const,
  })
  const transactions = async (reads: Promise<Record<string, unknown>[]>[]) =>
    new Set((await Promise.all(reads)).map(([row]) => row?.['transaction'])).size
  let two: Database

  beforeAll(() => {
    const url = database.databaseUrl
    two = new Database({ url, poolSize: 2, applicationName: 'test', onConnectionError: () => {} })
  })
  afterAll(() => two.end())

  it('go together for one tenant, and never with those of another', async () => {
    const reads = [tenant, other, tenant, other, tenant].map((one, value) => two.read(one, whose(value)))
    const rows = (await Promise.all(reads)).flat()
    expect(rows.map((row) => [row['value'], row['tenantId']])).toEqual([
      [0, tenant.tenantId],
      [1, other.tenantId],
      [2, tenant.tenantId],
      [3, other.tenantId],
      [4, tenant.tenantId],
    ])
    expect(new Set(rows.map((row) => row['transaction'])).size).toBe(2)
  })

  it('go with nothing that is not short', async () => {
    const { isShort: _isShort, ...long } = whose(1)
    expect(await transactions([two.read(tenant, whose(0)), two.read(tenant, long)])).toBe(2)
    const [[, rows], [beside]] = await Promise.all([
      two.read(tenant, greet, whose(2)),
      two.read(tenant, whose(3)),
    ])
    expect(rows?.[0]?.['transaction']).not.toBe(beside?.['transaction'])
  })

  it('fail alone', async () => {
    const reads = [divide(2), divide(0), divide(3)].map((statement) => two.read(tenant, statement))
    const [first, second, third] = await Promise.allSettled(reads)
    expect(first).toMatchObject({ value: [{ result: 3 }] })
    expect(second).toMatchObject({ reason: { code: '22012' } })
    expect(third).toMatchObject({ value: [{ result: 2 }] })
  })

  it('fail together, and are not asked again, when the connection ends', async () => {
    const end = { text: 'select pg_terminate_backend(pg_backend_pid())', values: [], isShort: true as const }
    const reads = await Promise.allSettled([two.read(tenant, whose(0)), two.read(tenant, end)])
    expect(reads.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('wait for their own time only while no connection is free', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    let writing = Promise.resolve()
    await new Promise<void>((resolve) => {
      writing = db.write(tenant, () => {
        resolve()
        return held
      })
    })
    const reads = [0, 1, 2].map((value) => db.read(tenant, whose(value)))
    // They are sent at the end of this turn.
    await new Promise((resolve) => setImmediate(resolve))
    release()
    await writing
    expect(await transactions(reads)).toBe(3)
  })
})

describe('a connection that is asked again and again', () => {
  const withinMs = 1_000
  let hole: BlackHole
  let client: pg.Client
  const ask = (text: string) => answerInTime(client, () => client.query(text), withinMs)

  beforeEach(async () => {
    hole = new BlackHole(database.databaseUrl)
    await hole.listen()
    client = new pg.Client({ connectionString: hole.wayOf(database.databaseUrl) })
    client.on('error', () => {})
    await client.connect()
  })
  afterEach(async () => {
    await client.end().catch(() => {}) // It has been cut.
    await hole.close()
  })

  it('waits for an answer of which more and more comes, however long that takes', async () => {
    const slowly = 'select pg_sleep(0.4), repeat(md5(n::text), 4096) from generate_series(1, 5) n'
    expect((await ask(slowly)).rows).toHaveLength(5)
  })

  it('is cut for the question that is not answered in time, and for none before', async () => {
    // Together longer than one may take: the timer of the first must not end a later one.
    for (let turn = 0; turn < 3; turn += 1) await ask('select pg_sleep(0.4)')
    hole.fallSilent({ all: true })
    const askedAtMs = performance.now()
    await expect(ask('select 1')).rejects.toBeInstanceOf(SilentConnection)
    expect(performance.now() - askedAtMs).toBeGreaterThanOrEqual(withinMs)
  })
})

async function openOwner() {
  const client = new pg.Client({ connectionString: database.migrateUrl })
  await client.connect()
  return { client, [Symbol.asyncDispose]: () => client.end() }
}
