import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  CasenoteProcess,
  freePort,
  makeDataFolder,
  runCasenote,
  startCasenote,
} from '../support/casenote-process.js'

interface Credentials {
  baseUrl: string
  clientId: string
  clientSecret: string
  apiKey: string
  partnerId: string
  organizationId: string
  clinicId: string
  clinicianId: string
  prescriberId: string
  clientIds: string[]
}

let folder: { path: string; remove(): Promise<void> }
let env: Record<string, string>

beforeAll(async () => {
  folder = await makeDataFolder()
  env = { CASENOTE_DATA_DIR: folder.path }
})
afterAll(() => folder.remove())

const readCredentials = async (): Promise<Credentials> =>
  JSON.parse(await readFile(join(folder.path, 'sandbox-credentials.json'), 'utf8')) as Credentials

const hasIpv6Loopback = (): boolean =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'))

async function tour(url: string): Promise<number[]> {
  const { apiKey, clientId, clientSecret, organizationId, clinicianId, prescriberId } =
    await readCredentials()
  const answer = await fetch(`${url}/v2/partners/authenticate`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret }),
  })
  const { accessToken } = (await answer.json()) as { accessToken: string }
  const headers = { 'x-api-key': apiKey, 'access-token': accessToken }
  const get = async (path: string, method = 'GET'): Promise<number> =>
    (await fetch(`${url}/v2${path}`, { method, headers })).status
  return [
    answer.status,
    await get('/partners'),
    await get(`/organizations/${organizationId}/clinics`),
    await get(`/clinicians/${clinicianId}/authenticate`, 'POST'),
    await get(`/clinicians/${prescriberId}/authenticate`, 'POST'),
  ]
}

describe('npm start, from an empty folder to the end', () => {
  it('serves with a provisioned sandbox, survives kill -9, keeps its data and stops on SIGTERM', async () => {
    const first = await startCasenote({
      ...env,
      CASENOTE_PUBLIC_URL: 'https://notes.example.org',
      CASENOTE_LOG_FORMAT: 'text',
    })
    const credentials = await readCredentials()
    expect(Object.keys(credentials).toSorted()).toEqual([
      'apiKey',
      'baseUrl',
      'clientId',
      'clientIds',
      'clientSecret',
      'clinicId',
      'clinicianId',
      'organizationId',
      'partnerId',
      'prescriberId',
    ])
    expect(credentials.baseUrl).toBe('https://notes.example.org/v2')
    expect(credentials.clientIds.length).toBeGreaterThan(0)
    for (const file of ['sandbox-credentials.json', 'master.key']) {
      expect((await stat(join(folder.path, file))).mode & 0o777).toBe(0o600)
    }
    expect(await tour(first.url)).toEqual([200, 200, 200, 200, 200])
    const onIpv6 = await fetch(first.url.replace('127.0.0.1', '[::1]') + '/health/ready').catch(() => null)
    expect(onIpv6?.status ?? (hasIpv6Loopback() ? 'refused' : 200)).toBe(200)
    expect(first.process.output).toContain('sandbox-credentials.json')
    // As on a terminal: words, and one line for a schema that is new.
    expect(first.process.output).toMatch(/^\d\d:\d\d:\d\d {2}made the schema: \d+ migrations$/m)
    expect(first.process.output).not.toContain('{"level"')
    expect(first.process.output).not.toContain('applied 00')
    for (const secret of [credentials.apiKey, credentials.clientSecret]) {
      expect(first.process.output).not.toContain(secret)
    }

    // It looks for model servers on this machine, and the start does not wait for that.
    const hint = 'Notes are extracts of what was said.'
    await expect.poll(() => first.process.output, { timeout: 10_000 }).toContain(hint)
    expect(first.process.output.split(hint)).toHaveLength(2)

    const second = new CasenoteProcess(['start'], { ...env, PORT: String(await freePort()) })
    const refused = await second.finished
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`pid ${first.process.child.pid}`),
    ])
    expect(await tour(first.url)).toEqual([200, 200, 200, 200, 200])

    await first.process.end('SIGKILL')
    const again = await startCasenote(env)
    // Another port, so another base URL; all else is as it was.
    const baseUrl = `${again.url.replace('127.0.0.1', 'localhost')}/v2`
    expect(await readCredentials()).toEqual({ ...credentials, baseUrl })
    expect(await tour(again.url)).toEqual([200, 200, 200, 200, 200])
    const { code, stdout } = await again.process.end('SIGTERM')
    expect(code).toBe(0)
    // Where nobody reads along, an object a line.
    expect(stdout).toMatch(/^\{"level":30,.*"msg":"running"\}$/m)
    expect(stdout).toContain('Casenote is running.')
    expect(stdout).not.toContain(hint)
  })

  it('works beside the service and alone: operator commands, audit verify, key rotation', async () => {
    const run = async (...args: string[]): Promise<Record<string, unknown>> => {
      const { code, stdout, stderr } = await runCasenote([...args, '--json'], env)
      expect([args, code, stderr]).toEqual([args, 0, ''])
      return JSON.parse(stdout) as Record<string, unknown>
    }
    const service = await startCasenote(env)
    const partner = await run('partner', 'create', '--name', 'Acme', '--environment', 'production')
    expect(Object.keys(partner).toSorted()).toEqual(['apiKey', 'clientId', 'clientSecret', 'partnerId'])
    const partnerId = String(partner.partnerId)
    const { id: organizationId } = await run(
      'organization',
      'create',
      '--partner',
      partnerId,
      '--name',
      'Org',
    )
    const { id: clinicId } = await run(
      'clinic',
      'create',
      '--organization',
      String(organizationId),
      '--name',
      'C',
    )
    await run('program', 'create', '--organization', String(organizationId), '--name', 'P')
    expect(await run('clinic', 'list', '--organization', String(organizationId))).toEqual([
      { id: clinicId, name: 'C' },
    ])
    expect(await run('clinic', 'set-defaults', String(clinicId), 'pcl5', 'gad7')).toEqual({
      id: clinicId,
      defaults: ['pcl5', 'gad7'],
    })
    const unknown = await runCasenote(['clinic', 'set-defaults', String(clinicId), 'who5'], env)
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringMatching(/^casenote: not offered: who5 /),
    ])
    const nowhere = await runCasenote(['clinic', 'set-defaults', partnerId, 'phq9'], env)
    expect(nowhere.stderr).toBe(`casenote: there is no clinic ${partnerId}\n`)
    expect(await run('organization', 'list', '--partner', partnerId)).toEqual([
      { id: organizationId, name: 'Org' },
    ])
    const limits = await run('partner', 'set-limits', partnerId, '--rate', '5')
    expect(limits).toMatchObject({ limits: { ratePerSecond: 5, burst: 20_000 } })
    await run('partner', 'set-origins', partnerId, 'https://ehr.example.org')
    expect(await run('partner', 'show', partnerId)).toMatchObject({ origins: ['https://ehr.example.org'] })
    await run('partner', 'set-not-ready', partnerId, '--status', '404')
    expect(await run('partner', 'show', partnerId)).toMatchObject({ notReadyStatus: 404 })
    await run('partner', 'set-nothing-twice', partnerId, '--idempotency', 'on')
    const ids = await run('partner', 'set-nothing-twice', partnerId, '--unique-external-ids', 'on')
    expect(ids).toEqual({ partnerId, idempotency: true, uniqueExternalIds: true })
    await run('partner', 'set-nothing-twice', partnerId, '--idempotency', 'off')
    expect(await run('partner', 'show', partnerId)).toMatchObject({
      idempotency: false,
      uniqueExternalIds: true,
    })
    await run('partner', 'rotate-secret', partnerId)
    await run('partner', 'rotate-key', partnerId)
    await run('partner', 'suspend', partnerId)
    expect(await run('partner', 'show', partnerId)).toMatchObject({ suspendedAt: expect.any(String) })
    await run('partner', 'resume', partnerId)
    expect(await tour(service.url)).toEqual([200, 200, 200, 200, 200])

    const rotated = await runCasenote(['keys', 'rotate-master'], env)
    expect([rotated.code, rotated.stderr]).toEqual([0, ''])
    const chosen = await runCasenote(['model', 'use', 'none'], env)
    expect([chosen.code, chosen.stderr]).toEqual([0, ''])
    expect(chosen.stdout).toContain('Noted in the audit log: model.useNone.')
    expect(await tour(service.url)).toEqual([200, 200, 200, 200, 200])
    await service.process.end('SIGTERM')

    const report = await run('audit', 'verify')
    expect(report).toMatchObject({ isIntact: true })
    expect((report.tenants as unknown[]).length).toBe(2)
  })

  it('says what is wrong in one sentence: port taken, wrong key, bad variable', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => blocker.once('listening', resolve))
    const { port } = blocker.address() as { port: number }
    const taken = await runCasenote(['start'], { ...env, HOST: '127.0.0.1', PORT: String(port) })
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining(`port ${port} is taken`)])
    blocker.close()

    const otherKey = { ...env, CASENOTE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
    const wrong = await runCasenote(['start'], { ...otherKey, PORT: String(await freePort()) })
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('wrong master key')])

    const bad = await runCasenote(['start'], { PORT: 'x', CASENOTE_LOG_LEVEL: 'loud' })
    expect(bad.code).toBe(1)
    expect(bad.stderr).toBe(
      'casenote: PORT must be a port number from 1 to 65535\n' +
        'casenote: CASENOTE_LOG_LEVEL must be one of debug, info, warn, error, silent\n',
    )
    const unknown = await runCasenote(['partner', 'show', 'nobody'], env)
    expect([unknown.code, unknown.stderr]).toEqual([1, 'casenote: there is no partner nobody\n'])
  })
})
