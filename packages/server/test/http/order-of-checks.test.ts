import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTenantKeys } from '../../src/kernel/secrets/tenant-keys.js'
import { signToken } from '../../src/kernel/secrets/signed-tokens.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let partner: TestPartner
let other: TestPartner

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  other = await service.addPartner('production')
})
afterAll(() => service.close())

const missing = { message: 'Missing Authentication Token' }
const forbidden = { message: 'Forbidden' }

async function signFor(of: TestPartner, audience: 'partner' | 'clinician', nowMs: number): Promise<string> {
  const ring = await readTenantKeys(service.db, service.masterKeys, { tenantId: of.partnerId })
  return signToken(ring, audience, { sub: of.clinicianId, wsid: randomUUID() }, { nowMs, seconds: 3600 })
}

describe('step 1, the route (ruling 1)', () => {
  const unknown = [
    ['GET', '/v2/nothing'],
    ['GET', '/organizations'],
    ['GET', '/v2/organizations/'],
    ['GET', '/v2/organizations/x/clinics/'],
    ['GET', '/v2/organizations/x/clinics/y'],
    ['DELETE', '/v2/organizations'],
    ['HEAD', '/v2/organizations'],
    ['OPTIONS', '/v2/organizations'],
    ['TRACE', '/v2/organizations'],
    ['GET', '/v2/partners/authenticate'],
    ['PATCH', '/v2/partners/authenticate'],
    ['GET', '/v2/partners/00000000-0000-4000-8000-000000000000'],
    ['PATCH', '/v2/partners/'],
    ['GET', '/v2/organizations/%zz'],
    ['GET', '/v2/organizations/%'],
    ['GET', '/V2/organizations'],
    ['GET', '/v2//organizations'],
    ['GET', '/v2'],
  ] as const
  for (const [method, url] of unknown) {
    it(`403 ${missing.message} for ${method} ${url}, with any key or none`, async () => {
      for (const headers of [{}, { 'x-api-key': 'wrong' }, partner.headers]) {
        const answer = await service.call({ method: method as 'GET', url, headers })
        expect(answer.statusCode).toBe(403)
        if (method !== 'HEAD') expect(answer.json()).toEqual(missing)
      }
    })
  }
})

describe('step 2, the key', () => {
  for (const [title, key] of [
    ['missing', undefined],
    ['empty', ''],
    ['unknown', `cnk_${'A'.repeat(43)}`],
    ['malformed', 'cnk_short'],
    ['huge', 'k'.repeat(8000)],
  ] as const) {
    it(`403 Forbidden, bare, when it is ${title}`, async () => {
      const headers = {
        'access-token': partner.accessToken,
        ...(key === undefined ? {} : { 'x-api-key': key }),
      }
      const answer = await service.call({ method: 'GET', url: '/v2/organizations', headers })
      expect([answer.statusCode, answer.json()]).toEqual([403, forbidden])
    })
  }

  it('comes before the token: a good token does not help', async () => {
    const headers = { 'x-api-key': 'nope', 'access-token': partner.accessToken }
    const answer = await service.call({ method: 'GET', url: '/v2/organizations', headers })
    expect(answer.json()).toEqual(forbidden)
  })
})

describe('step 4, the token', () => {
  const bad: [string, () => Promise<string | undefined>][] = [
    ['missing', async () => undefined],
    ['empty', async () => ''],
    ['malformed', async () => 'abc'],
    ['alg none', async () => `${b64({ alg: 'none', kid: 'v1' })}.${b64({ tid: partner.partnerId })}.`],
    [
      'unknown kid',
      async () => `${b64({ alg: 'HS256', kid: 'v99' })}.${b64({ tid: partner.partnerId })}.AAAA`,
    ],
    ['a path in kid', async () => `${b64({ alg: 'HS256', kid: '../../etc/passwd' })}.${b64({})}.AAAA`],
    ['of another tenant', async () => other.accessToken],
    ['of another tenant and expired', () => signFor(other, 'partner', 0)],
    ["a clinician's", () => signFor(partner, 'clinician', Date.now())],
    ["a clinician's and expired", () => signFor(partner, 'clinician', 0)],
    ['changed in its last character', async () => flipLast(partner.accessToken)],
  ]
  for (const [title, make] of bad) {
    it(`403 PartnerApiError when it is ${title}`, async () => {
      const token = await make()
      const headers = {
        'x-api-key': partner.apiKey,
        ...(token === undefined ? {} : { 'access-token': token }),
      }
      const answer = await service.call({ method: 'GET', url: '/v2/organizations', headers })
      expect(answer.statusCode).toBe(403)
      expect(answer.json()).toMatchObject({ error: { statusCode: 403, details: [] }, path: '/organizations' })
    })
  }

  it('401 PartnerApiError when it is ours, of this tenant and expired', async () => {
    const headers = { 'x-api-key': partner.apiKey, 'access-token': await signFor(partner, 'partner', 0) }
    const answer = await service.call({ method: 'GET', url: '/v2/organizations', headers })
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toMatchObject({ error: { statusCode: 401 } })
  })

  it('is not read from Authorization', async () => {
    const headers = { 'x-api-key': partner.apiKey, authorization: `Bearer ${partner.accessToken}` }
    expect((await service.call({ method: 'GET', url: '/v2/organizations', headers })).statusCode).toBe(403)
  })

  it('comes before ownership: a foreign id with a bad token is 403', async () => {
    const headers = { 'x-api-key': partner.apiKey, 'access-token': 'x' }
    const url = `/v2/organizations/${other.organizationId}`
    expect((await service.call({ method: 'GET', url, headers })).statusCode).toBe(403)
  })
})

describe('step 5 before step 7', () => {
  it('404 before the query is looked at', async () => {
    const url = `/v2/organizations/${randomUUID()}/clinics?page=0`
    expect((await service.call({ method: 'GET', url, headers: partner.headers })).statusCode).toBe(404)
  })

  it('404 before the body is read, whatever is in it', async () => {
    for (const payload of ['{', 'x'.repeat(2_000_000), '']) {
      const answer = await service.call({
        method: 'PATCH',
        url: `/v2/partners/${randomUUID()}`,
        headers: { ...partner.headers, 'content-type': 'text/plain' },
        payload,
      })
      expect(answer.statusCode).toBe(404)
    }
  })
})

describe('step 7, the body', () => {
  const patch = (payload: string | Buffer, headers: Record<string, string> = {}) =>
    service.call({
      method: 'PATCH',
      url: `/v2/partners/${partner.partnerId}`,
      headers: { ...partner.headers, 'content-type': 'application/json', ...headers },
      payload,
    })

  it('lists every offending field in the validation form', async () => {
    const answer = await service.call({
      method: 'POST',
      url: '/v2/partners/authenticate',
      headers: { 'x-api-key': partner.apiKey },
      payload: { clientId: 5, clientSecret: '' },
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({
      error: {
        type: expect.any(String),
        message: {
          message: ['clientId must be a string', 'clientSecret should not be empty'],
          error: 'Bad Request',
          statusCode: 400,
        },
        statusCode: 400,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        details: [],
      },
      path: '/partners/authenticate',
    })
  })

  it('400 for malformed JSON and for bytes that are no UTF-8', async () => {
    expect((await patch('{"callbackUrl":')).statusCode).toBe(400)
    expect((await patch(Buffer.from([0x22, 0xff, 0x22]))).statusCode).toBe(400)
  })

  it('413 above 1 MiB and not below', async () => {
    const filler = (bytes: number): string => JSON.stringify({ filler: 'x'.repeat(bytes - 13) })
    expect((await patch(filler(1_048_576))).statusCode).toBe(200)
    const answer = await patch(filler(1_048_577))
    expect([answer.statusCode, answer.json<{ error: { statusCode: number } }>().error.statusCode]).toEqual([
      413, 413,
    ])
  })

  it('415 for another media type', async () => {
    const answer = await patch('callbackUrl=x', { 'content-type': 'application/x-www-form-urlencoded' })
    expect(answer.statusCode).toBe(415)
  })

  it('reads an empty body as {}, whatever Content-Type says', async () => {
    expect((await patch('', { 'content-type': 'text/plain' })).statusCode).toBe(200)
  })

  it('gives field messages for null, string, number and array bodies', async () => {
    for (const payload of ['null', '"x"', '5', '[1]']) {
      const answer = await service.call({
        method: 'POST',
        url: '/v2/partners/authenticate',
        headers: { 'x-api-key': partner.apiKey, 'content-type': 'application/json' },
        payload,
      })
      expect(answer.json()).toMatchObject({
        error: { message: { message: ['clientId should not be empty', 'clientSecret should not be empty'] } },
      })
    }
  })

  it('ignores unknown fields and parameters, __proto__ and depth among them', async () => {
    const deep = `{"__proto__":{"admin":true},"constructor":{"x":1},"tenantId":"x","deep":${'['.repeat(5000)}${']'.repeat(5000)}}`
    expect((await patch(deep)).statusCode).toBe(200)
    const url = '/v2/organizations?limit=1&pageSize=1&per_page=1'
    const answer = await service.call({ method: 'GET', url, headers: partner.headers })
    expect(answer.json()).toMatchObject({ meta: { itemsPerPage: 10 } })
  })

  it('calls without a body accept any and look at no media type', async () => {
    for (const type of ['text/html', '', 'x', 'x/y;z', ';;', 'multipart/form-data']) {
      const answer = await service.call({
        method: 'POST',
        url: `/v2/clinicians/${partner.clinicianId}/authenticate`,
        headers: { ...partner.headers, 'content-type': type, 'idempotency-key': 'x' },
        payload: '<html>',
      })
      expect([type, answer.statusCode]).toEqual([type, 200])
    }
  })

  it('takes a body without a media type for JSON, and an odd one for none', async () => {
    expect((await patch('{"callbackUrl":null}', { 'content-type': '' })).statusCode).toBe(200)
    expect((await patch('{}', { 'content-type': 'application/json;charset=utf-8' })).statusCode).toBe(200)
    expect((await patch('{}', { 'content-type': 'x;;' })).statusCode).toBe(415)
  })
})

it('every answer carries a correlation id of its own', async () => {
  const answers = await Promise.all([
    service.call({ method: 'GET', url: '/v2/organizations', headers: partner.headers }),
    service.call({ method: 'GET', url: '/v2/organizations' }),
    service.call({ method: 'GET', url: '/nothing' }),
    service.call({ method: 'GET', url: '/v2/organizations/%zz' }),
  ])
  const ids = answers.map((answer) => answer.headers['x-request-id'])
  expect(new Set(ids).size).toBe(answers.length)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
})

const b64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const flipLast = (token: string): string => token.slice(0, -2) + (token.endsWith('A') ? 'BB' : 'AA')
