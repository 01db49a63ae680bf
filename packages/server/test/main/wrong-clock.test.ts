import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DatabaseClock } from '../../src/kernel/clock.js'
import { readConfig } from '../../src/kernel/config.js'
import { establishClientKeys } from '../../src/kernel/key-store/index.js'
import { startS3Server, type S3Server } from '../blobs/s3-server.js'
import {
  CasenoteProcess,
  freePort,
  makeDataFolder,
  runCasenote,
  untilReady,
} from '../support/casenote-process.js'
import { makeDumpHeader } from '../support/dump-header.js'
import { storeSettings } from '../support/store-door.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

const yearMs = 365 * 86_400_000

let service: TestService
let partner: TestPartner
let folder: { path: string; remove(): Promise<void> }
let env: Record<string, string>

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  folder = await makeDataFolder()
  const preload = new URL('../support/shift-clock.mjs', import.meta.url).href
  env = {
    ...service.settingsFor(folder.path),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${preload}`,
  }
})
afterAll(async () => {
  await service.close()
  await folder.remove()
})

async function startShifted(role: 'api' | 'worker', shiftMs: number, settings: Record<string, string> = {}) {
  const [port, adminPort] = [await freePort(), await freePort()]
  const running = new CasenoteProcess([role], {
    ...env,
    ...settings,
    CLOCK_SHIFT_MS: String(shiftMs),
    PORT: String(port),
    CASENOTE_ADMIN_PORT: String(adminPort),
  })
  const admin = `http://127.0.0.1:${adminPort}`
  await untilReady(running, admin)
  return { running, admin, url: `http://127.0.0.1:${port}` }
}

const countOf = async (table: 'webhook_deliveries' | 'jobs', status: string): Promise<number> => {
  const text = `select count(*)::int as count from casenote.${table} where tenant_id = $1 and status = $2`
  const [row] = await service.db.read(
    { tenantId: partner.partnerId },
    { text, values: [partner.partnerId, status] },
  )
  return (row as { count: number }).count
}

describe('a machine whose clock is a year ahead', () => {
  it('has a worker that says so and deletes nothing that is to be kept', async () => {
    await service.owner.throughDoor({
      text: `update casenote.webhook_deliveries set status = 'succeeded', next_attempt_at = null where tenant_id = $1`,
      values: [partner.partnerId],
    })
    await service.owner.throughDoor({
      text: `update casenote.jobs set status = 'done', ended_at = now(), due_at = null where tenant_id = $1`,
      values: [partner.partnerId],
    })
    const before = [await countOf('webhook_deliveries', 'succeeded'), await countOf('jobs', 'done')]
    expect(Math.min(...before)).toBeGreaterThan(0)
    // Ready means that every duty has run once.
    const { running, admin } = await startShifted('worker', yearMs)
    const metrics = await (await fetch(`${admin}/metrics`)).text()
    expect(Number(/^casenote_clock_ahead_seconds (\S+)$/m.exec(metrics)?.[1])).toBeCloseTo(yearMs / 1_000, -2)
    expect(running.output).toContain("this machine's clock is wrong")
    await running.stop()
    expect([await countOf('webhook_deliveries', 'succeeded'), await countOf('jobs', 'done')]).toEqual(before)
  })

  it.each([yearMs, -yearMs])(
    'has an API whose tokens others take, and which takes theirs (%i)',
    async (shiftMs) => {
      const { running, url } = await startShifted('api', shiftMs)
      const signedIn = await fetch(`${url}/v2/partners/authenticate`, {
        method: 'POST',
        headers: { 'x-api-key': partner.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ clientId: partner.credentialId, clientSecret: partner.clientSecret }),
      })
      const { accessToken } = (await signedIn.json()) as { accessToken: string }
      const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as {
        iat: number
      }
      expect(Math.abs(claims.iat * 1_000 - Date.now())).toBeLessThan(30_000)
      const headers = { ...partner.headers, 'access-token': accessToken }
      expect((await service.call({ method: 'GET', url: '/v2/organizations', headers })).statusCode).toBe(200)
      expect((await fetch(`${url}/v2/organizations`, { headers: partner.headers })).status).toBe(200)
      await running.stop()
    },
  )
})

describe.each([
  ['ahead', yearMs],
  ['behind', -yearMs],
] as const)(
  'on a bucket that refuses what is signed a quarter of an hour off, a machine a year %s',
  (_, shiftMs) => {
    let bucket: S3Server
    let settings: Record<string, string>
    let copies: string

    beforeAll(async () => {
      bucket = await startS3Server()
      copies = await mkdtemp(join(tmpdir(), 'casenote-copies-'))
      settings = {
        ...storeSettings(bucket, bucket.endpoint),
        CASENOTE_KEY_STORE: `s3:${bucket.bucket}`,
        CASENOTE_MIGRATE_URL: service.database.migrateUrl,
      }
      await service.owner.throughDoor({
        text: 'update casenote.installation set key_store_id = null',
        values: [],
      })
      await establishClientKeys(readConfig({ ...env, ...settings }), service.owner, service.masterKeys)
    })
    afterAll(async () => {
      await bucket.stop()
      await rm(copies, { recursive: true, force: true })
    })

    const run = async (...args: string[]): Promise<void> => {
      const shifted = { ...env, ...settings, CLOCK_SHIFT_MS: String(shiftMs) }
      const { code, stdout, stderr } = await runCasenote(args, shifted)
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
    }

    it.each(['api', 'worker'] as const)('has a working %s', async (role) => {
      const { running } = await startShifted(role, shiftMs, settings)
      await running.stop()
    })

    it('makes copies of the key store, and keeps those that are not too old', async () => {
      const nameAt = (daysAgo: number): string =>
        `key-store-${new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 19).replaceAll(':', '-')}Z.json`
      const [kept, old] = [nameAt(1), nameAt(15)]
      for (const name of [kept, old]) await writeFile(join(copies, name), 'a copy')
      await run('key-store', 'copy', copies)
      const names = await readdir(copies)
      expect(names).toHaveLength(2)
      expect(names).toContain(kept)
      const made = names.find((name) => name !== kept)
      expect(made?.slice(0, 'key-store-2026-11-19'.length)).toBe(
        nameAt(0).slice(0, 'key-store-2026-11-19'.length),
      )
    })

    it('makes a backup', async () => {
      const dump = join(copies, 'casenote.dump')
      // pg_dump ran there as well.
      await writeFile(dump, makeDumpHeader(new Date(Date.now() + shiftMs)))
      await run('backup', join(copies, 'backup'), '--dump', dump)
    })
  },
)

describe("the database's clock", () => {
  const machine = { wallMs: 1_000_000, steadyMs: 50 }
  const said: [number, string][] = []
  const clock = new DatabaseClock(
    (aheadMs, turned) => void (turned !== null && said.push([aheadMs, turned])),
    {
      system: { nowMs: () => machine.wallMs },
      steadyMs: () => machine.steadyMs,
    },
  )

  it('goes on by itself, whatever is done to the machine’s, and tells once when that is 30 s off', () => {
    clock.hear(1_000_000, clock.markAsking())
    expect([clock.nowMs(), said]).toEqual([1_000_000, []])
    machine.steadyMs += 1_000
    machine.wallMs += 1_000 + 31_000
    expect(clock.nowMs()).toBe(1_001_000)
    for (let poll = 0; poll < 3; poll += 1) clock.hear(1_001_000, clock.markAsking())
    expect(said).toEqual([[31_000, 'wrong']])
    machine.wallMs -= 31_000
    clock.hear(1_001_000, clock.markAsking())
    expect(said).toEqual([
      [31_000, 'wrong'],
      [0, 'right'],
    ])
  })
})
