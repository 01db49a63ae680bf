import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  /** The owner, as operators and migrations connect. */
  migrateUrl: string
  /** The application's role, under row security. */
  databaseUrl: string
  dispatcherUrl: string
  /** Only for tests that go around everything. */
  superuserUrl: string
  drop(): Promise<void>
}

/** A clone of the migrated template: a file copy, some 30 ms. Or of nothing, for what migrates itself. */
export async function makeTestDatabase(
  template: 'casenote' | 'template0' = 'casenote',
): Promise<TestDatabase> {
  const { migrateUrl, databaseUrl, dispatcherUrl, superuserUrl } = inject('postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  await asSuperuser(superuserUrl, `create database ${name} template ${template} owner casenote_owner`)
  return {
    migrateUrl: withDatabase(migrateUrl, name),
    databaseUrl: withDatabase(databaseUrl, name),
    dispatcherUrl: withDatabase(dispatcherUrl, name),
    superuserUrl: withDatabase(superuserUrl, name),
    drop: () => asSuperuser(superuserUrl, `drop database ${name} with (force)`),
  }
}

/** Connected; whoever opens it ends it. */
export async function openSuperuser({
  superuserUrl,
}: Pick<TestDatabase, 'superuserUrl'>): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  return client
}

/** Whether a statement about this waits for a lock of ours. `watcher` is in no transaction: in one it would see what was at its start. */
export async function isWaitingForLock(watcher: pg.Client, about: string): Promise<boolean> {
  const { rowCount } = await watcher.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
       and query like '%' || $1 || '%'`,
    [about],
  )
  return rowCount === 1
}

async function asSuperuser(superuserUrl: string, statement: string): Promise<void> {
  const client = await openSuperuser({ superuserUrl })
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** `new URL` refuses URLs without a host, which is how a socket folder is named. */
const withDatabase = (url: string, name: string): string => url.replace(/\/[a-z_]+\?/, `/${name}?`)
