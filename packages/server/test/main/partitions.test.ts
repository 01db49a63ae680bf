import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/kernel/config.js'
import { establishClientKeys } from '../../src/kernel/key-store/index.js'
import { BlackHole } from '../support/black-hole.js'
import { CasenoteProcess, freePort, makeDataFolder, waitUntil } from '../support/casenote-process.js'
import { askHealth, isReadyAt, startAllRoles, startRole } from '../support/started-roles.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

/** What is promised, and what a machine that is busy with other tests may take beyond it: what is not noticed lasts for a quarter of an hour. */
const noticedWithinMs = 10_000
const slackMs = 20_000

let service: TestService
let partner: TestPartner
let hole: BlackHole
let folder: { path: string; remove(): Promise<void> }
let env: Record<string, string>

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  hole = new BlackHole(service.database.databaseUrl)
  await hole.listen()
  folder = await makeDataFolder()
  env = {
    ...service.settingsFor(folder.path),
    DATABASE_URL: hole.wayOf(service.database.databaseUrl),
    CASENOTE_DISPATCHER_URL: hole.wayOf(service.database.dispatcherUrl),
    CASENOTE_LOG_LEVEL: 'info',
    // With it the worker has connections whose statements may take as long as they like.
    CASENOTE_KEY_STORE: join(folder.path, 'key-store'),
  }
  await establishClientKeys(readConfig(env), service.owner, service.masterKeys)
})
afterAll(async () => {
  await hole.close()
  await service.close()
  await folder.remove()
})

afterEach(() => hole.reopen())

const readOrganizations = (url: string): Promise<Response> =>
  fetch(`${url}/v2/organizations`, { headers: partner.headers })

describe('api, worker and dispatcher, when the database falls silent', () => {
  it('give every silent connection up within 10 s and go on with new ones', async () => {
    const roles = await startAllRoles(env)
    hole.fallSilent({ all: false })
    expect(hole.silentCount).toBeGreaterThan(8)
    await waitUntil(async () => hole.silentCount === 0, 'no silent one is left', noticedWithinMs + slackMs)
    for (const url of roles.flatMap(({ urls }) => urls)) await waitUntil(() => isReadyAt(url), 'ready again')
    const ends = await Promise.all(roles.map((role) => role.process.end('SIGTERM')))
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0])
  })

  it('are not ready within 10 s, on every port, are ready again when it answers, and stop in time', async () => {
    const roles = await startAllRoles(env)
    const urls = roles.flatMap((role) => role.urls)
    hole.fallSilent({ all: true })
    const deadlineMs = performance.now() + noticedWithinMs + slackMs
    for (const url of urls)
      await waitUntil(async () => !(await isReadyAt(url)), 'it says so', noticedWithinMs + slackMs)
    expect(performance.now()).toBeLessThan(deadlineMs)
    for (const said of await Promise.all(urls.map(askHealth))) {
      expect(said).toMatchObject({ status: 503, body: { status: 'not ready' } })
      expect((said.body as { failing: string[] }).failing).toContain('database')
    }
    hole.reopen()
    for (const url of urls) await waitUntil(() => isReadyAt(url), `${url} is ready again`)
    hole.fallSilent({ all: true })
    const ends = await Promise.all(
      roles.map(async (role) => {
        const toldAtMs = performance.now()
        const { code, stdout } = await role.process.end('SIGTERM')
        return { code, isInTime: performance.now() - toldAtMs < 15_000 + slackMs, stdout }
      }),
    )
    hole.reopen()
    for (const { code, isInTime, stdout } of ends) {
      expect(stdout).not.toContain('closing took too long')
      expect([code, isInTime]).toEqual([0, true])
    }
  })
})

describe('requests during a partition', () => {
  it('are answered 503 with Retry-After, and nothing is told of why', async () => {
    const { process: api, urls } = await startRole('api', env)
    const url = urls.at(-1) as string
    expect((await readOrganizations(url)).status).toBe(200)
    hole.fallSilent({ all: true })
    const startedMs = performance.now()
    const answer = await readOrganizations(url)
    expect(performance.now() - startedMs).toBeLessThan(noticedWithinMs + slackMs)
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    const body = (await answer.json()) as { error: { message: string } }
    expect(body.error.message).toBe('Service unavailable')
    hole.reopen()
    await waitUntil(async () => (await readOrganizations(url)).status === 200, 'requests are answered again')
    await api.stop()
  })
})

describe('a start', () => {
  it('that waits for a silent database ends with SIGTERM', async () => {
    hole.fallSilent({ all: true })
    const adminPort = await freePort()
    const start = new CasenoteProcess(['start'], {
      ...env,
      CASENOTE_MIGRATE_URL: hole.wayOf(service.database.migrateUrl),
      PORT: String(await freePort()),
      CASENOTE_ADMIN_PORT: String(adminPort),
    })
    const isUp = async (): Promise<boolean> =>
      (await fetch(`http://127.0.0.1:${adminPort}/health/live`)).status === 200
    await waitUntil(isUp, 'the process is up')
    const startedMs = performance.now()
    await start.stop()
    expect(performance.now() - startedMs).toBeLessThan(15_000 + slackMs)
  })
})
