import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Database } from '../../src/kernel/db/database.js'
import { ClientKeys } from '../../src/kernel/key-store/client-keys.js'
import { makeCommandKeyStore } from '../../src/kernel/key-store/command-key-store.js'
import { makeFolderKeyStore } from '../../src/kernel/key-store/folder-key-store.js'
import type { KeyStore } from '../../src/kernel/key-store/key-store.js'
import { newDocument, writeDocument } from '../../src/kernel/key-store/key-store-document.js'
import { replacePrivateFile } from '../../src/kernel/private-file.js'
import type { Log } from '../../src/kernel/log.js'
import { MasterKeys } from '../../src/kernel/secrets/master-keys.js'
import { watchKeyStore } from '../../src/main/watch-key-store.js'
import { makeTestDatabase, openSuperuser, type TestDatabase } from '../support/test-database.js'

const tenant = '11111111-1111-4111-8111-111111111111'
const client = '00000000-0000-4000-8000-000000000001'
const masterKeys = new MasterKeys(() => [Buffer.alloc(32, 7)])
const env = { PATH: process.env.PATH }

/** The shell goes, and its child keeps the pipe. */
const hanging = (withinMs: number): KeyStore =>
  makeCommandKeyStore({ words: ['/bin/sh', '-c', 'sleep 60; true'], env }, withinMs)

/** Long before what hangs would end by itself. */
async function expectSoon(act: () => Promise<unknown>, problem: string): Promise<void> {
  const beganMs = performance.now()
  await expect(act()).rejects.toThrow(problem)
  expect(performance.now() - beganMs).toBeLessThan(20_000)
}

describe('a key store whose command hangs', () => {
  it('is cut at its bound, with what the command has started', async () => {
    await expectSoon(() => hanging(300).read(), 'which was to read, took longer than 0.3 s')
    // More than a pipe takes while nobody reads.
    const much = Buffer.alloc(2_000_000)
    await expectSoon(() => hanging(300).write(much), 'which was to write, took longer than 0.3 s')
  })

  it('is cut also while something that left its group holds the pipes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'casenote-hangs-'))
    const pidFile = join(folder, 'pid')
    const script = `setsid sh -c 'echo $$ > ${pidFile}; exec sleep 60' & wait`
    const store = makeCommandKeyStore({ words: ['/bin/sh', '-c', script], env }, 2_000)
    await expectSoon(() => store.write(Buffer.alloc(2_000_000)), 'took longer than 2 s')
    process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGKILL')
    await rm(folder, { recursive: true })
  })

  it('is looked at by one look at a time', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    let begun = 0
    let answer = (): void => {}
    const store: KeyStore = {
      name: 'a slow one',
      look: () => {
        begun += 1
        return new Promise((resolve) => (answer = () => resolve(null)))
      },
      read: async () => null,
      write: async () => {},
    }
    const clientKeys = new ClientKeys(store, masterKeys, newDocument())
    const watch = watchKeyStore({ clientKeys }, { warn: () => {} } as unknown as Log)
    onTestFinished(() => watch?.stop())
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(begun).toBe(1)
    answer()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(begun).toBe(2)
  })
})

describe('a key store whose folder hangs', () => {
  it('is given up at its bound, refused at once then, and goes on when the folder answers', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'casenote-hangs-'))
    const path = join(folder, 'key-store.json')
    // Opening a pipe that nobody writes to waits in the system, as a file of a server that is gone.
    execFileSync('/usr/bin/mkfifo', [path])
    const store = makeFolderKeyStore(folder, { atOnceMost: 1, withinMs: 300 })
    await expectSoon(() => store.read(), 'the folder of the key store does not answer')
    await expectSoon(() => store.write(Buffer.from('{}')), 'the folder of the key store does not answer')
    const other = openSync(path, constants.O_RDWR)
    await rm(path)
    await writeFile(path, '{}')
    closeSync(other)
    await expect.poll(() => store.read().then(String, () => null)).toBe('{}')
    await rm(folder, { recursive: true })
  })

  it('is not written by whoever was given up meanwhile: another may have written it since', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'casenote-given-up-'))
    const path = join(folder, 'key-store.json')
    await replacePrivateFile(path, 'newer')
    await expect(replacePrivateFile(path, 'older', AbortSignal.abort())).rejects.toThrow()
    expect(await readFile(path, 'utf8')).toBe('newer')
    await rm(folder, { recursive: true })
  })
})

describe('the lock on the key store', () => {
  let database: TestDatabase
  let db: Database
  let superuser: pg.Client
  beforeAll(async () => {
    database = await makeTestDatabase()
    superuser = await openSuperuser(database)
    db = new Database({
      url: database.migrateUrl,
      poolSize: 1,
      applicationName: 'test',
      onConnectionError: () => {},
    })
  })
  afterAll(async () => {
    await db.end()
    await superuser.end()
    await database.drop()
  })

  const holders = async (): Promise<number> => {
    const { rows } = await superuser.query(
      `select count(*)::int as total from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())`,
    )
    return (rows[0] as { total: number }).total
  }

  it('is free again once a command that hung was cut', async () => {
    const keys = new ClientKeys(hanging(2_000), masterKeys, newDocument())
    const destroyed = keys.destroy(db, tenant, client)
    const refused = expectSoon(() => destroyed, 'took longer than 2 s')
    await expect.poll(holders).toBe(1)
    await refused
    await expect.poll(holders).toBe(0)
  })

  it('is asked for again before anything is written: whoever has lost it meanwhile writes nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'casenote-lost-lock-'))
    const store = makeFolderKeyStore(join(folder, 'store'))
    const document = newDocument()
    await store.write(writeDocument(document, masterKeys))
    const before = await store.read()
    const slow: KeyStore = {
      ...store,
      read: async () => {
        // As the server ends a transaction that stood still for too long.
        await superuser.query(
          `select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory' and granted
            and database = (select oid from pg_database where datname = current_database())`,
        )
        return store.read()
      },
    }
    const keys = new ClientKeys(slow, masterKeys, document)
    await expect(keys.destroy(db, tenant, client)).rejects.toThrow()
    expect(await store.read()).toEqual(before)
    await rm(folder, { recursive: true })
  })
})
