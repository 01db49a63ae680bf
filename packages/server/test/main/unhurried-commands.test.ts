import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { readConfig } from '../../src/kernel/config.js'
import { answerWithinMs } from '../../src/kernel/db/connection-limits.js'
import { establishClientKeys } from '../../src/kernel/key-store/index.js'
import { runCommandLine } from '../../src/main/cli.js'
import { makeDataFolder } from '../support/casenote-process.js'
import { openSuperuser } from '../support/test-database.js'
import { makeTestService, type TestService } from '../support/test-service.js'

let service: TestService
/** One that locks, and one that looks: within a transaction activity is always the first that was seen. */
let locking: pg.Client
let looking: pg.Client
let folder: { path: string; remove(): Promise<void> }

beforeAll(async () => {
  const masterKey = randomBytes(32)
  service = await makeTestService({ masterKey })
  locking = await openSuperuser(service.database)
  looking = await openSuperuser(service.database)
  await service.addPartner()
  // A data key that is seconds old retires no other.
  await locking.query("update casenote.tenant_keys set created_at = now() - interval '1 day'")
  folder = await makeDataFolder()
  await mkdir(folder.path, { recursive: true })
  await writeFile(join(folder.path, 'master.key'), `${masterKey.toString('base64')}\n`)
  vi.stubEnv('CASENOTE_MIGRATE_URL', service.database.migrateUrl)
  vi.stubEnv('DATABASE_URL', service.database.databaseUrl)
  vi.stubEnv('CASENOTE_DATA_DIR', folder.path)
  vi.stubEnv('CASENOTE_KEY_STORE', join(folder.path, 'key-store'))
  await establishClientKeys(readConfig(process.env), service.owner, service.masterKeys)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  process.exitCode = undefined
  await locking.end()
  await looking.end()
  await service.close()
  await folder.remove()
})

it('commands that walk whole tables let a statement take longer than one of a request may', async () => {
  let said = ''
  const listen = (text: string | Uint8Array): boolean => {
    said += String(text)
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(listen)
  vi.spyOn(process.stderr, 'write').mockImplementation(listen)
  // Each comes to one of these, and takes as long there as it would with all that a large installation has in it.
  await locking.query(
    'begin; lock table casenote.transcripts, casenote.audit_checkpoints, casenote.session_status_history in access exclusive mode',
  )
  const commands = [
    ['key-store', 'seal'],
    ['keys', 'retire', '--purpose', 'data'],
    ['audit', 'verify'],
    ['session', 'retry', '--failed-since', '2026-01-01T00:00Z'],
  ]
  const ran = Promise.all(commands.map((words) => runCommandLine(['node', 'casenote', ...words])))
  const countLate = async (): Promise<number> => {
    const { rows } = await looking.query<{ total: number }>(
      `select count(*)::int as total from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and clock_timestamp() - query_start > make_interval(secs => $1)`,
      [answerWithinMs / 1_000 + 1],
    )
    return rows[0]?.total ?? 0
  }
  await expect.poll(countLate, { timeout: 30_000 }).toBe(commands.length)
  await locking.query('commit')
  await ran
  expect([process.exitCode, said]).toEqual([
    undefined,
    expect.stringContaining('parts of recordings sealed for their clients'),
  ])
  expect(said).toContain('there is no older key')
  expect(said).toContain('The log is intact.')
  expect(said).toContain('Nothing is to be tried again.')
})
