import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { ConnectionWatch } from '../../src/kernel/db/watch-connection.js'
import { BlackHole } from '../support/black-hole.js'
import { waitUntil } from '../support/casenote-process.js'
import { makeTestDatabase, openSuperuser, type TestDatabase } from '../support/test-database.js'

let database: TestDatabase
let superuser: pg.Client
let hole: BlackHole
const opened: pg.Client[] = []
const watches: ConnectionWatch[] = []
const users: string[] = []

beforeAll(async () => {
  database = await makeTestDatabase()
  superuser = await openSuperuser(database)
})
afterAll(async () => {
  for (const user of users) await superuser.query(`drop owned by ${user}; drop role ${user}`)
  await superuser.end()
  await database.drop()
})

beforeEach(async () => {
  hole = new BlackHole(database.databaseUrl)
  await hole.listen()
})
afterEach(async () => {
  for (const watch of watches.splice(0)) await watch.stop()
  // Some have been cut.
  for (const client of opened.splice(0)) await client.end().catch(() => {})
  await hole.close()
})

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  opened.push(client)
  return client
}

function startWatch(url: string): ConnectionWatch {
  const watch = new ConnectionWatch(url)
  watches.push(watch)
  return watch
}

/** Would last for ever: only who looks notices that the server has gone. */
const expectCut = (client: pg.Client): Promise<void> =>
  expect(client.query('select pg_sleep(3600)')).rejects.toThrow('did not answer in time')

const findLooker = async (user: string): Promise<number | null> => {
  const { rows } = await superuser.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and usename = $1 and application_name = 'casenote look'`,
    [user],
  )
  return rows[0]?.pid ?? null
}

async function makeLogin(): Promise<{ user: string; url: string }> {
  const user = `watched_${randomUUID().replaceAll('-', '')}`
  users.push(user)
  const { password } = new URL(database.databaseUrl.replace('@/', '@host/'))
  await superuser.query(`create role ${user} login password '${password}'`)
  const { rows } = await superuser.query<{ name: string }>('select current_database() as name')
  await superuser.query(`grant connect on database ${rows[0]?.name} to ${user}`)
  const url = new URL(hole.wayOf(database.databaseUrl))
  url.username = user
  return { user, url: url.href }
}

it('what the server says to one connection more cuts none that works, and it is looked again', async () => {
  const { user, url } = await makeLogin()
  await superuser.query(`alter role ${user} connection limit 1`)
  const client = await open(url)
  await startWatch(url).add(client)
  await waitUntil(async () => hole.acceptedCount >= 3, 'it was refused, and asked again')
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await superuser.query(`alter role ${user} connection limit 2`)
  await waitUntil(async () => (await findLooker(user)) !== null, 'it is looked')
  // One that looks may be ended by itself as well.
  const first = await findLooker(user)
  await superuser.query('select pg_terminate_backend($1)', [first])
  await waitUntil(async () => ![null, first].includes(await findLooker(user)), 'it is looked again')
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  hole.fallSilent({ all: true })
  await expectCut(client)
}, 60_000)

it('a connection that is added while a look ends is watched as well', async () => {
  const { user, url } = await makeLogin()
  const watch = startWatch(url)
  const client = await open(url)
  await watch.add(client)
  await waitUntil(async () => (await findLooker(user)) !== null, 'it is looked')
  watch.remove(client)
  // Its goodbye is not answered: the look takes a second to end.
  hole.fallSilent({ all: false })
  const next = await open(url)
  await waitUntil(async () => hole.swallowedCount > 0, 'the look ends')
  await watch.add(next)
  hole.fallSilent({ all: true })
  await expectCut(next)
}, 60_000)
