import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import {
  freePort,
  makeDataFolder,
  runCasenote,
  startCasenote,
  waitUntil,
} from '../support/casenote-process.js'

/** An empty database on a server that Casenote did not start: the test run's own, for example. */
let name: string
let urls: { DATABASE_URL: string; CASENOTE_MIGRATE_URL: string }
let superuserUrl: string
let folder: { path: string; remove(): Promise<void> }
let env: Record<string, string>

beforeAll(async () => {
  const postgres = inject('postgres')
  name = `external_${randomBytes(6).toString('hex')}`
  const into = (url: string): string => url.replace(/\/[a-z_]+\?/, `/${name}?`)
  superuserUrl = postgres.superuserUrl
  await asSuperuser(`create database ${name} owner casenote_owner`)
  urls = { DATABASE_URL: into(postgres.databaseUrl), CASENOTE_MIGRATE_URL: into(postgres.migrateUrl) }
  folder = await makeDataFolder()
  env = { ...urls, CASENOTE_DATA_DIR: folder.path, CASENOTE_MASTER_KEY: randomBytes(32).toString('base64') }
})
afterAll(async () => {
  await asSuperuser(`drop database ${name} with (force)`)
  await folder.remove()
})

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}

describe('with DATABASE_URL', () => {
  it('refuses a schema that is not there yet, and says what to do', async () => {
    const { code, stderr } = await runCasenote(['api'], { ...env, PORT: String(await freePort()) })
    expect([code, stderr]).toEqual([1, expect.stringContaining('casenote migrate')])
  })

  it('migrates once and again, runs each role in a process of its own, and starts no server', async () => {
    for (let time = 0; time < 2; time += 1) {
      const { code, stdout } = await runCasenote(['migrate'], env)
      expect([code, stdout]).toEqual([0, expect.stringContaining('up to date')])
    }
    const services = { ...env, CASENOTE_MIGRATE_URL: '' }
    const api = await startCasenote(services, 'api')
    const adminPort = await freePort()
    const worker = startCasenote(
      { ...services, PORT: String(adminPort), CASENOTE_ADMIN_PORT: String(adminPort) },
      'worker',
    )
    const metrics = await worker.then(({ url }) => fetch(`${url}/metrics`)).then((answer) => answer.text())
    expect(metrics).toContain('process_resident_memory_bytes')
    await api.process.stop()
    await (await worker).process.stop()
  })

  it('refuses to serve as superuser or owner', async () => {
    for (const url of [superuserUrl.replace(/\/[a-z_]+\?/, `/${name}?`), urls.CASENOTE_MIGRATE_URL]) {
      const { code, stderr } = await runCasenote(['api'], {
        ...env,
        DATABASE_URL: url,
        PORT: String(await freePort()),
      })
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/DATABASE_URL: the services cannot run as database role/),
      ])
    }
  })

  it('operator commands need the owner, and say so', async () => {
    const { code, stderr } = await runCasenote(['partner', 'list'], { ...env, CASENOTE_MIGRATE_URL: '' })
    expect([code, stderr]).toEqual([1, expect.stringContaining('CASENOTE_MIGRATE_URL')])
  })

  it('goes on by itself when its connections are cut', async () => {
    const started = await runCasenote(['migrate'], env)
    expect(started.code).toBe(0)
    const { process: service, url } = await startCasenote(env)
    await asSuperuser(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    await waitUntil(async () => (await fetch(`${url}/health/ready`)).status === 200, 'ready again', 10_000)
    await service.stop()
  })
})
