import type { LightMyRequestResponse } from 'fastify'
import { Clean, Errors } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomUUID } from 'node:crypto'
import { recordChange, reportAudit } from '../../src/kernel/audit/index.js'
import { operator } from '../../src/kernel/operator.js'
import { recordAudioLength } from '../../src/features/sessions/index.js'
import { rotateKey, rotateSecret } from '../../src/features/partners/index.js'
import { endPulse, tellPulse } from '../../src/kernel/db/pulses.sql.js'
import { listUsageDays } from '../../src/main/console/list-usage-days.js'
import type { TestPartner } from '../support/test-service.js'
import {
  cookieOf,
  enrol,
  get,
  invite,
  makeConsoleFixture,
  ownPage,
  post,
  type ConsoleFixture,
} from './console-fixture.js'

/** Every route, and who may call it: a new one must be added here, knowingly. */
const rights: Record<string, 'anyone' | 'enrolling' | 'user' | 'operator'> = {
  'POST /link': 'anyone',
  'POST /enrol/password': 'enrolling',
  'POST /enrol/totp': 'enrolling',
  'POST /enrol/passkey/options': 'enrolling',
  'POST /enrol/passkey': 'enrolling',
  'POST /sign-in': 'anyone',
  'POST /sign-in/passkey/options': 'anyone',
  'POST /sign-in/passkey': 'anyone',
  'POST /sign-out': 'user',
  'POST /confirm': 'user',
  'POST /confirm/passkey': 'user',
  'GET /me': 'user',
  'GET /me/passkeys': 'user',
  'POST /me/passkeys/options': 'user',
  'POST /me/passkeys': 'user',
  'POST /me/passkeys/{passkeyId}/remove': 'user',
  'GET /tenants/{tenantId}/overview': 'user',
  'GET /tenants/{tenantId}/request-logs': 'user',
  'GET /tenants/{tenantId}/sessions': 'user',
  'GET /tenants/{tenantId}/sessions/{sessionId}': 'user',
  'POST /tenants/{tenantId}/sessions/{sessionId}/retry': 'user',
  'GET /tenants/{tenantId}/endpoints': 'user',
  'POST /tenants/{tenantId}/endpoints/{endpointId}/recover': 'user',
  'GET /tenants/{tenantId}/deliveries': 'user',
  'GET /tenants/{tenantId}/deliveries/{deliveryId}': 'user',
  'POST /tenants/{tenantId}/deliveries/{deliveryId}/resend': 'user',
  'GET /tenants/{tenantId}/keys': 'user',
  'GET /tenants/{tenantId}/limits': 'user',
  'GET /tenants/{tenantId}/rates': 'user',
  'GET /tenants/{tenantId}/usage': 'user',
  'GET /tenants/{tenantId}/clinics': 'user',
  'GET /tenants/{tenantId}/clinicians': 'user',
  'GET /tenants/{tenantId}/audit': 'user',
  'POST /tenants/{tenantId}/keys/rotate': 'user',
  'POST /tenants/{tenantId}/keys/{keyId}/retire': 'user',
  'GET /tenants': 'operator',
  'GET /health': 'operator',
  'GET /refusals': 'operator',
}

let fixture: ConsoleFixture
let partner: TestPartner
let other: TestPartner
const cookies = { partner: '', other: '', operator: '' }

beforeAll(async () => {
  fixture = await makeConsoleFixture()
  partner = await fixture.service.addPartner()
  other = await fixture.service.addPartner('production')
  cookies.partner = (await enrol(fixture, 'ana', partner.partnerId)).cookie
  cookies.other = (await enrol(fixture, 'ben', other.partnerId)).cookie
  cookies.operator = (await enrol(fixture, 'olga', null)).cookie
})
afterAll(() => fixture.close())

/** What needs that somebody has shown just now that it is them. */
const fresh = new Set([
  'POST /me/passkeys/options',
  'POST /me/passkeys',
  'POST /me/passkeys/{passkeyId}/remove',
  'POST /tenants/{tenantId}/keys/rotate',
  'POST /tenants/{tenantId}/keys/{keyId}/retire',
])

const bodies: Record<string, object> = {
  'POST /confirm': { password: 'not the password', code: '000000' },
  'POST /confirm/passkey': { credential: {} },
  'POST /me/passkeys': { credential: {} },
  'POST /tenants/{tenantId}/endpoints/{endpointId}/recover': { since: '2026-11-17T00:00:00Z' },
  'POST /tenants/{tenantId}/keys/rotate': { kind: 'token_key', now: false },
}

/** The path with somebody's ids in it. */
function fill(path: string, of: TestPartner): string {
  const [, , , noun = ''] = path.split('/')
  const own: Record<string, string> = {
    sessions: of.sessionId,
    endpoints: of.endpointId,
    deliveries: of.deliveryId,
    keys: 'token-key-1',
  }
  return path.replace('{tenantId}', of.partnerId).replace(/\{(?!tenantId)\w+\}/, own[noun] ?? 'AAAA')
}

const call = (
  port: 'operator' | 'partner',
  name: string,
  of: TestPartner,
  headers: Record<string, string>,
): Promise<LightMyRequestResponse> => {
  const [method = 'GET', path = ''] = name.split(' ')
  return fixture.apps[port].inject({
    method: method as 'GET' | 'POST',
    url: `/console/api${fill(path, of)}`,
    headers: { host: 'localhost', ...headers },
    ...(method === 'POST' ? { payload: bodies[name] ?? {} } : {}),
  })
}

it('the routes and who may call them are those of the table', () => {
  for (const api of [fixture.service.api.consoleApi, fixture.admin.api]) {
    expect(Object.fromEntries(api.routes.map((one) => [`${one.method} ${one.path}`, one.who]))).toEqual(
      rights,
    )
    const needing = api.routes.filter((one) => one.needsFresh === true)
    expect(new Set(needing.map((one) => `${one.method} ${one.path}`))).toEqual(fresh)
  }
})

// What signs out or ends what others look at comes last.
const names = Object.keys(rights).toSorted(
  (a, b) => Number(a.includes('sign-out')) - Number(b.includes('sign-out')),
)

describe('route by route', () => {
  for (const name of names) {
    const who = rights[name]
    it(`${name}: ${who}`, async () => {
      const unknown = { status: 403, message: 'Missing Authentication Token' }
      const isOnPublic = who !== 'operator'
      const signedIn = { ...ownPage, cookie: cookies.partner }
      // Another site's page, and one without the header.
      if (name.startsWith('POST')) {
        for (const headers of [
          { ...signedIn, 'x-casenote-console': '' },
          { ...signedIn, 'sec-fetch-site': 'cross-site' },
          { ...signedIn, 'sec-fetch-site': 'same-site' },
          { ...signedIn, origin: 'https://evil.example' },
          { cookie: cookies.partner, 'x-casenote-console': '1' },
        ]) {
          const answer = await call('partner', name, partner, headers)
          expect([headers, answer.statusCode]).toEqual([headers, 403])
        }
        const admin = { ...ownPage, cookie: cookies.operator, 'sec-fetch-site': 'cross-site' }
        expect((await call('operator', name, partner, admin)).statusCode).toBe(403)
      }
      // The operator's routes are not there on the public port, whoever asks.
      if (!isOnPublic) {
        for (const cookie of ['', cookies.partner, cookies.operator]) {
          const answer = await call('partner', name, partner, { ...ownPage, cookie })
          expect(answer.statusCode).toBe(unknown.status)
          expect(answer.json()).toEqual({ message: unknown.message })
        }
      }
      if (who === 'anyone') return
      // Nobody; somebody with a made-up session; somebody of the other console.
      const madeUp = `casenote_console=${partner.partnerId.replaceAll('-', '')}.${'A'.repeat(43)}`
      for (const cookie of ['', 'casenote_console=x', madeUp, cookies.operator]) {
        if (!isOnPublic) continue
        const answer = await call('partner', name, partner, { ...ownPage, cookie })
        expect([cookie, answer.statusCode]).toEqual([cookie, 401])
      }
      for (const cookie of ['', madeUp.replace('console', 'operator'), cookies.partner]) {
        const answer = await call('operator', name, partner, { ...ownPage, cookie })
        expect([cookie, answer.statusCode]).toEqual([cookie, 401])
      }
      // Who is signed in has nothing to enrol, and who enrols is not signed in.
      if (who === 'enrolling') {
        expect((await call('partner', name, partner, signedIn)).statusCode).toBe(401)
        return
      }
      const token = await invite(fixture, 'enrolling', partner.partnerId)
      const enrolling = cookieOf(await post(fixture.apps.partner, '/link', { token }))
      if (isOnPublic)
        expect((await call('partner', name, partner, { ...ownPage, ...enrolling })).statusCode).toBe(401)
      if (name.includes('{tenantId}')) await walkTenants(name, isOnPublic)
      const operators = { ...ownPage, cookie: cookies.operator }
      if (fresh.has(name)) {
        await setConfirmed('6 minutes')
        for (const [port, headers] of [
          ['partner', signedIn],
          ['operator', operators],
        ] as const) {
          const answer = await call(port, name, partner, headers)
          expect([answer.statusCode, answer.headers['casenote-error-code']]).toEqual([
            409,
            'console_confirm_first',
          ])
        }
        await setConfirmed('0 minutes')
      }
      // Their own: let in, if only to be told of a state, or that what they gave to confirm is wrong.
      const letIn = (answer: LightMyRequestResponse): void => {
        expect(answer.headers['casenote-error-code']).not.toBe('console_sign_in_first')
        expect(answer.headers['casenote-error-code']).not.toBe('console_confirm_first')
        const told = name.includes('confirm') ? 401 : name.includes('/me/passkeys/{passkeyId}') ? 404 : 409
        expect([200, 204, told]).toContain(answer.statusCode)
      }
      if (isOnPublic) letIn(await call('partner', name, partner, signedIn))
      letIn(await call('operator', name, partner, operators))
    })
  }
})

/** How long ago everybody showed that it is them. */
async function setConfirmed(ago: string): Promise<void> {
  for (const kind of ['console', 'operator'])
    await ask(`update casenote.${kind}_sessions set confirmed_at = now() - interval '${ago}'`)
}

/** Not yours is the same 404 as does not exist; an operator sees every tenant that there is. */
async function walkTenants(name: string, isOnPublic: boolean): Promise<void> {
  const nobody = Object.fromEntries(
    Object.keys(partner).map((key) => [key, randomUUID()]),
  ) as unknown as TestPartner
  const nil = { ...partner, partnerId: '00000000-0000-0000-0000-000000000000' }
  const odd = { ...partner, partnerId: 'x' }
  if (isOnPublic) {
    const headers = { ...ownPage, cookie: cookies.partner }
    const answers = []
    for (const of of [nobody, other, nil, odd]) answers.push(await call('partner', name, of, headers))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404])
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    // Their own tenant with another's record in it.
    // Keys are numbered in each tenant: their ids are nobody else's.
    if (/\{(?!tenantId)\w+\}/.test(name) && !name.includes('/keys/')) {
      const mixed = { ...other, partnerId: partner.partnerId }
      expect((await call('partner', name, mixed, headers)).body).toBe(answers[0]?.body)
    }
  }
  const operators = { ...ownPage, cookie: cookies.operator }
  for (const of of [nobody, nil, odd])
    expect((await call('operator', name, of, operators)).statusCode).toBe(404)
  expect((await call('operator', name, other, operators)).statusCode).not.toBe(404)
}

describe('what is shown', () => {
  it('holds ids, states and times, and no name or word of anybody', async () => {
    const { cookie } = await enrol(fixture, 'reader', partner.partnerId)
    const texts: string[] = []
    for (const name of names) {
      if (!name.startsWith('GET') || rights[name] !== 'user') continue
      const answer = await call('partner', name, partner, { ...ownPage, cookie })
      expect([name, answer.statusCode]).toEqual([name, 200])
      texts.push(answer.body)
    }
    const all = texts.join('\n')
    for (const word of ['Sam', 'Sample', 'Ada', 'Example', 'ada@', 'Test partner', 'Organization', '/first'])
      expect([word, all.includes(word)]).toEqual([word, false])
    expect(all).toContain(partner.sessionId)
    expect(all).toContain('hooks.acme.org')
  })

  it('is what the contract names, and nothing beside it', async () => {
    for (const [port, { routes }] of [
      ['partner', fixture.service.api.consoleApi],
      ['operator', fixture.admin.api],
    ] as const) {
      const { cookie } = await enrol(
        fixture,
        `${port}-reader`,
        port === 'operator' ? null : partner.partnerId,
      )
      for (const { method, path, who, answer: schema } of routes) {
        if (method !== 'GET' || schema === null || (port === 'partner' && who === 'operator')) continue
        const answer = await call(port, `${method} ${path}`, partner, { ...ownPage, cookie })
        const told: unknown = answer.json()
        expect([path, answer.statusCode, Errors(schema, told)]).toEqual([path, 200, []])
        expect([path, Clean(schema, structuredClone(told))]).toEqual([path, told])
      }
    }
  })

  it('a session has its steps and history; a delivery its tries; lists go on behind a cursor', async () => {
    const { cookie } = await enrol(fixture, 'looker', partner.partnerId)
    const read = async (path: string) =>
      (await get(fixture.apps.partner, `/tenants/${partner.partnerId}${path}`, { cookie })).json()
    const session = await read(`/sessions/${partner.sessionId}`)
    expect(session).toMatchObject({ id: partner.sessionId, clientId: partner.clientId })
    expect(session.history.length).toBeGreaterThan(0)
    expect(await read(`/deliveries/${partner.deliveryId}`)).toMatchObject({
      id: partner.deliveryId,
      tries: [],
    })
    expect((await read('/sessions')).data.map(({ id }: { id: string }) => id)).toContain(partner.sessionId)
    expect((await read('/sessions?status=awaiting_audio')).data).toEqual([])
    expect((await read('/usage?days=7')).days).toHaveLength(7)
    for (let index = 0; index < 60; index += 1)
      await fixture.service.call({ method: 'GET', url: '/v2/partners', headers: partner.headers })
    await expect
      .poll(async () => (await read('/request-logs?operation=partner.read')).next, { timeout: 10_000 })
      .not.toBeNull()
    const first = await read('/request-logs?operation=partner.read')
    const second = await read(`/request-logs?operation=partner.read&cursor=${first.next}`)
    const ids = [...first.data, ...second.data].map(({ requestId }: { requestId: string }) => requestId)
    expect(first.data).toHaveLength(50)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('an audit report goes on where its page ended, and shows nothing twice', async () => {
    const { cookie } = await enrol(fixture, 'auditor', partner.partnerId)
    // In one transaction: many of them have one time, and pages end among those.
    const subjects: string[] = Array.from({ length: 120 }, () => randomUUID())
    await fixture.service.db.write({ tenantId: partner.partnerId }, async (tx) => {
      for (const subject of subjects)
        await recordChange(tx, { ...operator, operation: 'client.change', subjects: [subject] })
    })
    const path = `/tenants/${partner.partnerId}/audit`
    const pages: { records: string[] }[][] = []
    let next: string | null = ''
    while (next !== null) {
      const query = next === '' ? '' : `?cursor=${next}`
      const answer = await get(fixture.apps.partner, `${path}${query}`, { cookie })
      const page: { data: { records: string[] }[]; next: string | null } = answer.json()
      pages.push(page.data)
      next = page.next
    }
    expect(pages.length).toBeGreaterThan(2)
    for (const page of pages.slice(0, -1)) expect(page).toHaveLength(50)
    const shown = pages.flat().flatMap(({ records }) => records)
    expect(shown.filter((id) => subjects.includes(id))).toEqual(subjects)
  })
})

describe('changes', () => {
  it('name the console user in the partner’s log', async () => {
    const { cookie } = await enrol(fixture, 'doer', partner.partnerId)
    const path = `/tenants/${partner.partnerId}`
    const from = new Date().toISOString()
    await post(
      fixture.apps.partner,
      `${path}/endpoints/${partner.endpointId}/recover`,
      bodies['POST /tenants/{tenantId}/endpoints/{endpointId}/recover'],
      { cookie },
    )
    // Where it was done from is shown to the operator, and not to the partner's people.
    const whence = async (port: 'operator' | 'partner', reader: string) => {
      const report = await get(fixture.apps[port], `${path}/audit?from=${from}`, { cookie: reader })
      const { data } = report.json<{ data: { operation: string; as: string | null; from: unknown }[] }>()
      return data.filter(({ operation, as }) => operation === 'webhookEndpoint.recover' && as === 'doer')
    }
    const { cookie: operators } = await enrol(fixture, 'whence', null)
    expect(await whence('partner', cookie)).toMatchObject([{ from: null }])
    expect(await whence('operator', operators)).toMatchObject([{ from: '127.0.0.1' }])
    const { rows: kept } = await ask(
      `select actor_kind, actor_id, actor_as from casenote.audit_pending where operation = 'webhookEndpoint.recover' and actor_as = 'doer'`,
    )
    expect(kept).toEqual([{ actor_kind: 'partner', actor_id: partner.partnerId, actor_as: 'doer' }])
  })

  it('an operator’s new secret is shown once and works; the old one goes on for a day, or ends', async () => {
    const { cookie } = await enrol(fixture, 'rotator', null)
    const rotate = async (kind: string, now: boolean) => {
      await setConfirmed('0 minutes')
      return post(fixture.apps.operator, `/tenants/${other.partnerId}/keys/rotate`, { kind, now }, { cookie })
    }
    const { secret } = (await rotate('client_secret', false)).json<{ secret: string }>()
    const signIn = (clientSecret: string) =>
      fixture.service.call({
        method: 'POST',
        url: '/v2/partners/authenticate',
        headers: { 'x-api-key': other.apiKey },
        payload: { clientId: other.credentialId, clientSecret },
      })
    await expect.poll(async () => (await signIn(secret)).statusCode, { timeout: 10_000 }).toBe(200)
    expect((await signIn(other.clientSecret)).statusCode).toBe(200)
    const keys = (await get(fixture.apps.operator, `/tenants/${other.partnerId}/keys`, { cookie })).json()
    expect(JSON.stringify(keys)).not.toContain(secret)
    expect(keys.keys.filter(({ kind }: { kind: string }) => kind === 'client_secret')).toHaveLength(2)
    const retire = async (id: string) => {
      await setConfirmed('0 minutes')
      return post(fixture.apps.operator, `/tenants/${other.partnerId}/keys/${id}/retire`, {}, { cookie })
    }
    expect((await retire('data-key-1')).statusCode).toBe(409)
    // Only one that there is, is not retired and not the newest; with those before it, and none after it.
    await rotate('token_key', false)
    await rotate('token_key', false)
    const tokenKeys = await fixture.service.owner.throughDoor<{ version: number }>({
      text: `select version from casenote.tenant_keys where tenant_id = $1 and purpose = 'token' order by version`,
      values: [other.partnerId],
    })
    const [newest = 0, second = 0] = tokenKeys.map(({ version }) => version).toReversed()
    const open = async () =>
      (
        await ask(
          `select version from casenote.tenant_keys where tenant_id = '${other.partnerId}' and purpose = 'token' and retired_at is null order by version`,
        )
      ).rows.map(({ version }) => version)
    expect((await retire(`token-key-${newest + 1}`)).statusCode).toBe(404)
    expect((await retire(`data-key-99`)).statusCode).toBe(404)
    expect((await retire(`token-key-${newest}`)).statusCode).toBe(409)
    expect(await open()).toContain(second)
    expect((await retire(`token-key-${second - 1}`)).statusCode).toBe(204)
    expect(await open()).toEqual([second, newest])
    expect((await retire(`token-key-${second - 1}`)).statusCode).toBe(409)
    expect((await retire('api-key-1')).statusCode).toBe(404)
    const { rows } = await ask(
      `select actor_kind, actor_id, actor_as from casenote.audit_pending where operation = 'partner.rotateSecret' and tenant_id = '${other.partnerId}'`,
    )
    expect(rows).toEqual([{ actor_kind: 'operator', actor_id: 'rotator', actor_as: 'console' }])
  })
})

describe('a partner’s own keys', () => {
  const rotateOnce = (of: TestPartner, cookie: string, kind: string, now: boolean) =>
    post(fixture.apps.partner, `/tenants/${of.partnerId}/keys/rotate`, { kind, now }, { cookie })
  const rotate = async (...given: Parameters<typeof rotateOnce>) => {
    await setConfirmed('0 minutes')
    return rotateOnce(...given)
  }
  const authenticate = async (of: TestPartner, apiKey: string, clientSecret: string): Promise<number> => {
    const headers = { 'x-api-key': apiKey }
    const payload = { clientId: of.credentialId, clientSecret }
    const request = { method: 'POST', url: '/v2/partners/authenticate', headers, payload } as const
    return (await fixture.service.call(request)).statusCode
  }

  it('are rotated by its developer: the old secret goes on until it is retired, the old API key ends', async () => {
    const mine = await fixture.service.addPartner('production')
    const { cookie } = await enrol(fixture, 'own-keys', mine.partnerId)
    const made = await rotate(mine, cookie, 'client_secret', false)
    expect([made.statusCode, made.body]).toEqual([200, expect.stringContaining('secret')])
    const { secret } = made.json<{ secret: string }>()
    await expect.poll(() => authenticate(mine, mine.apiKey, secret), { timeout: 10_000 }).toBe(200)
    expect(await authenticate(mine, mine.apiKey, mine.clientSecret)).toBe(200)
    const list = async () =>
      (await get(fixture.apps.partner, `/tenants/${mine.partnerId}/keys`, { cookie })).json<{
        keys: { id: string; kind: string; endsAt: string | null; endedAt: string | null }[]
      }>().keys
    const secrets = (await list()).filter(({ kind }) => kind === 'client_secret')
    const old = secrets.find(({ endsAt }) => endsAt !== null)
    const newest = secrets.find(({ endsAt }) => endsAt === null)
    const retire = async (id = '') => {
      await setConfirmed('0 minutes')
      return post(fixture.apps.partner, `/tenants/${mine.partnerId}/keys/${id}/retire`, {}, { cookie })
    }
    expect((await retire(randomUUID())).statusCode).toBe(404)
    // Refused, and nothing else was ended by it.
    const refused = await retire(newest?.id)
    expect([refused.statusCode, refused.headers['casenote-error-code']]).toEqual([409, 'key_not_retirable'])
    expect((await retire(old?.id)).statusCode).toBe(204)
    expect((await retire(newest?.id)).statusCode).toBe(409)
    await expect
      .poll(() => authenticate(mine, mine.apiKey, mine.clientSecret), { timeout: 10_000 })
      .not.toBe(200)
    expect(await authenticate(mine, mine.apiKey, secret)).toBe(200)
    const renewed = (await rotate(mine, cookie, 'api_key', true)).json<{ secret: string }>().secret
    await expect.poll(() => authenticate(mine, renewed, secret), { timeout: 10_000 }).toBe(200)
    await expect.poll(() => authenticate(mine, mine.apiKey, secret), { timeout: 10_000 }).toBe(403)
    // Every token signed so far ended with it.
    const asBefore = await fixture.service.call({
      method: 'GET',
      url: '/v2/partners',
      headers: { ...mine.headers, 'x-api-key': renewed },
    })
    expect(asBefore.statusCode).toBe(401)
    const { rows } = await ask(
      `select distinct operation, actor_kind, actor_as from casenote.audit_pending where tenant_id = '${mine.partnerId}'
        and (operation like 'partner.r%' or operation like 'key.%') and actor_as is not null order by operation`,
    )
    expect(rows).toEqual(
      ['key.retire', 'key.rotate', 'partner.retireSecret', 'partner.rotateKey', 'partner.rotateSecret'].map(
        (operation) => ({ operation, actor_kind: 'partner', actor_as: 'own-keys' }),
      ),
    )
  })

  it('are rotated once for each confirmation, also by two at once; what fails leaves it', async () => {
    const mine = await fixture.service.addPartner('production')
    const { cookie } = await enrol(fixture, 'once', mine.partnerId)
    const path = `/tenants/${mine.partnerId}/keys/token-key-1/retire`
    const failed = await post(fixture.apps.partner, path, {}, { cookie })
    expect(failed.headers['casenote-error-code']).toBe('key_not_retirable')
    const both = await Promise.all([1, 2].map(() => rotateOnce(mine, cookie, 'token_key', true)))
    expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409])
    const third = await rotateOnce(mine, cookie, 'api_key', false)
    expect(third.headers['casenote-error-code']).toBe('console_confirm_first')
    const { rows } = await ask(
      `select version, retired_at is not null as retired from casenote.tenant_keys
        where tenant_id = '${mine.partnerId}' and purpose = 'token' order by version`,
    )
    expect(rows).toEqual([
      { version: 1, retired: true },
      { version: 2, retired: false },
    ])
    // Somebody has a session and does not show that it is theirs: that stands in the log.
    const refusals = async () => {
      const found: unknown[] = []
      const ring = await fixture.service.keys.get({ tenantId: mine.partnerId })
      const filter = { clientId: null, clinicianId: null, since: null, until: null }
      for await (const { actor, operation, status } of reportAudit({
        db: fixture.service.db,
        ring,
        filter,
        onProgress: () => {},
      }))
        if (actor.as === 'once') found.push([operation, status])
      return found
    }
    await expect.poll(refusals, { timeout: 10_000 }).toContainEqual(['console.rotateKey', 409])
  })

  it('429 for the twenty-first of an hour in a console, whichever kind; the command line is not bound', async () => {
    const mine = await fixture.service.addPartner('production')
    const { cookie } = await enrol(fixture, 'often', mine.partnerId)
    const kinds = ['token_key', 'api_key', 'client_secret']
    for (let count = 0; count < 20; count++)
      expect((await rotate(mine, cookie, kinds[count % 3] ?? '', false)).statusCode).toBe(200)
    for (const kind of kinds) {
      const answer = await rotate(mine, cookie, kind, false)
      expect([answer.statusCode, answer.headers['casenote-error-code']]).toEqual([429, 'too_many_rotations'])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3_000)
    }
    const tenant = { tenantId: mine.partnerId }
    await rotateKey(fixture.service.owner, tenant)
    await ask(
      `update casenote.key_rotations set at = at - interval '1 hour' where tenant_id = '${mine.partnerId}'`,
    )
    await ask(
      `update casenote.api_keys set revoked_at = now() - interval '91 days' where tenant_id = '${mine.partnerId}'
        and revoked_at is not null`,
    )
    expect((await rotate(mine, cookie, 'api_key', false)).statusCode).toBe(200)
    const { rows } = await ask(
      `select (select count(*)::int from casenote.key_rotations where tenant_id = '${mine.partnerId}') as rotations,
        (select count(*)::int from casenote.api_keys where tenant_id = '${mine.partnerId}') as keys`,
    )
    expect(rows).toEqual([{ rotations: 1, keys: 2 }])
  })

  it('that have ended stay so for the service’s login, and young ones are not deleted by it', async () => {
    const mine = await fixture.service.addPartner('production')
    const tenant = { tenantId: mine.partnerId }
    const { db, owner, masterKeys } = fixture.service
    const ring = await fixture.service.keys.get(tenant)
    await rotateKey(owner, tenant, masterKeys)
    await rotateSecret(owner, ring)
    const change = async (text: string) => {
      const touched = await db.writeAtOnce(tenant, { text, values: [mine.partnerId] })
      return touched.length
    }
    const unseen = [
      'update casenote.api_keys set revoked_at = null where tenant_id = $1 and revoked_at is not null returning 1',
      'update casenote.tenant_keys set retired_at = null where tenant_id = $1 and retired_at is not null returning 1',
      'delete from casenote.api_keys where tenant_id = $1 returning 1',
      'delete from casenote.client_secrets where tenant_id = $1 returning 1',
      'delete from casenote.tenant_keys where tenant_id = $1 returning 1',
    ]
    for (const text of unseen) expect([text, await change(text)]).toEqual([text, 0])
    const forbidden = [
      'update casenote.api_keys set revoked_at = null where tenant_id = $1',
      'update casenote.client_secrets set expires_at = null where tenant_id = $1',
      `update casenote.client_secrets set expires_at = now() + interval '2 days' where tenant_id = $1`,
      `update casenote.tenant_keys set retired_at = null where tenant_id = $1`,
      `insert into casenote.tenant_keys (tenant_id, purpose, version, wrapped_key, master_key_id, created_at)
        values ($1, 'token', 9, '\\x00', 'x', now() - interval '9 days')`,
      `insert into casenote.client_secrets (tenant_id, secret_id, sealed_secret, expires_at)
        values ($1, gen_random_uuid(), '\\x00', 'infinity')`,
    ]
    for (const text of forbidden) await expect(change(text)).rejects.toMatchObject({ code: '42501' })
  })

  it('of data stay the operator’s, in the console and for the service’s login', async () => {
    const { cookie } = await enrol(fixture, 'no-data', partner.partnerId)
    expect((await rotate(partner, cookie, 'data_key', false)).statusCode).toBe(400)
    const path = `/tenants/${partner.partnerId}/keys/data-key-1/retire`
    expect((await post(fixture.apps.partner, path, {}, { cookie })).statusCode).toBe(409)
    const tenant = { tenantId: partner.partnerId }
    const forbidden = [
      `insert into casenote.tenant_keys values ($1, 'data', 9, '\\x00', 'x')`,
      `insert into casenote.tenant_keys values ($1, 'audit', 9, '\\x00', 'x')`,
    ]
    for (const text of forbidden)
      await expect(
        fixture.service.db.writeAtOnce(tenant, { text, values: [partner.partnerId] }),
      ).rejects.toThrow()
    for (const text of [
      `update casenote.tenant_keys set retired_at = now() where tenant_id = $1 and purpose <> 'token' returning 1`,
      `delete from casenote.tenant_keys where tenant_id = $1 and purpose <> 'token' returning 1`,
    ]) {
      const touched = await fixture.service.db.writeAtOnce(tenant, { text, values: [partner.partnerId] })
      expect(touched).toEqual([])
    }
  })
})

describe('what is asked for again and again', () => {
  it('is a 304 while it is the same, and the whole again once it changed', async () => {
    const { cookie } = await enrol(fixture, 'again', partner.partnerId)
    const read = (headers: Record<string, string>) =>
      get(fixture.apps.partner, `/tenants/${partner.partnerId}/keys`, { cookie, ...headers })
    const first = await read({})
    const tag = String(first.headers.etag)
    const same = await read({ 'if-none-match': tag })
    expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, '', tag])
    const operators = await enrol(fixture, 'again-operator', null)
    const path = `/tenants/${partner.partnerId}/keys/rotate`
    const rotated = await post(
      fixture.apps.operator,
      path,
      { kind: 'token_key' },
      { cookie: operators.cookie },
    )
    expect(rotated.statusCode).toBe(200)
    const changed = await read({ 'if-none-match': tag })
    expect(changed.statusCode).toBe(200)
    expect(changed.headers.etag).not.toBe(tag)
  })
})

describe('usage', () => {
  it('has minutes of audio, stored bytes and refused calls by day, and calls by minute against the limits', async () => {
    const mine = await fixture.service.addPartner('production')
    const { cookie } = await enrol(fixture, 'usage', mine.partnerId)
    const tenant = { tenantId: mine.partnerId }
    const read = async (path: string) =>
      (await get(fixture.apps.partner, `/tenants/${mine.partnerId}${path}`, { cookie })).json()
    await fixture.service.db.write(tenant, (tx) =>
      recordAudioLength(tx, { sessionId: mine.sessionId, durationSeconds: 50 * 60 }),
    )
    await ask(
      `insert into casenote.usage_days values ('${mine.partnerId}', (now() at time zone 'UTC')::date - 40, 7)`,
    )
    await ask(`select casenote.add_usage('${mine.partnerId}', null, 1000, 0)`)
    await ask(
      `update casenote.tenants set per_day = 1, rate_per_second = 5, burst = 5 where tenant_id = '${mine.partnerId}'`,
    )
    const readPartner = () =>
      fixture.service.call({ method: 'GET', url: '/v2/partners', headers: mine.headers })
    await expect.poll(async () => (await readPartner()).statusCode, { timeout: 10_000 }).toBe(429)
    await expect
      .poll(async () => (await read('/usage')).days.at(-1).limited, { timeout: 10_000 })
      .toBeGreaterThan(0)
    const { days } = await read('/usage')
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toMatchObject({ audioMinutes: 50, sessions: 1, storedBytes: 1_000 })
    expect(days[0]).toMatchObject({ audioMinutes: 0, storedBytes: 7, limited: 0 })
    const rates = await read('/rates')
    expect(rates).toMatchObject({ ratePerSecond: 5, burst: 5, perDay: 1 })
    expect(rates.minutes).toHaveLength(60)
    const sum = (name: string) =>
      rates.minutes.reduce((total: number, minute: Record<string, number>) => total + (minute[name] ?? 0), 0)
    expect(sum('limited')).toBeGreaterThan(0)
    expect(sum('requests')).toBeGreaterThanOrEqual(sum('limited'))
  })
})

describe('usage beyond what is looked at', () => {
  it('is null and not none: by minute where there were too many calls', async () => {
    const mine = await fixture.service.addPartner('production')
    const { cookie } = await enrol(fixture, 'busy', mine.partnerId)
    await ask(
      `insert into casenote.request_logs (tenant_id, at, request_id, operation, status, latency_ms, path_ids)
       select '${mine.partnerId}', date_trunc('minute', now()) - make_interval(mins => case when n <= 100000 then 5 else 9 end),
         gen_random_uuid(), 'partner.read', 200, 1, '{}' from generate_series(1, 100001) n`,
    )
    const path = `/tenants/${mine.partnerId}/rates`
    const { minutes } = (await get(fixture.apps.partner, path, { cookie })).json<{
      minutes: { requests: number | null; limited: number | null }[]
    }>()
    expect(minutes[0]).toMatchObject({ requests: null, limited: null })
    expect(minutes.at(-1)).toMatchObject({ requests: expect.any(Number), limited: 0 })
    expect(minutes.filter(({ requests }) => requests === null).length).toBeGreaterThanOrEqual(53)
  })

  it('is null by day before the first of which all was looked at', () => {
    const nothing = { requests: [], sessions: [], deliveries: [], stored: [] }
    const knownFrom = { sessions: '2026-11-16', deliveries: null }
    const days = listUsageDays(3, { ...nothing, knownFrom }, '2026-11-17')
    expect(
      days.map(({ day, sessions, audioMinutes, deliveries }) => [day, sessions, audioMinutes, deliveries]),
    ).toEqual([
      ['2026-11-15', null, null, 0],
      ['2026-11-16', 0, 0, 0],
      ['2026-11-17', 0, 0, 0],
    ])
  })
})

describe('health', () => {
  it('tells of processes, their versions and lags, of engines and of what waits', async () => {
    const { db } = fixture.service
    const processId = randomUUID()
    await db.throughDoor(tellPulse({ processId, role: 'worker', version: '9.9.9', lagMs: 12 }))
    const dead = randomUUID()
    await db.throughDoor(tellPulse({ processId: dead, role: 'dispatcher', version: '9.9.9', lagMs: 0 }))
    await ask(
      `update casenote.pulses set beaten_at = now() - interval '1 minute' where process_id = '${dead}'`,
    )
    // It does not beat again, and a busy machine takes longer than a process may be silent.
    await ask(
      `update casenote.pulses set beaten_at = now() + interval '1 hour' where process_id = '${processId}'`,
    )
    const { cookie } = await enrol(fixture, 'healthy', null)
    const read = () => get(fixture.apps.operator, '/health', { cookie })
    // What is known for four seconds may be of before.
    await expect
      .poll(async () => (await read()).json().processes.length, { interval: 500 })
      .toBeGreaterThanOrEqual(2)
    const health = (await read()).json()
    expect(health.processes).toMatchObject([
      { role: 'dispatcher', version: '9.9.9', isSilent: true },
      { role: 'worker', version: '9.9.9', lagMs: 12, isSilent: false },
    ])
    expect(health.engines.map(({ name }: { name: string }) => name)).toEqual(['speech', 'reader', 'writer'])
    expect(health.engines[0]).toMatchObject({ chosen: expect.any(String), waitingForIt: 0 })
    expect(health.queue).toEqual(expect.any(Array))
    // Nothing sends webhooks here: on a slow machine they are late by now.
    expect(health.late.filter(({ kind }: { kind: string }) => kind !== 'webhooks')).toEqual([])
    expect(health.deliveries).toMatchObject({ waiting: expect.any(Number) })
    await db.throughDoor(endPulse(processId))
    const { rows } = await ask(`select role from casenote.pulses where process_id = '${processId}'`)
    expect(rows).toEqual([])
  })
})

describe('the audit report', () => {
  const made = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

  it('stands in the log for every page, whatever the cursor says', async () => {
    const { cookie } = await enrol(fixture, 'pager', partner.partnerId)
    const read = (query: string) =>
      get(fixture.apps.partner, `/tenants/${partner.partnerId}/audit${query}`, { cookie })
    const first = made({ at: '2000-01-01T00:00:00.000Z', shown: 0 })
    for (const query of ['', `?cursor=${first}`]) expect((await read(query)).statusCode).toBe(200)
    const { rows } = await ask(
      `select count(*)::int as count from casenote.audit_pending where operation = 'audit.report' and actor_as = 'pager'`,
    )
    expect(rows).toEqual([{ count: 2 }])
  })

  it('400 for a cursor or a time that is none of ours, on every list', async () => {
    const { cookie } = await enrol(fixture, 'typist', partner.partnerId)
    const read = async (path: string) =>
      (await get(fixture.apps.partner, `/tenants/${partner.partnerId}${path}`, { cookie })).statusCode
    const requestId = randomUUID()
    for (const at of [
      '2026-13-45T99:99:99.999Z',
      '2026-02-30T00:00:00.000Z',
      '0000-01-01T00:00:00.000Z',
      '+275760-09-13T00:00:00.000Z',
      '2026-11-17',
      '1',
      7,
    ]) {
      expect([at, await read(`/audit?cursor=${made({ at, shown: 0 })}`)]).toEqual([at, 400])
      expect([at, await read(`/request-logs?cursor=${made({ at, requestId })}`)]).toEqual([at, 400])
    }
    for (const cursor of ['x', made(null), made({}), made('1'), made(1e300)])
      for (const list of ['audit', 'request-logs', 'sessions', 'deliveries', 'clinics', 'clinicians'])
        expect([list, cursor, await read(`/${list}?cursor=${cursor}`)]).toEqual([list, cursor, 400])
    for (const from of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00%2B14:00', '2016-12-31T23:59:60Z'])
      expect([from, await read(`/audit?from=${from}`)]).toEqual([from, 400])
  })
})

describe('lists', () => {
  it('name each session, client and clinician that they show in the log, once in ten minutes', async () => {
    const { cookie } = await enrol(fixture, 'lister', partner.partnerId)
    const tenant = { tenantId: partner.partnerId }
    const read = async (path: string) =>
      (await get(fixture.apps.partner, `/tenants/${partner.partnerId}${path}`, { cookie })).json()
    const seen = async (id: string, operation: string) => {
      const rows: string[] = []
      const ring = await fixture.service.keys.get(tenant)
      const filter = { clientId: null, clinicianId: null, since: null, until: null }
      for await (const entry of reportAudit({ db: fixture.service.db, ring, filter, onProgress: () => {} }))
        if (entry.actor.as === 'lister' && entry.operation === operation && entry.subjects.includes(id))
          rows.push(entry.operation)
      return rows.length
    }
    await read('/sessions')
    await read('/sessions')
    expect(await seen(partner.sessionId, 'console.listSessions')).toBe(1)
    expect(await seen(partner.clientId, 'console.listSessions')).toBe(1)
    const { data } = await read('/clinicians')
    expect(data[0]).not.toHaveProperty('externalId')
    expect(await seen(data[0].id, 'console.listClinicians')).toBe(1)
  })
})

/** As the owner. */
const ask = async (text: string) => ({
  rows: await fixture.service.owner.throughDoor<Record<string, unknown>>({ text, values: [] }),
})
