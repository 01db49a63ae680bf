import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rotateKey } from '../../src/features/partners/index.js'
import { newApiKey } from '../../src/features/partners/partner-credentials.js'
import { UnknownCallers } from '../../src/http/unknown-callers.js'
import type { Database, Statement } from '../../src/kernel/db/database.js'
import type { Log } from '../../src/kernel/log.js'
import type { TenantScope } from '../../src/kernel/tenant.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let partner: TestPartner
let lookups: string[]

beforeAll(async () => {
  // Behind a proxy of its own: the address that counts is the one the proxy tells.
  service = await makeTestService({ env: { CASENOTE_TRUSTED_PROXIES: '127.0.0.1' } })
  lookups = watchLookups(service.db)
  partner = await service.addPartner()
})
afterAll(() => service.close())

/** The names of the statements that look credentials and keys up, as they are asked. */
function watchLookups(db: Database): string[] {
  const names: string[] = []
  const watched = new Set(['find_api_key', 'list_key_marks', 'select_tenant_keys'])
  const note = ({ name }: Statement): void => {
    if (name !== undefined && watched.has(name)) names.push(name)
  }
  const throughDoor = db.throughDoor.bind(db)
  const read = db.read.bind(db) as (tenant: TenantScope, ...statements: Statement[]) => Promise<never>
  db.throughDoor = (statement) => {
    note(statement)
    return throughDoor(statement)
  }
  db.read = (tenant: TenantScope, ...statements: Statement[]) => {
    statements.forEach(note)
    return read(tenant, ...statements)
  }
  return names
}

const callWith = (apiKey: string, address: string, accessToken = partner.accessToken) =>
  service.call({
    method: 'GET',
    url: '/v2/partners',
    headers: { 'x-api-key': apiKey, 'access-token': accessToken, 'x-forwarded-for': address },
  })

const guessFrom = (address: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => callWith(newApiKey(), address)))

const count = (name: string): number => lookups.filter((one) => one === name).length

it('a thousand unknown keys from one address are the bare 403, and cost the database 60 look-ups', async () => {
  lookups.length = 0
  const answers = await guessFrom('198.51.100.1', 1_000)
  for (const { statusCode, body } of answers)
    expect([statusCode, body]).toEqual([403, '{"message":"Forbidden"}'])
  const [first] = answers
  const names = (headers: object): string[] => Object.keys(headers).toSorted()
  for (const { headers } of answers) expect(names(headers)).toEqual(names(first?.headers ?? {}))
  expect(count('find_api_key')).toBeGreaterThanOrEqual(60)
  // One a second comes back while the thousand are answered.
  expect(count('find_api_key')).toBeLessThan(75)
  expect(count('list_key_marks')).toBeLessThanOrEqual(2)
})

it('a good key from the same address never notices, not even at an instance that has never seen it', async () => {
  const peer = await service.makePeer()
  const other = await service.addPartner()
  await expect
    .poll(async () => (await callWith(other.apiKey, '198.51.100.1', other.accessToken)).statusCode)
    .toBe(200)
  const guess = (apiKey: string, accessToken = '') =>
    peer.api.app.inject({
      method: 'GET',
      url: '/v2/partners',
      headers: { 'x-api-key': apiKey, 'access-token': accessToken, 'x-forwarded-for': '198.51.100.1' },
    })
  await Promise.all(Array.from({ length: 300 }, () => guess(newApiKey())))
  const among = await Promise.all([
    ...Array.from({ length: 200 }, () => guess(newApiKey())),
    guess(other.apiKey, other.accessToken),
    guess(partner.apiKey, partner.accessToken),
  ])
  expect(among.slice(-2).map(({ statusCode }) => statusCode)).toEqual([200, 200])
  await peer.close()
})

it('other addresses have their own tries, and a key that was made just now works from them at once', async () => {
  await guessFrom('198.51.100.2', 200)
  const { apiKey, accessToken } = await service.addPartner()
  expect((await callWith(apiKey, '198.51.100.3', accessToken)).statusCode).toBe(200)
  // From the one that guesses, as soon as the next poll tells of it.
  await expect
    .poll(async () => (await callWith(apiKey, '198.51.100.2', accessToken)).statusCode, { timeout: 5_000 })
    .toBe(200)
})

it('a rotated key is a guess like any other: one look-up, and none from an address that has used its tries up', async () => {
  const gone = await service.addPartner()
  await rotateKey(service.owner, { tenantId: gone.partnerId })
  await service.watch.poll()
  lookups.length = 0
  for (let tries = 0; tries < 3; tries += 1)
    expect((await callWith(gone.apiKey, '198.51.100.8')).body).toBe('{"message":"Forbidden"}')
  expect(count('find_api_key')).toBe(3)
  await guessFrom('198.51.100.8', 100)
  lookups.length = 0
  await Promise.all(Array.from({ length: 50 }, () => callWith(gone.apiKey, '198.51.100.8')))
  // One a second comes back.
  expect(count('find_api_key')).toBeLessThan(10)
})

it('a suspended partner is refused from an address that guesses, too', async () => {
  const gone = await service.addPartner()
  await guessFrom('198.51.100.4', 100)
  await service.owner.write({ tenantId: gone.partnerId }, (tx) =>
    tx.run({
      text: 'update casenote.tenants set suspended_at = now() where tenant_id = $1',
      values: [gone.partnerId],
    }),
  )
  await service.watch.poll()
  const { statusCode, body } = await callWith(gone.apiKey, '198.51.100.4', gone.accessToken)
  expect([statusCode, body]).toEqual([403, '{"message":"Forbidden"}'])
})

it('a login that fails costs no look-up at all, and a good one beside it succeeds', async () => {
  await callWith(partner.apiKey, '198.51.100.5')
  lookups.length = 0
  const logIn = (clientSecret: string) =>
    service.call({
      method: 'POST',
      url: '/v2/partners/authenticate',
      headers: { 'x-api-key': partner.apiKey, 'x-forwarded-for': '198.51.100.5' },
      payload: { clientId: partner.credentialId, clientSecret },
    })
  const wrong = await Promise.all(
    Array.from({ length: 200 }, () => logIn(`whsec_${randomBytes(32).toString('base64')}`)),
  )
  for (const { statusCode } of wrong) expect(statusCode).toBe(401)
  expect((await logIn(partner.clientSecret)).statusCode).toBe(200)
  expect(lookups).toEqual([])
})

it('made-up tenants in tokens of the widget cost 60 look-ups, and push out nobody', async () => {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  const header = encode({ alg: 'HS256', kid: 'v1', typ: 'JWT' })
  const forge = (tid: string): string => `${header}.${encode({ tid, sub: randomUUID(), exp: 9e9 })}.AAAA`
  const ask = (authorization: string) =>
    service.call({
      method: 'GET',
      url: '/widget/v1/clinician',
      headers: { authorization, 'x-forwarded-for': '198.51.100.6' },
    })
  const tokens = await service.call({
    method: 'POST',
    url: `/v2/clinicians/${partner.clinicianId}/authenticate`,
    headers: partner.headers,
  })
  const good = `Bearer ${tokens.json<{ AccessToken: string }>().AccessToken}`
  await service.watch.poll()
  expect((await ask(good)).statusCode).toBe(200)
  lookups.length = 0
  const answers = await Promise.all(Array.from({ length: 500 }, () => ask(`Bearer ${forge(randomUUID())}`)))
  for (const { statusCode } of answers) expect(statusCode).toBe(401)
  expect(count('select_tenant_keys')).toBeLessThan(75)
  lookups.length = 0
  expect((await ask(good)).statusCode).toBe(200)
  expect(lookups).toEqual([])
})

it('guessed refresh tokens are refused one by one, and a good one from the same address is renewed', async () => {
  const minted = await service.call({
    method: 'POST',
    url: `/v2/clinicians/${partner.clinicianId}/authenticate`,
    headers: partner.headers,
  })
  const { RefreshToken } = minted.json<{ RefreshToken: string }>()
  const renew = (token: string) =>
    service.call({
      method: 'POST',
      url: '/widget/v1/token',
      headers: { 'x-forwarded-for': '198.51.100.7' },
      payload: { RefreshToken: token },
    })
  const guess = (): string => RefreshToken.replace(/[^.]+$/, randomBytes(32).toString('base64url'))
  const answers = await Promise.all(Array.from({ length: 120 }, () => renew(guess())))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([401]))
  expect((await renew(RefreshToken)).statusCode).toBe(200)
  // So many at once that not all can be looked at: those are told to come again, and not that their token is bad.
  const crowd = await Promise.all(Array.from({ length: 300 }, () => renew(guess())))
  expect(new Set(crowd.map(({ statusCode }) => statusCode))).toEqual(new Set([401, 429]))
})

it('of unknown keys, and of nobody at the console, an operator reads one line: how many, and where most came from', () => {
  const lines: unknown[][] = []
  const log = { warn: (...line: unknown[]) => lines.push(line) } as unknown as Log
  const callers = new UnknownCallers(log)
  for (const address of ['198.51.100.1', '203.0.113.9', '203.0.113.9']) callers.count('partner', address)
  // Clients' and clinicians' addresses are nobody's business.
  callers.count('pages', '192.0.2.77')
  callers.count('console', '198.51.100.4')
  callers.report()
  callers.report()
  const counts = { refusals: 3, addresses: 2, mostFrom: '203.0.113.9', ofThem: 2 }
  const atConsole = { refusals: 1, addresses: 1, mostFrom: '198.51.100.4', ofThem: 1 }
  expect(lines).toEqual([
    [counts, 'refused: no such API key'],
    [atConsole, 'refused: nobody that the console knows'],
  ])
})
