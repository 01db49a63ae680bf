import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  RefusalAudit,
  chainAudit,
  unsealAddress,
  verifyAudit,
  type AuditEntry,
} from '../../src/kernel/audit/index.js'
import { entriesOfCallerMax, entriesOfTenantMax } from '../../src/kernel/audit/refusal-audit.js'
import { resumePartner, rotateKey, suspendPartner } from '../../src/features/partners/index.js'
import { newApiKey } from '../../src/features/partners/partner-credentials.js'
import { systemClock } from '../../src/kernel/clock.js'
import { waitUntil } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { makePagesFixture } from '../client-pages/pages-fixture.js'
import { addColleague, signIn } from '../widget/widget-fixture.js'

let service: TestService
let one: TestPartner
let other: TestPartner

beforeAll(async () => {
  service = await makeTestService({ env: { CASENOTE_TRUSTED_PROXIES: '127.0.0.1' } })
  one = await service.addPartner()
  other = await service.addPartner()
})
afterAll(() => service.close())

interface Written {
  operation: string
  kind: string
  id: string | null
  status: number | null
  address: string | null
  subjects: string[]
}

/** What stands about one request, with the address opened. */
async function listOf(partner: TestPartner, requestId: string): Promise<Written[]> {
  const rows = await service.owner.throughDoor<{ body: string; subjects: string[] }>({
    text: `select body, subject_ids::text[] as subjects from casenote.audit_entries
        where tenant_id = $1 and body::jsonb ->> 'requestId' = $2
      union all select json_build_object('operation', operation, 'actor',
        json_build_object('kind', actor_kind, 'id', actor_id, 'from', actor_from))::text, subject_ids::text[]
        from casenote.audit_pending where tenant_id = $1 and request_id = $2`,
    values: [partner.partnerId, requestId],
  })
  const ring = await service.keys.get({ tenantId: partner.partnerId })
  return rows.map(({ body, subjects }) => {
    const { operation, actor, status } = JSON.parse(body) as AuditEntry
    const address = actor.from === undefined ? null : unsealAddress(ring, actor.from)
    return { operation, kind: actor.kind, id: actor.id, status: status ?? null, address, subjects }
  })
}

const proxied = { 'x-forwarded-for': '203.0.113.9' }

type Asked = Parameters<TestService['call']>[0] & object

/** The entry that a request left in a partner's log. */
async function entryOf(partner: TestPartner, request: Asked, status: number): Promise<Written> {
  const answer = await service.call({ ...request, headers: { ...proxied, ...request.headers } })
  expect(answer.statusCode).toBe(status)
  const requestId = String(answer.headers['x-request-id'])
  await waitUntil(async () => (await listOf(partner, requestId)).length > 0, 'it is recorded')
  const written = await listOf(partner, requestId)
  expect(JSON.stringify(written)).not.toMatch(/secret|1990-01-31|Sample/i)
  return written[0] as Written
}

const authenticate = (partner: TestPartner, clientSecret: string): Asked => ({
  method: 'POST',
  url: '/v2/partners/authenticate',
  headers: { 'x-api-key': partner.apiKey },
  payload: { clientId: partner.credentialId, clientSecret },
})

describe('logins', () => {
  it('of a partner, good and bad, with the address behind the proxy', async () => {
    const entry = {
      operation: 'partner.authenticate',
      kind: 'partner',
      id: one.partnerId,
      address: '203.0.113.9',
      subjects: [one.partnerId],
    }
    expect(await entryOf(one, authenticate(one, one.clientSecret), 200)).toEqual({ ...entry, status: null })
    expect(await entryOf(one, authenticate(one, 'wrong'), 401)).toEqual({ ...entry, status: 401 })
  })

  it('of a clinician who is deactivated, who gets no tokens', async () => {
    const { clinicianId } = await addColleague(service, one)
    await service.ask(one, 'POST', `/clinicians/${clinicianId}/deactivate`)
    const url = `/v2/clinicians/${clinicianId}/authenticate`
    expect(await entryOf(one, { method: 'POST', url, headers: one.headers }, 409)).toEqual({
      operation: 'clinician.authenticate',
      kind: 'partner',
      id: one.partnerId,
      status: 409,
      address: '203.0.113.9',
      subjects: [clinicianId],
    })
  })

  it('of a clinician, and each renewal; a replay with where it came from, and what is refused after it', async () => {
    const minted = await entryOf(
      one,
      { method: 'POST', url: `/v2/clinicians/${one.clinicianId}/authenticate`, headers: one.headers },
      200,
    )
    expect(minted).toMatchObject({ operation: 'clinician.authenticate', address: '203.0.113.9' })
    const { tokens } = await signIn(service, one)
    const renew = (token: string): Asked => ({
      method: 'POST',
      url: '/widget/v1/token',
      payload: { RefreshToken: token },
    })
    const clinician = { kind: 'clinician', id: one.clinicianId, subjects: [one.clinicianId] }
    expect(await entryOf(one, renew(tokens.RefreshToken), 200)).toMatchObject({
      ...clinician,
      operation: 'widget.renewTokens',
      address: '203.0.113.9',
    })
    const replayed = await service.call({ ...renew(tokens.RefreshToken), headers: proxied })
    const requestId = String(replayed.headers['x-request-id'])
    await waitUntil(async () => (await listOf(one, requestId)).length === 2, 'both are recorded')
    expect(await listOf(one, requestId)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ operation: 'widget.revokeAfterReplay', address: '203.0.113.9' }),
        expect.objectContaining({ ...clinician, operation: 'widget.renewTokens', status: 401 }),
      ]),
    )
    const ended = { authorization: `Bearer ${tokens.AccessToken}` }
    expect(
      await entryOf(one, { method: 'GET', url: '/widget/v1/clients', headers: ended }, 401),
    ).toMatchObject({ operation: 'widget.listClients', kind: 'clinician', id: one.clinicianId, status: 401 })
  })
})

describe('refusals', () => {
  it('a token that is not ours, expired or missing is recorded in the log of the key’s partner', async () => {
    for (const token of ['', 'not.a.token', other.accessToken]) {
      const headers = { 'x-api-key': one.apiKey, 'access-token': token }
      expect(await entryOf(one, { method: 'GET', url: '/v2/organizations', headers }, 403)).toMatchObject({
        operation: 'organization.list',
        status: 403,
      })
    }
  })

  it('a logout with a refresh token that is none, and a code asked for on a page that may not, name the partner', async () => {
    const RefreshToken = `${one.partnerId.replaceAll('-', '')}.${'x'.repeat(43)}`
    const logout: Asked = { method: 'POST', url: '/widget/v1/logout', payload: { RefreshToken } }
    const nobody = { kind: 'clinician', id: null, address: '203.0.113.9' }
    expect(await entryOf(one, logout, 401)).toMatchObject({
      ...nobody,
      operation: 'widget.logout',
      status: 401,
    })
    const ask: Asked = {
      method: 'POST',
      url: '/widget/v1/sign-in',
      payload: {
        partnerId: one.partnerId,
        origin: 'https://elsewhere.example.com',
        email: 'ada@example.com',
        challenge: 'x'.repeat(43),
      },
    }
    expect(await entryOf(one, ask, 403)).toMatchObject({
      ...nobody,
      operation: 'widget.requestCode',
      status: 403,
    })
  })

  it('another partner’s id is recorded for who asked, with nothing of whose it is; theirs says nothing', async () => {
    const count = async (): Promise<unknown> =>
      service.owner.throughDoor({
        text: 'select count(*) from casenote.audit_entries where tenant_id = $1',
        values: [other.partnerId],
      })
    const before = await count()
    for (const id of [other.clientId, randomUUID()]) {
      const entry = await entryOf(one, { method: 'GET', url: `/v2/clients/${id}`, headers: one.headers }, 404)
      expect(entry).toMatchObject({ operation: 'client.read', kind: 'partner', status: 404, subjects: [id] })
    }
    expect(await count()).toEqual(before)
  })

  it('an id that is none, however it is spelt, leaves the refusal and not the text', async () => {
    const url = '/v2/clients/Robin%20Sample%201990'
    const entry = await entryOf(one, { method: 'GET', url, headers: one.headers }, 404)
    expect(entry.subjects).toEqual([one.partnerId])
  })

  it('another clinician’s client is recorded for the client and for who asked', async () => {
    const { clientId } = await addColleague(service, one)
    const { headers } = await signIn(service, one)
    expect(
      await entryOf(one, { method: 'GET', url: `/widget/v1/clients/${clientId}`, headers }, 404),
    ).toMatchObject({ kind: 'clinician', id: one.clinicianId, status: 404, subjects: [clientId] })
  })

  it('a key that was rotated, and one of a suspended partner, are the bare 403 and stand in the log of whose they were', async () => {
    const tenant = { tenantId: one.partnerId }
    const stolen = one.apiKey
    one.apiKey = await rotateKey(service.owner, tenant)
    one.headers = { ...one.headers, 'x-api-key': one.apiKey }
    await service.watch.poll()
    const ask = (apiKey: string): Asked => ({
      method: 'GET',
      url: `/v2/clients/${one.clientId}`,
      headers: { 'x-api-key': apiKey, 'access-token': one.accessToken },
    })
    const used = {
      operation: 'partner.useEndedKey',
      kind: 'partner',
      id: one.partnerId,
      status: 403,
      address: '203.0.113.9',
      subjects: [one.clientId],
    }
    expect(await entryOf(one, ask(stolen), 403)).toEqual(used)
    const unknown = await service.call(ask(newApiKey()))
    const known = await service.call(ask(stolen))
    expect([known.body, Object.keys(known.headers)]).toEqual([unknown.body, Object.keys(unknown.headers)])

    await suspendPartner(service.owner, tenant)
    await service.watch.poll()
    expect(await entryOf(one, ask(one.apiKey), 403)).toEqual(used)
    await resumePartner(service.owner, tenant)
    await service.watch.poll()
    expect((await service.call(ask(one.apiKey))).statusCode).toBe(200)
  })

  it('an unknown key is in nobody’s log, and counted', async () => {
    const answer = await service.call({
      method: 'GET',
      url: '/v2/organizations',
      headers: { 'x-api-key': 'nobody' },
    })
    expect([answer.statusCode, answer.json()]).toEqual([403, { message: 'Forbidden' }])
    const rows = await service.owner.throughDoor({
      text: `select from casenote.audit_entries where body::jsonb ->> 'requestId' = $1`,
      values: [String(answer.headers['x-request-id'])],
    })
    expect(rows).toEqual([])
  })

  it('the chains stay whole, with entries of every kind', async () => {
    const { db, keys, owner } = service
    await chainAudit({ db, keys, clock: systemClock, writerId: randomUUID(), anchors: null })
    const tenantIds = [one.partnerId, other.partnerId]
    const report = await verifyAudit({ db: owner, keys, anchors: null, tenantIds, onProgress: () => {} })
    expect(report.tenants.flatMap(({ findings }) => findings)).toEqual([])
  })

  it('no address lies in the database as it is', async () => {
    const rows = await service.owner.throughDoor({
      text: `select from casenote.audit_entries where body like '%203.0.113.9%'
        union all select from casenote.audit_pending where actor_from like '%203.0.113.9%'`,
      values: [],
    })
    expect(rows).toEqual([])
  })
})

describe('who is refused without end', () => {
  const refused = (from: string) => ({
    operation: 'client.read',
    actor: { kind: 'partner', id: 'p', from } as const,
    requestId: null,
    subjects: [],
    status: 404,
  })

  it('leaves some entries a minute and one that counts the others', async () => {
    const written: AuditEntry[] = []
    const audit = new RefusalAudit({ record: async (_tenant, entry) => void written.push(entry) })
    for (let index = 0; index < 4_332; index += 1) audit.record({ tenantId: 't' }, refused('a'))
    expect(written).toHaveLength(entriesOfCallerMax)
    await audit.stop()
    expect(written.at(-1)).toMatchObject({
      operation: 'audit.moreRefusals',
      count: 4_332 - entriesOfCallerMax,
    })
    expect(written).toHaveLength(entriesOfCallerMax + 1)
  })

  it('is bounded for a tenant, from however many addresses, and takes no other tenant’s entries', async () => {
    const written: [string, AuditEntry][] = []
    const audit = new RefusalAudit({
      record: async ({ tenantId }, entry) => void written.push([tenantId, entry]),
    })
    for (let index = 0; index < 50_000; index += 1)
      audit.record({ tenantId: 't' }, refused(`address ${index}`))
    audit.record({ tenantId: 'u' }, refused('a'))
    await audit.stop()
    expect(written.filter(([tenantId]) => tenantId === 'u')).toHaveLength(1)
    const entries = written.filter(([tenantId]) => tenantId === 't').map(([, entry]) => entry)
    expect(entries).toHaveLength(entriesOfTenantMax + 1)
    expect(entries.at(-1)?.count).toBe(50_000 - entriesOfTenantMax)
  })

  it('an entry that could not be written is counted', async () => {
    const written: AuditEntry[] = []
    let isAway = true
    const audit = new RefusalAudit({
      record: async (_tenant, entry) => {
        if (isAway) throw new Error('the database is away')
        written.push(entry)
      },
    })
    audit.record({ tenantId: 't' }, refused('a'))
    await Promise.resolve()
    await new Promise((resolve) => setImmediate(resolve))
    isAway = false
    await audit.stop()
    expect(written).toMatchObject([{ operation: 'audit.moreRefusals', count: 1 }])
  })
})

describe('links of clients', () => {
  it('whoever comes back to a page that was closed is refused on record, with whose it was and the address', async () => {
    const pages = makePagesFixture(service, one)
    const clientId = await pages.addClient()
    const bearer = await pages.letIn(await pages.invite(clientId), 'invitation')
    await service.owner.write({ tenantId: one.partnerId }, (tx) =>
      tx.run({ text: 'update casenote.client_openings set expires_at = now()', values: [] }),
    )
    const asked: Asked = {
      method: 'GET',
      url: '/pages/v1/invitation',
      headers: { authorization: `Bearer ${bearer}` },
    }
    expect(await entryOf(one, asked, 401)).toEqual({
      operation: 'invitation.read',
      kind: 'client',
      id: clientId,
      status: 401,
      address: '203.0.113.9',
      subjects: [clientId],
    })
  })

  it('of who comes with what nobody knows any more no address is kept: it could not go with its client', async () => {
    const answer = await service.call({
      method: 'GET',
      url: '/pages/v1/sitting',
      headers: { authorization: `Bearer ${one.partnerId.replaceAll('-', '')}.${'a'.repeat(43)}`, ...proxied },
    })
    expect(answer.statusCode).toBe(401)
    const requestId = String(answer.headers['x-request-id'])
    await waitUntil(async () => (await listOf(one, requestId)).length > 0, 'it is recorded')
    expect(await listOf(one, requestId)).toMatchObject([
      { operation: 'assessment.resume', kind: 'client', id: null, status: 401, address: null },
    ])
  })
})
