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

/** A line of a migration's file: the oldest schema whose program goes on working on what the migration leaves behind (decision 0047). */
const runsFromPattern = /^-- Programs from schema (\d{1,4}) on run with it\.$/m

/** Any constant: one migration at a time per database. */
const migrationLock = 7_226_431

interface Migration {
  version: number
  /** Without a word of its own the schema before it: an upgrade needs no stop. */
  runsFrom: number
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
      return { version, runsFrom: readRunsFrom(sql, version), name, sql, checksum: hashOf(sql) }
    }),
  )
}

const hashOf = (sql: string): string => createHash('sha256').update(sql).digest('hex')

/** At most the migration's own number: the program that brings it runs with it. */
const readRunsFrom = (sql: string, version: number): number =>
  Math.min(Number(runsFromPattern.exec(sql)?.[1] ?? version - 1), version)

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
    );
    alter table casenote.schema_migrations add column if not exists runs_from int`)
  const { rows } = await client.query<{ version: number; checksum: string }>(
    'select version, checksum from casenote.schema_migrations',
  )
  const applied = new Map(rows.map((row) => [row.version, row.checksum]))
  const migrations = await listMigrations()
  for (const migration of migrations) {
    const checksum = applied.get(migration.version)
    if (checksum === migration.checksum) continue
    if (checksum !== undefined)
      throw new Error(`migration ${migration.name} was changed after it was applied`)
    await applyOne(client, migration)
    // Of a database that is new nobody asks which: they are all of them.
    if (applied.size > 0) report(`applied ${migration.name}`)
  }
  if (applied.size === 0) report(`made the schema: ${migrations.length} migrations`)
}

async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  const { version, runsFrom, name, sql, checksum } = migration
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query(
      'insert into casenote.schema_migrations (version, name, checksum, runs_from) values ($1, $2, $3, $4)',
      [version, name, checksum, runsFrom],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`migration ${name} failed`, { cause: error })
  }
}

/** The newest schema that this program knows. */
export const countMigrations = async (): Promise<number> => (await listMigrations()).length

/**
 * A program runs on its own schema, and on a newer one whose migrations all say that it does: so that an upgrade needs no stop,
 * and the package of before is the way back.
 */
export async function requireSchemaVersion(db: Database): Promise<void> {
  const { version, runsFrom } = await readSchema(db)
  const known = await countMigrations()
  const found = `the database is at schema ${version}`
  if (version < known) throw new Error(`${found}, this program needs ${known}: run "casenote migrate"`)
  if (runsFrom > known) throw new Error(`${found}, too new for this program, which knows ${known}`)
}

/** No schema, no table, no right to see it: what a database looks like before its first migration. */
const notMigratedCodes = new Set(['3F000', '42P01', '42501'])

export const readSchemaVersion = async (db: Database): Promise<number> => (await readSchema(db)).version

async function readSchema(db: Database): Promise<{ version: number; runsFrom: number }> {
  // A schema of before the column has no row that could say more than its number.
  const text = `select max(version) as version,
      max(coalesce((to_jsonb(applied) ->> 'runs_from')::int, version - 1)) as "runsFrom"
    from casenote.schema_migrations as applied`
  try {
    const [row] = await db.throughDoor<{ version: number | null; runsFrom: number | null }>({
      text,
      values: [],
    })
    return { version: row?.version ?? 0, runsFrom: row?.runsFrom ?? 0 }
  } catch (error) {
    if (error instanceof DatabaseFault && notMigratedCodes.has(error.code)) return { version: 0, runsFrom: 0 }
    throw error
  }
}
