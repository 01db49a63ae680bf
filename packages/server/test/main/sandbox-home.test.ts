import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settleSandbox } from '../../src/features/partners/index.js'
import { Database } from '../../src/kernel/db/database.js'
import { DirectoryWatch } from '../../src/kernel/directory-cache.js'
import { makeLog } from '../../src/kernel/log.js'
import { insertInstallation } from '../../src/kernel/secrets/installation.sql.js'
import { keepTellingSandbox } from '../../src/main/sandbox-home.js'
import { makeDataFolder, runCasenote, startCasenote, waitUntil } from '../support/casenote-process.js'
import { makeTestDatabase, type TestDatabase } from '../support/test-database.js'

interface Credentials {
  partnerId: string
  clientId: string
  clientSecret: string
  apiKey: string
  prescriberId: string
}

const logIn = async (url: string, { clientId, clientSecret, apiKey }: Credentials) => {
  const answer = await fetch(`${url}/v2/partners/authenticate`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret }),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    text,
    token: answer.ok ? (JSON.parse(text) as { accessToken: string }).accessToken : '',
  }
}

const bareRefusal = { status: 403, text: '{"message":"Forbidden"}' }

const setCallback = async (url: string, partner: Credentials, callbackUrl: string) => {
  const { token } = await logIn(url, partner)
  const answer = await fetch(`${url}/v2/partners/${partner.partnerId}`, {
    method: 'PATCH',
    headers: { 'x-api-key': partner.apiKey, 'access-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({ callbackUrl }),
  })
  return [answer.status, await answer.text()] as const
}

const statusOf = async (url: string): Promise<number> => (await fetch(url, { redirect: 'manual' })).status

describe('the sandbox', () => {
  let folder: { path: string; remove(): Promise<void> }
  let env: Record<string, string>
  beforeAll(async () => {
    folder = await makeDataFolder()
    env = { CASENOTE_DATA_DIR: folder.path }
  })
  afterAll(() => folder.remove())
  const readSandbox = (): Credentials =>
    JSON.parse(readFileSync(join(folder.path, 'sandbox-credentials.json'), 'utf8')) as Credentials
  const list = async (): Promise<
    { partnerId: string; suspendedAs: string | null; suspendedAt: string | null }[]
  > => JSON.parse((await runCasenote(['partner', 'list', '--json'], env)).stdout) as never

  it('is not made where others reach the service, and a sandbox partner that is made there calls public hosts only', async () => {
    const away = await startCasenote({ ...env, HOST: '0.0.0.0' })
    expect(existsSync(join(folder.path, 'sandbox-credentials.json'))).toBe(false)
    expect(await list()).toEqual([])
    expect(away.process.output).not.toContain('/demo')
    expect(await statusOf(`${away.url}/demo`)).toBe(403)
    const made = await runCasenote(
      ['partner', 'create', '--name', 'Acme', '--environment', 'sandbox', '--json'],
      env,
    )
    const acme = JSON.parse(made.stdout) as Credentials
    expect((await logIn(away.url, acme)).status).toBe(200)
    for (const callbackUrl of [
      'http://localhost:9/hook',
      'https://10.0.0.1/hook',
      'https://127.0.0.1/hook',
    ]) {
      const [status, text] = await setCallback(away.url, acme, callbackUrl)
      expect([status, text]).toEqual([400, expect.stringContaining('callbackUrl must')])
    }
    await away.process.end('SIGTERM')

    // At home, or where the operator says so by name, they may call their own machine.
    const named = await startCasenote({ ...env, HOST: '0.0.0.0', CASENOTE_SANDBOX: 'on' })
    expect((await setCallback(named.url, acme, 'http://localhost:9/hook'))[0]).toBe(200)
    await named.process.end('SIGTERM')
    await folder.remove()
    folder = await makeDataFolder()
    env = { CASENOTE_DATA_DIR: folder.path }
  })

  it('is there on loopback, is as if it were not where others reach the service, and comes back with its data', async () => {
    const home = await startCasenote(env)
    const sandbox = readSandbox()
    const first = await logIn(home.url, sandbox)
    expect([first.status, await statusOf(`${home.url}/demo`)]).toEqual([200, 200])
    const minted = await fetch(`${home.url}/v2/clinicians/${sandbox.prescriberId}/authenticate`, {
      method: 'POST',
      headers: { 'x-api-key': sandbox.apiKey, 'access-token': first.token },
    })
    const { AccessToken } = (await minted.json()) as { AccessToken: string }
    const readClinician = async (url: string): Promise<number> =>
      (await fetch(`${url}/widget/v1/clinician`, { headers: { authorization: `Bearer ${AccessToken}` } }))
        .status
    expect(await readClinician(home.url)).toBe(200)
    await home.process.end('SIGKILL')

    const away = await startCasenote({ ...env, HOST: '0.0.0.0' })
    expect(await logIn(away.url, sandbox)).toMatchObject(bareRefusal)
    expect(await readClinician(away.url)).toBe(401)
    expect(await statusOf(`${away.url}/demo`)).toBe(await statusOf(`${away.url}/nothing`))
    expect(away.process.output).toContain('the sandbox partner and /demo are not served')
    expect(away.process.output).toContain('CASENOTE_SANDBOX=on')
    expect(away.process.output).not.toContain('Sandbox credentials')
    expect(await list()).toMatchObject([{ partnerId: sandbox.partnerId, suspendedAs: 'away' }])
    const resumed = await runCasenote(['partner', 'resume', sandbox.partnerId], env)
    expect([resumed.code, resumed.stderr]).toEqual([1, expect.stringContaining('CASENOTE_SANDBOX=on')])
    await away.process.end('SIGTERM')

    const named = await startCasenote({ ...env, HOST: '0.0.0.0', CASENOTE_SANDBOX: 'on' })
    expect((await logIn(named.url, sandbox)).status).toBe(200)
    expect(await readClinician(named.url)).toBe(200)
    expect(await statusOf(`${named.url}/demo`)).toBe(200)
    await named.process.end('SIGTERM')

    const off = await startCasenote({ ...env, CASENOTE_SANDBOX: 'off' })
    expect(await logIn(off.url, sandbox)).toMatchObject(bareRefusal)
    // What the operator suspends stays suspended when the sandbox comes home.
    expect((await runCasenote(['partner', 'suspend', sandbox.partnerId], env)).code).toBe(0)
    await off.process.end('SIGTERM')
    const again = await startCasenote(env)
    expect(await logIn(again.url, sandbox)).toMatchObject(bareRefusal)
    expect((await runCasenote(['partner', 'resume', sandbox.partnerId], env)).code).toBe(0)
    await waitUntil(async () => (await logIn(again.url, sandbox)).status === 200, 'it is resumed')

    // Never silently beside a production partner.
    const made = await runCasenote(['partner', 'create', '--name', 'P', '--environment', 'production'], env)
    expect(made.stdout).toContain('The sandbox partner is served beside it')
    await again.process.end('SIGTERM')
    const beside = await startCasenote(env)
    expect((await logIn(beside.url, sandbox)).status).toBe(200)
    expect(beside.process.output).toContain('served beside production partners')
    await beside.process.end('SIGTERM')
    const audit = await runCasenote(['audit', 'verify', '--json'], env)
    expect(JSON.parse(audit.stdout)).toMatchObject({ isIntact: true })
  })
})

describe('several processes on one database', () => {
  let database: TestDatabase
  let folder: { path: string; remove(): Promise<void> }
  beforeAll(async () => {
    database = await makeTestDatabase()
    folder = await makeDataFolder()
  })
  afterAll(async () => {
    await database.drop()
    await folder.remove()
  })

  it('where it is not at home, one that could not say so at once says it until it is heard', async () => {
    const open = () =>
      new Database({
        url: database.databaseUrl,
        poolSize: 2,
        applicationName: 'test',
        onConnectionError: () => {},
      })
    const [db, gone] = [open(), open()]
    await gone.end()
    const log = makeLog('silent', 'test')
    const watch = new DirectoryWatch(db, log)
    const owner = new Database({
      url: database.migrateUrl,
      poolSize: 1,
      applicationName: 'test',
      onConnectionError: () => {},
    })
    try {
      await owner.throughDoor(insertInstallation('a key'))
      const asked: Database[] = []
      const config = { isSandboxHome: false, isSandboxNamed: false, host: '0.0.0.0' }
      // Away the first time that it is asked.
      keepTellingSandbox(watch, {
        config,
        log,
        get db() {
          asked.push(asked.length === 0 ? gone : db)
          return asked.at(-1) as Database
        },
      })
      await db.throughDoor(settleSandbox(true))
      await waitUntil(async () => {
        await watch.poll()
        return asked.length > 1 && !watch.isSandboxHome()
      }, 'it is heard')
    } finally {
      for (const one of [db, owner]) await one.end()
      await database.drop()
      database = await makeTestDatabase()
    }
  })

  it('decide alike, whichever starts first: one where the sandbox is not at home decides for all', async () => {
    const env = {
      DATABASE_URL: database.databaseUrl,
      CASENOTE_MIGRATE_URL: database.migrateUrl,
      CASENOTE_DISPATCHER_URL: database.dispatcherUrl,
      CASENOTE_MASTER_KEY: randomBytes(32).toString('base64'),
      CASENOTE_DATA_DIR: folder.path,
    }
    const home = await startCasenote(env)
    const sandbox = JSON.parse(
      readFileSync(join(folder.path, 'sandbox-credentials.json'), 'utf8'),
    ) as Credentials
    const isServed = async (url: string): Promise<boolean> => (await logIn(url, sandbox)).status === 200
    expect(await isServed(home.url)).toBe(true)

    const away = await startCasenote({ ...env, HOST: '0.0.0.0' }, 'api')
    await waitUntil(async () => !(await isServed(home.url)), 'the first serves it no longer')
    expect(await isServed(away.url)).toBe(false)
    await waitUntil(async () => (await statusOf(`${home.url}/demo`)) === 403, 'nor its demo')
    expect(home.process.output).toContain('another process listens where it is not at home')

    // One more that would bring it home is told otherwise.
    const later = await startCasenote({ ...env, HOST: '127.0.0.1' }, 'api')
    await waitUntil(async () => later.process.output.includes('another process listens'), 'it is told')
    for (const { url } of [home, away, later]) expect(await isServed(url)).toBe(false)

    for (const { process } of [home, away, later]) await process.end('SIGTERM')
    const alone = await startCasenote({ ...env, HOST: '127.0.0.1' }, 'api')
    expect(await isServed(alone.url)).toBe(true)
    await alone.process.end('SIGTERM')
  })
})
