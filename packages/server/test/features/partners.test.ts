import { createHmac } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotateKey, rotateSecret, setLimits, suspendPartner } from '../../src/features/partners/index.js'
import { rotateTenantKey } from '../../src/kernel/secrets/make-tenant-keys.js'
import { readTenantKeys } from '../../src/kernel/secrets/tenant-keys.js'
import { waitUntil } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let partner: TestPartner

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
})
afterAll(() => service.close())

const authenticate = (apiKey: string, clientId: string, clientSecret: string) =>
  service.call({
    method: 'POST',
    url: '/v2/partners/authenticate',
    headers: { 'x-api-key': apiKey },
    payload: { clientId, clientSecret },
  })

describe('POST /partners/authenticate', () => {
  it('200 with accessToken, expiresIn 3600 and tokenType Bearer, and nothing else', async () => {
    const answer = await authenticate(partner.apiKey, partner.credentialId, partner.clientSecret)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ accessToken: expect.any(String), expiresIn: 3600, tokenType: 'Bearer' })
    expect(answer.json<{ accessToken: string }>().accessToken).toMatch(/^[A-Za-z0-9._-]+$/)
  })

  it('401 Invalid client credentials when they match neither each other nor the key', async () => {
    const other = await service.addPartner()
    for (const [key, id, secret] of [
      [partner.apiKey, partner.credentialId, 'wrong'],
      [partner.apiKey, 'wrong', partner.clientSecret],
      [partner.apiKey, other.credentialId, other.clientSecret],
      [other.apiKey, partner.credentialId, partner.clientSecret],
    ] as const) {
      const answer = await authenticate(key, id, secret)
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toMatchObject({
        error: { message: 'Invalid client credentials', statusCode: 401 },
      })
    }
  })

  it('issues a clientSecret that any Standard Webhooks library takes as it is', () => {
    expect(partner.clientSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const key = Buffer.from(partner.clientSecret.slice(6), 'base64')
    expect(createHmac('sha256', key).update('x').digest()).toHaveLength(32)
  })
})

describe('GET /partners', () => {
  it('shows id, name, environment, callbackUrl, limits, what is done once, and createdAt', async () => {
    const answer = await service.call({ method: 'GET', url: '/v2/partners', headers: partner.headers })
    expect(answer.json()).toEqual({
      id: partner.partnerId,
      name: 'Test partner',
      environment: 'sandbox',
      callbackUrl: null,
      limits: { ratePerSecond: 10_000, burst: 20_000, perDay: 50_000_000 },
      idempotency: false,
      uniqueExternalIds: false,
      signingChecks: {
        danger_not_written: 'warn',
        unsupported_sentence: 'warn',
        empty_section: 'warn',
        cloned_text: 'warn',
        service_minutes: 'warn',
        goal_not_linked: 'warn',
      },
      partnerErasure: false,
      requiresRecordingConsent: false,
      createdAt: expect.stringMatching(/Z$/),
    })
  })
})

describe('PATCH /partners/{partnerId}', () => {
  const patch = (of: TestPartner, payload: object) =>
    service.call({ method: 'PATCH', url: `/v2/partners/${of.partnerId}`, headers: of.headers, payload })

  it('sets, replaces and removes callbackUrl, and leaves it alone when it is not named', async () => {
    const url = 'http://127.0.0.1:3000/hook'
    expect((await patch(partner, { callbackUrl: url })).json()).toMatchObject({ callbackUrl: url })
    expect((await patch(partner, { callbackUrl: `${url}2` })).json()).toMatchObject({
      callbackUrl: `${url}2`,
    })
    expect((await patch(partner, {})).json()).toMatchObject({ callbackUrl: `${url}2` })
    expect((await patch(partner, { callbackUrl: null })).json()).toMatchObject({ callbackUrl: null })
  })

  for (const bad of [
    '',
    'x',
    '/hook',
    'ftp://a.b/',
    'https:/\\host',
    'https://',
    'https://a b/',
    5,
    {},
    [],
    'https://ok.example.org/\u0000',
    '\ud800',
  ]) {
    it(`400 naming callbackUrl for ${JSON.stringify(bad)}, and nothing is written`, async () => {
      const answer = await patch(partner, { callbackUrl: bad })
      expect(answer.statusCode).toBe(400)
      const { message } = answer.json<{ error: { message: { message: string[] } } }>().error
      expect(message.message).toEqual([expect.stringMatching(/^callbackUrl /)])
      const { callbackUrl } = (
        await service.call({ method: 'GET', url: '/v2/partners', headers: partner.headers })
      ).json<{ callbackUrl: string | null }>()
      expect(callbackUrl).toBeNull()
    })
  }

  it('production needs https and a public host, the sandbox does not', async () => {
    const production = await service.addPartner('production')
    for (const url of [
      'http://hooks.acme.org/',
      'https://localhost/',
      'https://localhost./',
      'https://127.1/',
      'https://0x7f000001/',
      'https://2130706433/',
      'https://0177.0.0.1/',
      'https://[::1]/',
      'https://[::ffff:7f00:1]/',
      'https://[::127.0.0.1]/',
      'https://[64:ff9b::a9fe:a9fe]/',
      'https://[2002:a9fe:a9fe::]/',
      'https://169.254.169.254/',
      'https://168.63.129.16/',
      'https://192.0.0.192/',
      'https://100.100.100.200/',
      'https://[fd00:ec2::254]/',
      'https://metadata.google.internal/',
      'https://10.0.0.1/',
      'https://db/',
      'https://user:pass@hooks.acme.org/',
      'https://hooks.acme.org:5432/',
    ]) {
      const answer = await patch(production, { callbackUrl: url })
      expect([url, answer.statusCode]).toEqual([url, 400])
    }
    expect((await patch(production, { callbackUrl: 'https://hooks.acme.org/x' })).statusCode).toBe(200)
  })
})

describe('credentials that end', () => {
  const read = async (of: TestPartner, on = service.api): Promise<number> =>
    (await on.app.inject({ method: 'GET', url: '/v2/partners', headers: of.headers })).statusCode

  it('a rotated key stops on every instance once its directory poll has run', async () => {
    const one = await service.addPartner()
    const peer = await service.makePeer()
    try {
      expect([await read(one), await read(one, peer.api)]).toEqual([200, 200])
      const apiKey = await rotateKey(service.owner, { tenantId: one.partnerId })
      await service.watch.poll()
      await peer.watch.poll()
      expect([await read(one), await read(one, peer.api)]).toEqual([403, 403])
      const renewed = { ...one, headers: { ...one.headers, 'x-api-key': apiKey } }
      expect([await read(renewed), await read(renewed, peer.api)]).toEqual([200, 200])
    } finally {
      await peer.close()
    }
  })

  it('403 for a key that is rotated while the body of its request comes in, and nothing is created', async () => {
    const one = await service.addPartner()
    const body = new PassThrough()
    body.write('{"firstName":"Late",')
    const path = `/v2/clinics/${one.clinicId}/clinicians`
    const answer = service.call({
      method: 'POST',
      url: path,
      headers: { ...one.headers, 'content-type': 'application/json' },
      payload: body,
    })
    // It is read once the key was found good.
    await waitUntil(async () => body.readableLength === 0, 'the body is read')
    const apiKey = await rotateKey(service.owner, { tenantId: one.partnerId })
    await service.watch.poll()
    body.end('"lastName":"Comer","email":"late@example.com"}')
    expect((await answer).statusCode).toBe(403)
    const headers = { ...one.headers, 'x-api-key': apiKey }
    const listed = await service.call({ method: 'GET', url: `${path}?email=late@example.com`, headers })
    expect(listed.json()).toMatchObject({ meta: { totalItems: 0 } })
  })

  it('a suspended partner is refused as an unknown key is', async () => {
    const one = await service.addPartner()
    await suspendPartner(service.owner, { tenantId: one.partnerId })
    await service.watch.poll()
    expect(await read(one)).toBe(403)
  })

  it('a process that has not heard yet that all tokens were ended begins no session with one of them', async () => {
    const one = await service.addPartner()
    const tenant = { tenantId: one.partnerId }
    const ring = await readTenantKeys(service.owner, service.masterKeys, tenant)
    const ask = () => service.ask(one, 'POST', `/clinicians/${one.clinicianId}/authenticate`)
    expect((await ask()).statusCode).toBe(200)
    await rotateSecret(service.owner, ring, service.masterKeys)
    // At once, before it looks at the directory.
    const statuses = await Promise.all([ask(), ask(), ask()])
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401])
  })

  it('after a rotation both secrets authenticate for 24 hours, then only the new one; the one before ends at once', async () => {
    const one = await service.addPartner()
    const tenant = { tenantId: one.partnerId }
    const rotate = async (): Promise<string> => {
      const secret = await rotateSecret(
        service.owner,
        await readTenantKeys(service.owner, service.masterKeys, tenant),
      )
      await service.watch.poll()
      return secret
    }
    const status = async (secret: string): Promise<number> =>
      (await authenticate(one.apiKey, one.credentialId, secret)).statusCode
    const second = await rotate()
    expect([await status(one.clientSecret), await status(second)]).toEqual([200, 200])
    const third = await rotate()
    expect([await status(one.clientSecret), await status(second), await status(third)]).toEqual([
      401, 200, 200,
    ])
    await service.owner.write(tenant, (tx) =>
      tx.run({
        text: "update casenote.client_secrets set expires_at = now() - interval '1 s' where expires_at is not null",
        values: [],
      }),
    )
    await service.watch.poll()
    expect([await status(second), await status(third)]).toEqual([401, 200])
  })

  it('a new signing key logs nobody out', async () => {
    const one = await service.addPartner()
    const tenant = { tenantId: one.partnerId }
    await rotateTenantKey(service.owner, service.masterKeys, tenant, 'token')
    await service.watch.poll()
    expect(await read(one)).toBe(200)
    const { accessToken } = (await authenticate(one.apiKey, one.credentialId, one.clientSecret)).json<{
      accessToken: string
    }>()
    expect(Buffer.from(accessToken.split('.')[0] ?? '', 'base64url').toString()).toContain('"kid":"v2"')
    expect(await read({ ...one, headers: { ...one.headers, 'access-token': accessToken } })).toBe(200)
  })
})

describe('limits', () => {
  it('429 with RateLimit headers and Retry-After; the key is checked before, the token after', async () => {
    const one = await service.addPartner()
    await setLimits(service.owner, { tenantId: one.partnerId }, { ratePerSecond: 1, burst: 3, perDay: null })
    await service.watch.poll()
    const statuses: number[] = []
    for (let index = 0; index < 8; index += 1) {
      const answer = await service.call({
        method: 'GET',
        url: '/v2/partners',
        headers: { 'x-api-key': one.apiKey },
      })
      statuses.push(answer.statusCode)
      expect(answer.headers['ratelimit-policy']).toContain('q=3')
      if (answer.statusCode === 429) {
        expect(answer.json()).toEqual({ message: 'Too Many Requests' })
        expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      }
    }
    expect(statuses).toContain(403)
    expect(statuses).toContain(429)
  })

  it('429 Limit Exceeded when the day is used up', async () => {
    const one = await service.addPartner()
    await setLimits(
      service.owner,
      { tenantId: one.partnerId },
      { ratePerSecond: null, burst: null, perDay: 2 },
    )
    await service.watch.poll()
    const answers = []
    for (let index = 0; index < 3; index += 1) {
      answers.push(await service.call({ method: 'GET', url: '/v2/partners', headers: one.headers }))
    }
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 429, 429])
    expect(answers[2]?.json()).toEqual({ message: 'Limit Exceeded' })
  })
})
