import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { ownFile } from '../own-files.js'
import { connectionLimits, endInTime } from './connection-limits.js'
import { connectionOf } from './connection-tls.js'
import type { Database } from './database.js'
import { DatabaseFault } from './db-errors.js'
import { ensureRoles } from './roles.js'
import { watchConnection } from './watch-connection.js'

const migrationsFolder = ownFile('migrations')
const filePattern = /^(\d{4})_[a-z0-9_]+\.sql$/

/** Any constant: one migration at a time per database. */
const migrationLock = 7_226_431

interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
}

async function listMigrations(): Promise<Migration[]> {
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name, index) => {
      const version = Number(filePattern.exec(name)?.[1])
      if (version !== index + 1) throw new Error(`migration ${name}: expected number ${index + 1}`)
      const sql = await readFile(join(migrationsFolder, name), 'utf8')
      return { version, name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

export interface MigrateOptions {
  migrateUrl: string
  /** Login roles to create or repair with the right memberships, from the URLs that the services will use. */
  databaseUrl: string | null
  dispatcherUrl: string | null
  report: (line: string) => void
}

/**
 * Brings the schema up to date: each file in its own transaction, recorded with its checksum, under an advisory lock.
 * `lock_timeout` keeps a migration from queueing behind a long reader and everyone else behind it.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const client = new pg.Client({
    ...connectionOf(options.migrateUrl),
    application_name: 'casenote migrate',
    ...connectionLimits,
  })
  // The statement in hand fails; without a listener the same loss would also end the process.
  client.on('error', () => {})
  await client.connect()
  let watch: { stop(): Promise<void> } | null = null
  try {
    watch = await watchConnection(client, options.migrateUrl)
    await requireServerVersion(client)
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query("set lock_timeout = '10s'")
    await ensureRoles(client, options)
    await applyMissing(client, options.report)
  } finally {
    await watch?.stop()
    await endInTime(
      () => [client],
      () => client.end(),
    )
  }
}

async function requireServerVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  )
  if ((rows[0]?.version ?? 0) < 150_000) throw new Error('Casenote needs PostgreSQL 15 or later')
}

async function applyMissing(client: pg.Client, report: (line: string) => void): Promise<void> {
  await client.query(`
    create schema if not exists casenote;
    create table if not exists casenote.schema_migrations (
      version int primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`)
  const { rows } = await client.query<{ version: number; checksum: string }>(
    'select version, checksum from casenote.schema_migrations',
  )
  const applied = new Map(rows.map((row) => [row.version, row.checksum]))
  for (const migration of await listMigrations()) {
    const checksum = applied.get(migration.version)
    if (checksum === migration.checksum) continue
    if (checksum !== undefined)
      throw new Error(`migration ${migration.name} was changed after it was applied`)
    await applyOne(client, migration)
    report(`applied ${migration.name}`)
  }
}

async function applyOne(client: pg.Client, { version, name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query(
      'insert into casenote.schema_migrations (version, name, checksum) values ($1, $2, $3)',
      [version, name, checksum],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`migration ${name} failed`, { cause: error })
  }
}

/** The newest schema that this program knows. */
export const countMigrations = async (): Promise<number> => (await listMigrations()).length

/** The code runs on its own schema and on the next one (expand, then contract), so that an upgrade needs no stop. */
export async function requireSchemaVersion(db: Database): Promise<void> {
  const applied = await readSchemaVersion(db)
  const known = await countMigrations()
  const found = `the database is at schema ${applied}`
  if (applied < known) throw new Error(`${found}, this program needs ${known}: run "casenote migrate"`)
  if (applied > known + 1) throw new Error(`${found}, too new for this program, which knows ${known}`)
}

/** No schema, no table, no right to see it: what a database looks like before its first migration. */
const notMigratedCodes = new Set(['3F000', '42P01', '42501'])

export async function readSchemaVersion(db: Database): Promise<number> {
  try {
    const text = 'select max(version) as version from casenote.schema_migrations'
    const [row] = await db.throughDoor<{ version: number | null }>({ text, values: [] })
    return row?.version ?? 0
  } catch (error) {
    if (error instanceof DatabaseFault && notMigratedCodes.has(error.code)) return 0
    throw error
  }
}
