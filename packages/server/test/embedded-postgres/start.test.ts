import {
  chown,
  cp,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findNativeFolder } from '../../src/main/embedded-postgres/binaries.js'
import { findEmbeddedPostgres, readEmbeddedVersion } from '../../src/main/embedded-postgres/index.js'
import { isAlive } from '../../src/main/embedded-postgres/postmaster.js'
import {
  createScratchFolder,
  forgetDataFolder,
  isRoot,
  makeDataDir,
  makeScratchFolder,
  query,
  startQuietly,
  waitUntil,
} from './scratch.js'

describe('starting the embedded PostgreSQL', () => {
  it('makes a database for an owner who is no superuser, and keeps it for the next start', async () => {
    const dataDir = await makeDataDir()
    const first = await startQuietly(dataDir)
    const [role] = await query(
      first.migrateUrl,
      `select current_user as name, current_database() as database, rolsuper, rolcreaterole, rolbypassrls
         from pg_roles where rolname = current_user`,
    )
    expect(role).toEqual({
      name: 'casenote_owner',
      database: 'casenote',
      rolsuper: false,
      rolcreaterole: true,
      rolbypassrls: false,
    })
    const [database] = await query(
      first.migrateUrl,
      `select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale,
              current_setting('data_checksums') as checksums, current_setting('TimeZone') as timezone
         from pg_database where datname = 'casenote'`,
    )
    expect(database).toEqual({
      encoding: 'UTF8',
      provider: 'b',
      locale: 'C.UTF-8',
      checksums: 'on',
      timezone: 'UTC',
    })
    expect(await query(first.superuserUrl, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    await query(first.migrateUrl, 'create table kept as select 42 as answer')
    const pid = first.pid()
    await first.stop()
    await first.stop()
    expect(isAlive(pid)).toBe(false)
    expect(await findEmbeddedPostgres(dataDir)).toBeNull()

    const second = await startQuietly(dataDir)
    expect(second.migrateUrl).toBe(first.migrateUrl)
    expect(await query(second.migrateUrl, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(await findEmbeddedPostgres(dataDir)).toMatchObject({ databaseUrl: second.databaseUrl })
    await second.stop()
  })

  it('recovers from a kill in the middle of initdb, and before the database was made', async () => {
    const dataDir = await makeDataDir()
    const leftover = join(dataDir, 'postgres', 'initdb-killed')
    await mkdir(join(leftover, 'cluster', 'base'), { recursive: true })
    await writeFile(join(leftover, 'cluster', 'PG_VERSION'), '18\n')
    const first = await startQuietly(dataDir)
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('initdb-killed')
    await query(first.superuserUrl, 'drop database casenote')
    await query(first.superuserUrl, 'drop role casenote_owner')
    await first.stop()

    const second = await startQuietly(dataDir)
    expect(await query(second.migrateUrl, 'select 1 as one')).toEqual([{ one: 1 }])
    await second.stop()
  })

  it('puts the socket elsewhere when the path of the data folder is too long for one', async () => {
    const dataDir = join(await makeScratchFolder(), 'a folder, "deep" down/'.repeat(8), 'data')
    forgetDataFolder(dataDir)
    const postgres = await startQuietly(dataDir)
    expect(await query(postgres.migrateUrl, 'select 1 as one')).toEqual([{ one: 1 }])
    const [{ directory } = { directory: '' }] = await query<{ directory: string }>(
      postgres.superuserUrl,
      `select trim(both '"' from current_setting('unix_socket_directories')) as directory`,
    )
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    expect(await findEmbeddedPostgres(dataDir)).toMatchObject({ migrateUrl: postgres.migrateUrl })
    await postgres.stop()
    await expect(stat(directory)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it.runIf(isRoot)('under root, leaves a closed path to the data folder closed', async () => {
    const parent = join(await makeScratchFolder(), 'closed')
    await mkdir(parent, { mode: 0o700 })
    const dataDir = join(parent, 'data')
    forgetDataFolder(dataDir)
    const said: string[] = []
    const first = await startQuietly(dataDir, said)
    await query(first.migrateUrl, 'create table kept as select 42 as answer')
    await first.stop()
    expect((await stat(parent)).mode & 0o777).toBe(0o700)
    const outside = await readlink(join(dataDir, 'postgres'))
    expect(outside).toMatch(/^\/var\/lib\/casenote\/[0-9a-f]{16}$/)
    expect(said.join('\n')).toContain(`cannot pass ${parent}: the database files are in ${outside}`)

    const second = await startQuietly(dataDir)
    expect(await query(second.migrateUrl, 'select answer from kept')).toEqual([{ answer: 42 }])
    await second.stop()
    await rm(outside, { recursive: true })
    await expect(startQuietly(dataDir)).rejects.toThrow(/that folder is gone/)
  })

  it.runIf(isRoot)('under root, tells its version also where the program is on a closed path', async () => {
    const closed = join(await makeScratchFolder(), 'closed')
    await mkdir(closed, { mode: 0o700 })
    await cp(join(findNativeFolder(), '..'), closed, { recursive: true, verbatimSymlinks: true })
    const log = { info: () => undefined, warn: () => undefined }
    expect(await readEmbeddedVersion(log, join(closed, 'native'))).toBeGreaterThanOrEqual(180_000)
  })
})

describe('starting on a data folder that was used before', () => {
  let dataDir: string
  beforeAll(async () => {
    const folder = await createScratchFolder()
    dataDir = join(folder, 'data')
    await (await startQuietly(dataDir)).stop()
    return () => rm(folder, { recursive: true })
  })

  it('lets nobody else read the passwords, and refuses wrong ones', async () => {
    const postgres = await startQuietly(dataDir)
    onTestFinished(() => postgres.stop())
    const passwords = await stat(join(dataDir, 'postgres-passwords.json'))
    expect(passwords.mode & 0o777).toBe(0o600)
    const wrongUrl = postgres.migrateUrl.replace(/:[^:@]+@/, ':wrong@')
    await expect(query(wrongUrl, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  })

  it('writes no row values to its log', async () => {
    const postgres = await startQuietly(dataDir)
    onTestFinished(() => postgres.stop())
    await query(postgres.migrateUrl, 'create table names (name text primary key)')
    const insert = `insert into names values ('Ada Lovelace')`
    await query(postgres.migrateUrl, insert)
    await expect(query(postgres.migrateUrl, insert)).rejects.toMatchObject({ code: '23505' })
    // What comes later in the log shows that the error would be there by then.
    await expect(query(postgres.migrateUrl.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow()
    const folder = join(dataDir, 'postgres', 'log')
    const readAll = async (): Promise<string> => {
      const names = await readdir(folder)
      return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join()
    }
    await waitUntil(async () => (await readAll()).includes('password authentication failed'))
    expect(await readAll()).not.toContain('Lovelace')
  })

  it('cuts a log that grew beyond its bound', async () => {
    const path = join(dataDir, 'postgres', 'log', 'grown.log')
    await writeFile(path, '')
    await truncate(path, 17 * 1024 * 1024)
    await (await startQuietly(dataDir)).stop()
    expect((await stat(path)).size).toBe(0)
  })

  it('says so when another major version of PostgreSQL wrote the data', async () => {
    await changeForThisTest(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'), '17\n')
    await expect(startQuietly(dataDir)).rejects.toThrow(/written by PostgreSQL 17, .* brings PostgreSQL 18/)
  })

  it('says so when the passwords are gone', async () => {
    const path = join(dataDir, 'postgres-passwords.json')
    await rename(path, `${path}-elsewhere`)
    onTestFinished(() => rename(`${path}-elsewhere`, path))
    await expect(startQuietly(dataDir)).rejects.toThrow(/postgres-passwords\.json is missing/)
  })

  it('shows the last words of a server that cannot start', async () => {
    await changeForThisTest(join(dataDir, 'postgres', 'cluster', 'postgresql.conf'), 'no_such_setting = 1\n')
    await expect(startQuietly(dataDir)).rejects.toThrow(/did not start: .*no_such_setting/s)
  })

  it.runIf(isRoot)('names the owner of a data folder that somebody else used', async () => {
    const path = join(dataDir, 'postgres-passwords.json')
    await chown(path, 54_321, 54_321)
    onTestFinished(() => chown(path, 0, 0))
    await expect(startQuietly(dataDir)).rejects.toThrow(/belongs to uid 54321, .* started as root \(uid 0\)/)
    await expect(findEmbeddedPostgres(dataDir)).rejects.toThrow(/belongs to uid 54321/)
  })
})

/** Writes into the file, which keeps its owner. */
async function changeForThisTest(path: string, text: string): Promise<void> {
  const before = await readFile(path)
  onTestFinished(() => writeFile(path, before))
  await writeFile(path, text)
}
