import type { AddressInfo } from 'node:net'
import {
  ALL_EVENT_TYPES as contractEventTypes,
  EVENT_TYPES as contractEventsOfEveryEndpoint,
  type WebhookEvent as ContractEvent,
} from '@casenote/contract'
import {
  ApiError,
  Casenote,
  ConnectionError,
  dedupeKeys,
  EVENT_TYPES,
  FURTHER_EVENT_TYPES,
  GatewayError,
  headersOf,
  isUnknownEvent,
  NoteUnchangedError,
  NotReadyError,
  PartnerApiError,
  TimeoutError,
  type CasenoteOptions,
  type UnknownEvent,
  type WebhookEvent,
} from '@casenote/sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { setLimits, setNothingTwice } from '../../src/features/partners/index.js'
import { makeExample } from '../../src/http/example.js'
import type { AnyPartnerRoute } from '../../src/http/partner-route.js'
import { ownIdOf } from '../support/own-id.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { hasMethod, methodOf } from './method-of.js'
import { makeMovableClock, makeUnrulyProxy, type UnrulyProxy } from './unruly-proxy.js'

let service: TestService
let proxy: UnrulyProxy
let partner: TestPartner
let casenote: Casenote
const clock = makeMovableClock()

beforeAll(async () => {
  service = await makeTestService({ clock })
  await service.api.app.listen({ port: 0, host: '127.0.0.1' })
  proxy = await makeUnrulyProxy((service.api.app.server.address() as AddressInfo).port, clock)
  partner = await service.addPartner()
  casenote = makeClient()
})
afterAll(async () => {
  await proxy.close()
  await service.close()
})
beforeEach(() => proxy.reset())

const makeClient = (options: Partial<CasenoteOptions> = {}, of = partner): Casenote =>
  new Casenote({
    baseUrl: proxy.baseUrl,
    apiKey: of.apiKey,
    clientId: of.credentialId,
    clientSecret: of.clientSecret,
    ...options,
  })

/** What a promise was rejected with. */
async function refusalOf<Kind extends Error>(
  promise: Promise<unknown>,
  kind: new (...args: never[]) => Kind,
): Promise<Kind> {
  const error: unknown = await promise.then(
    () => new Error('it was not refused'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(kind)
  return error as Kind
}

const unavailable = { status: 503, headers: { 'content-type': 'application/json' }, body: '{}' }
const clientsPath = (): string => `/clinicians/${partner.clinicianId}/clients`

describe('every operation', () => {
  /** Calls the method that stands for the route, with ids of the partner and the body that the reference shows. */
  async function callRoute(route: AnyPartnerRoute, of: TestPartner, client: Casenote): Promise<unknown> {
    const [property, verb] = methodOf(route.operation)
    const resource = Reflect.get(client, property) as Record<string, (...args: unknown[]) => unknown>
    const ids = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ownIdOf(of, route.path, name))
    const credentials = { clientId: of.credentialId, clientSecret: of.clientSecret }
    const body = (): unknown =>
      route.operation === 'partner.authenticate' ? credentials : makeExample(route.body)
    const made = resource[verb]?.(...ids, ...(route.body === undefined ? [] : [body()]))
    if (made === undefined) throw new Error(`the SDK has no ${property}.${verb}`)
    return 'first' in (made as object) ? (made as { first(): Promise<unknown> }).first() : made
  }

  it('has a method that reaches its route', async () => {
    const victim = await service.addPartner()
    const client = makeClient({ retries: 0 }, victim)
    const routes = service.api.partnerApi.routes.filter(hasMethod)
    // Reads first: after the others there is less to read.
    const inOrder = routes.toSorted((a, b) => Number(a.method !== 'GET') - Number(b.method !== 'GET'))
    for (const route of inOrder) {
      const outcome: unknown = await callRoute(route, victim, client).catch((error: unknown) => error)
      const { request } = proxy.seen.at(-1) ?? { request: '' }
      const pattern = new RegExp(`^${route.method} ${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?.*)?$`)
      expect([route.operation, request]).toEqual([route.operation, expect.stringMatching(pattern)])
      expect([route.operation, outcome]).not.toEqual([route.operation, expect.any(GatewayError)])
      if (route.method === 'GET' && !(outcome instanceof NotReadyError)) {
        expect([route.operation, outcome]).not.toEqual([route.operation, expect.any(Error)])
      }
    }
    expect(inOrder.length).toBeGreaterThan(50)
  })
})

describe('tokens', () => {
  it('are fetched once for calls that begin together, and kept', async () => {
    const client = makeClient()
    await Promise.all(Array.from({ length: 5 }, () => client.partners.read()))
    await client.partners.read()
    expect(proxy.count('POST /partners/authenticate')).toBe(1)
    expect(proxy.seen.find(({ request }) => request.startsWith('POST'))?.headers).not.toHaveProperty(
      'access-token',
    )
  })

  it('are renewed once when the service says that they expired, and the calls done', async () => {
    const client = makeClient()
    await client.partners.read()
    proxy.reset()
    clock.passAnHour()
    const created = await Promise.all([
      client.clients.create(partner.clinicianId, { lastName: 'Late', dateOfBirth: '1990-01-31' }),
      client.partners.read(),
      client.partners.read(),
    ])
    expect(created[0].lastName).toBe('Late')
    expect(proxy.seen.filter(({ status }) => status === 401)).toHaveLength(3)
    expect(proxy.count('POST /partners/authenticate')).toBe(1)
  })

  it('that stay refused end the call after one renewal', async () => {
    const body =
      '{"error":{"type":"X","message":"expired","statusCode":401,"timestamp":"","details":[]},"path":"/"}'
    proxy.reset([{ on: 'GET /partners', answer: { status: 401, body }, always: true }])
    const error = await refusalOf(makeClient().partners.read(), PartnerApiError)
    expect(error.status).toBe(401)
    expect(proxy.seen.map(({ request }) => request)).toEqual([
      'POST /partners/authenticate',
      'GET /partners',
      'POST /partners/authenticate',
      'GET /partners',
    ])
  })

  it('are not asked for again with credentials that the service does not know', async () => {
    const error = await refusalOf(makeClient({ clientSecret: 'whsec_x' }).partners.read(), PartnerApiError)
    expect(error).toMatchObject({ status: 401, messages: ['Invalid client credentials'] })
    expect(proxy.seen).toHaveLength(1)
  })
})

describe('errors', () => {
  it('of the gateway are GatewayError', async () => {
    const wrongKey = await refusalOf(makeClient({ apiKey: 'x' }).partners.read(), GatewayError)
    expect(wrongKey).toMatchObject({ status: 403, messages: ['Forbidden'], body: { message: 'Forbidden' } })
    const baseUrl = proxy.baseUrl.replace('/v2', '')
    const noVersion = await refusalOf(makeClient({ baseUrl }).partners.read(), GatewayError)
    expect(noVersion.messages).toEqual(['Missing Authentication Token'])
  })

  it('of the application are PartnerApiError, with a text for each field or one sentence', async () => {
    const fields = { lastName: '', dateOfBirth: '1990-02-30' }
    const list = await refusalOf(casenote.clients.create(partner.clinicianId, fields), PartnerApiError)
    expect(list.status).toBe(400)
    expect(list.messages).toHaveLength(2)
    expect(list.message).toContain('lastName should not be empty')
    expect(list.requestId).toMatch(/.{8}/)
    const sentence = await refusalOf(casenote.clients.unarchive(partner.clientId), PartnerApiError)
    expect(sentence.status).toBe(409)
    expect(sentence.messages).toHaveLength(1)
    expect(sentence.body.path).toBe(`/clients/${partner.clientId}/unarchive`)
  })

  it('have the code and the link that the service sends, and null where it sends none', async () => {
    const link = '</docs/changes>; rel="deprecation", </docs/errors#not_found>; rel="help"'
    proxy.reset([
      { on: 'GET /clients/*', add: { headers: { 'casenote-error-code': 'not_found', link } } },
      { on: 'GET /clients/*', answer: { status: 404, body: '{"message":"x"}' } },
    ])
    const told = await refusalOf(casenote.clients.read('none'), PartnerApiError)
    const { origin } = new URL(proxy.baseUrl)
    expect(told).toMatchObject({ status: 404, code: 'not_found', docsUrl: `${origin}/docs/errors#not_found` })
    const untold = await refusalOf(casenote.clients.read('none'), ApiError)
    const real = await refusalOf(casenote.clients.read('none'), PartnerApiError)
    expect(real.code).toMatch(/^\w+$/)
    expect(real.docsUrl).toContain(`/docs/errors#${real.code}`)
    expect(untold).toMatchObject({ code: null, docsUrl: null, requestId: null, retryAfterSeconds: null })
  })

  it('are NotReadyError for what does not exist yet, with the status that it will have', async () => {
    const error = await refusalOf(casenote.sessions.readMdm(partner.sessionId), NotReadyError)
    expect(error).toMatchObject({ status: 404, failure: null })
    expect(proxy.seen.at(-1)?.status).toBe(200)
  })

  it('are told apart also where the messages are none of the contract', async () => {
    for (const message of [null, 7, {}, { message: 'one' }, { message: [1, 'two'] }]) {
      const body = JSON.stringify({ error: { message, statusCode: 400 }, path: '/' })
      proxy.reset([{ on: 'GET /partners', answer: { status: 400, body } }])
      const { messages } = await refusalOf(casenote.partners.read(), PartnerApiError)
      expect(messages).toHaveLength(1)
      expect(messages[0]).toMatch(/^(one|two|HTTP status 400)$/)
    }
  })

  it('of something before the service keep what it said', async () => {
    const answer = { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad Gateway</h1>' }
    proxy.reset([{ on: 'GET /partners', answer }])
    const error = await refusalOf(makeClient({ retries: 0 }).partners.read(), ApiError)
    expect(error).toMatchObject({ name: 'ApiError', status: 502, body: '<h1>Bad Gateway</h1>' })
    proxy.reset([{ on: 'GET /partners', answer: { ...answer, status: 200 } }])
    expect((await refusalOf(casenote.partners.read(), ApiError)).status).toBe(200)
  })

  it('come for a redirect: key and token go to nobody else', async () => {
    const headers = { location: `${proxy.baseUrl}/elsewhere` }
    proxy.reset([{ on: 'GET /partners', answer: { status: 307, headers } }])
    expect((await refusalOf(casenote.partners.read(), ApiError)).status).toBe(307)
    expect(proxy.count('GET /elsewhere')).toBe(0)
  })

  it('come before anything is sent where an id or a setting is missing', () => {
    expect(() => casenote.clients.read('')).toThrow('an id is missing')
    expect(() => makeClient({ apiKey: '' })).toThrow('apiKey is missing')
    for (const id of ['.', '..']) expect(() => casenote.clients.read(id)).toThrow('an id is no id')
    for (const wrong of ['secret\n', 'sec ret', 'secret\u0000']) {
      expect(() => makeClient({ clientSecret: wrong })).toThrow(
        /^clientSecret has a space, a line end or another sign that it cannot have$/,
      )
    }
  })

  it('do not break out of the path', async () => {
    const error = await refusalOf(casenote.clients.read('../partners?x=#'), PartnerApiError)
    expect(error.status).toBe(404)
    expect(proxy.seen.at(-1)?.request).toBe('GET /clients/..%2Fpartners%3Fx%3D%23')
  })
})

describe('lists', () => {
  it('are gone through page by page, each item once', async () => {
    const other = await service.addPartner()
    const client = makeClient({}, other)
    const made = [other.clientId]
    for (let index = 0; index < 21; index += 1) {
      const person = { lastName: `Paged ${index}`, dateOfBirth: '1990-01-31' }
      made.push((await client.clients.create(other.clinicianId, person)).id)
    }
    proxy.reset()
    const listed: string[] = []
    for await (const { id } of client.clients.list(other.clinicId)) listed.push(id)
    expect(listed).toEqual(made)
    expect(proxy.count('GET /clinics/')).toBe(3)

    const sizes: number[] = []
    for await (const { data } of client.clients.list(other.clinicId).pages()) sizes.push(data.length)
    expect(sizes).toEqual([10, 10, 2])
    proxy.reset()
    const some = await client.clients.list(other.clinicId, { name: 'paged' }).toArray({ max: 10 })
    expect(some).toHaveLength(10)
    expect(proxy.seen.map(({ request }) => request)).toEqual([
      `GET /clinics/${other.clinicId}/clients?name=paged&page=1`,
    ])
    const none = client.clients.list(other.clinicId, { externalId: 'nobody', name: undefined })
    expect(await none.first()).toBeNull()
    expect((await none.page(7)).meta).toMatchObject({ currentPage: 7, totalItems: 0 })
    expect(await none.toArray({ max: 5 })).toEqual([])
  })

  it('ask for a page size in a header, and get such pages', async () => {
    await casenote.organizations.list({ pageSize: 100 }).first()
    expect(proxy.seen.at(-1)?.headers['casenote-page-size']).toBe('100')
    const person = { lastName: 'Second', dateOfBirth: '1990-01-31' }
    await casenote.clients.create(partner.clinicianId, person)
    const { data } = await casenote.clients.list(partner.clinicId, {}, { pageSize: 1 }).page(1)
    expect(data).toHaveLength(1)
  })
})

describe('repeating', () => {
  it('a read goes on through 503, a lost answer and a limit', async () => {
    proxy.reset([
      { on: 'GET /partners', answer: unavailable },
      { on: 'GET /partners', lose: true },
      {
        on: 'GET /partners',
        answer: { status: 429, headers: { 'retry-after': '0' }, body: '{"message":"x"}' },
      },
    ])
    expect((await casenote.partners.read()).id).toBe(partner.partnerId)
    expect(proxy.count('GET /partners')).toBe(4)
  })

  it('ends after the retries, and with what cannot change', async () => {
    proxy.reset([{ on: 'GET /partners', answer: unavailable, always: true }])
    const error = await refusalOf(makeClient({ retries: 2 }).partners.read(), ApiError)
    expect(error.status).toBe(503)
    expect(proxy.count('GET /partners')).toBe(3)
    proxy.reset()
    await refusalOf(casenote.clients.read('none'), PartnerApiError)
    expect(proxy.seen).toHaveLength(1)
  })

  it('waits as long as a real limit says, and not for longer than a minute', async () => {
    const limited = await service.addPartner()
    await setLimits(
      service.owner,
      { tenantId: limited.partnerId },
      { ratePerSecond: 1, burst: 1, perDay: 1_000 },
    )
    await service.watch.poll()
    const client = makeClient({ retries: 10 }, limited)
    await Promise.all([client.partners.read(), client.partners.read()])
    expect(proxy.seen.some(({ status }) => status === 429)).toBe(true)

    const answer = { status: 429, headers: { 'retry-after': '3600' }, body: '{"message":"Limit Exceeded"}' }
    proxy.reset([{ on: 'GET /partners', answer }])
    const error = await refusalOf(casenote.partners.read(), GatewayError)
    expect(error.retryAfterSeconds).toBe(3600)
    expect(proxy.seen).toHaveLength(1)
  })

  it('a create is not done twice where the service takes no keys', async () => {
    proxy.reset([{ on: `POST ${clientsPath()}`, lose: true }])
    const person = { lastName: 'Once', dateOfBirth: '1990-01-31', externalId: 'once' }
    await refusalOf(casenote.clients.create(partner.clinicianId, person), ConnectionError)
    expect(proxy.count('POST')).toBe(1)
    expect(
      await casenote.clients.list(partner.clinicId, { externalId: 'once' }).toArray({ max: 9 }),
    ).toHaveLength(1)
    proxy.reset([
      { on: `POST ${clientsPath()}`, answer: unavailable },
      { on: 'GET /partners', lose: true, always: true },
    ])
    const untold = makeClient({ retries: 1 }).clients.create(partner.clinicianId, person)
    expect((await refusalOf(untold, ApiError)).status).toBe(503)
  })

  it('a conflict is not repeated: it does not end by itself', async () => {
    const answer = { status: 409, headers: { 'retry-after': '0' }, body: '{"message":"x"}' }
    proxy.reset([{ on: 'GET /partners', answer }])
    expect((await refusalOf(casenote.partners.read(), ApiError)).status).toBe(409)
  })

  it('a create is repeated with its key where the service takes keys', async () => {
    proxy.reset([
      { on: 'GET /partners', add: { fields: { idempotency: true } }, always: true },
      { on: `POST ${clientsPath()}`, answer: unavailable },
    ])
    const person = { lastName: 'Repeated', dateOfBirth: '1990-01-31' }
    const { id } = await casenote.clients.create(partner.clinicianId, person)
    await casenote.clients.create(partner.clinicianId, person)
    await casenote.clients.create(partner.clinicianId, person, { idempotencyKey: 'mine' })
    const keys = proxy.seen
      .filter(({ request }) => request.startsWith('POST /clinicians'))
      .map(({ headers }) => headers['idempotency-key'])
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys).toEqual([keys[0], keys[0], expect.not.stringContaining(String(keys[0])), 'mine'])
  })

  it('minting tokens for a clinician is never repeated; assigning clinicians always may be', async () => {
    const minting = `POST /clinicians/${partner.clinicianId}/authenticate`
    const assigning = `POST /clients/${partner.clientId}/secondary-clinicians`
    proxy.reset([
      { on: 'GET /partners', add: { fields: { idempotency: true } }, always: true },
      { on: minting, answer: unavailable },
      { on: assigning, lose: true },
    ])
    await refusalOf(casenote.clinicians.authenticate(partner.clinicianId), ApiError)
    expect(proxy.count(minting)).toBe(1)
    const body = { clinicianIds: [partner.clinicianId] }
    expect(await casenote.clients.assignSecondaryClinicians(partner.clientId, body)).toEqual({
      clinicianIds: [],
    })
    expect(proxy.count(assigning)).toBe(2)
  })

  it('a create whose answer was lost is done once by a service that takes keys', async () => {
    const keyed = await service.addPartner()
    const both = { idempotency: true, uniqueExternalIds: true }
    await setNothingTwice(service.owner, { tenantId: keyed.partnerId }, both)
    await service.watch.poll()
    const client = makeClient({}, keyed)
    expect((await client.partners.read()).idempotency).toBe(true)
    const path = `/clinicians/${keyed.clinicianId}/clients`
    proxy.reset([{ on: `POST ${path}`, lose: true }])
    const person = { lastName: 'Twice', dateOfBirth: '1990-01-31', externalId: 'twice' }
    const created = await client.clients.create(keyed.clinicianId, person)
    expect(headersOf(created)?.get('idempotency-replayed')).toBe('true')
    expect(proxy.count(`POST ${path}`)).toBe(2)
    const found = await client.clients.list(keyed.clinicId, { externalId: 'twice' }).toArray({ max: 9 })
    expect(found.map(({ id }) => id)).toEqual([created.id])
    const taken = await refusalOf(client.clients.create(keyed.clinicianId, person), PartnerApiError)
    expect(taken.status).toBe(409)
  })

  it('a change is repeated, but not one with a condition; what a lost DELETE removed is removed', async () => {
    proxy.reset([{ on: 'PATCH /*', lose: true }])
    expect((await casenote.clients.change(partner.clientId, { firstName: 'Sam' })).firstName).toBe('Sam')
    const note = await casenote.progressNotes.read(partner.progressNoteId)
    const ifMatch = headersOf(note)?.get('etag') ?? ''
    const sections = note.note.map(({ key }) => ({ key, content: 'Changed.' }))
    proxy.reset([{ on: 'PATCH /*', lose: true }])
    const change = (): Promise<unknown> =>
      casenote.progressNotes.change(partner.progressNoteId, { note: sections }, { ifMatch })
    await refusalOf(change(), ConnectionError)
    expect((await refusalOf(change(), PartnerApiError)).status).toBe(409)

    const { id } = await casenote.webhookEndpoints.create({ url: 'http://127.0.0.1:9/hook' })
    proxy.reset([{ on: 'DELETE /*', lose: true }])
    await casenote.webhookEndpoints.delete(id)
    expect(proxy.seen.map(({ status }) => status)).toEqual([0, 404])
    expect((await refusalOf(casenote.webhookEndpoints.delete(id), PartnerApiError)).status).toBe(404)
  })
})

describe('time', () => {
  it('a token is waited for no longer than an answer, whoever began to fetch it', async () => {
    proxy.reset([{ on: 'POST /partners/authenticate', hang: true }])
    const client = makeClient({ retries: 0, timeoutMs: 3_000 })
    const first = refusalOf(client.partners.read(), TimeoutError)
    await expect.poll(() => proxy.count('POST /partners/authenticate')).toBe(1)
    const started = performance.now()
    await refusalOf(client.partners.read({ timeoutMs: 100 }), TimeoutError)
    expect(performance.now() - started).toBeLessThan(2_000)
    await first
    expect(proxy.count('POST /partners/authenticate')).toBe(1)
  })

  it('waitForNote tells a note that was not written again, and ends in time where no look is answered', async () => {
    const { sessionId, progressNoteId } = partner
    const error = await refusalOf(
      casenote.waitForNote(sessionId, { after: progressNoteId }),
      NoteUnchangedError,
    )
    expect(error.sessionId).toBe(sessionId)
    const note = await casenote.waitForNote(sessionId, { after: 'the one before' })
    expect(note.progressNoteId).toBe(progressNoteId)
    proxy.reset([{ on: `GET /sessions/${sessionId}/progress-note`, hang: true, always: true }])
    const late = await refusalOf(casenote.waitForNote(sessionId, { timeoutMs: 300 }), TimeoutError)
    expect(late.message).toContain('within 300 ms')
  })

  it('an attempt that is not answered in time is a TimeoutError', async () => {
    proxy.reset([{ on: 'GET /partners', hang: true }])
    await casenote.organizations.list().first()
    await refusalOf(makeClient({ retries: 0, timeoutMs: 200 }).partners.read(), TimeoutError)
  })

  it('a signal ends a call, a pause and a wait with its own reason', async () => {
    const reason = new Error('no longer needed')
    const endOn = async (isReached: () => boolean, begin: (signal: AbortSignal) => Promise<unknown>) => {
      const controller = new AbortController()
      const call = refusalOf(begin(controller.signal), Error)
      await expect.poll(isReached).toBe(true)
      controller.abort(reason)
      expect(await call).toBe(reason)
    }
    proxy.reset([{ on: 'GET /partners', hang: true }])
    await endOn(
      () => proxy.count('GET /partners') === 1,
      (signal) => casenote.partners.read({ signal }),
    )
    const answer = { status: 429, headers: { 'retry-after': '50' }, body: '{"message":"x"}' }
    proxy.reset([{ on: 'GET /partners', answer }])
    await endOn(
      () => proxy.seen[0]?.status === 429,
      (signal) => casenote.partners.read({ signal }),
    )
    const path = `/sessions/${partner.sessionId}/progress-note`
    proxy.reset([{ on: `GET ${path}`, add: { fields: { isLoading: true } }, always: true }])
    await endOn(
      () => proxy.seen[0]?.status === 200,
      (signal) => casenote.waitForNote(partner.sessionId, { signal }),
    )
    expect(proxy.seen).toHaveLength(1)
    const aborted = casenote.partners.read({ signal: AbortSignal.abort(reason) })
    expect(await refusalOf(aborted, Error)).toBe(reason)
  })

  it('waitForNote gives the note that is there, looks again while it is written, and ends in time', async () => {
    const path = `/sessions/${partner.sessionId}/progress-note`
    proxy.reset([{ on: `GET ${path}`, add: { fields: { isLoading: true } } }])
    const note = await casenote.waitForNote(partner.sessionId)
    expect(note.progressNoteId).toBe(partner.progressNoteId)
    expect(proxy.count(`GET ${path}`)).toBe(2)
    proxy.reset([{ on: `GET ${path}`, add: { fields: { isLoading: true } }, always: true }])
    await refusalOf(casenote.waitForNote(partner.sessionId, { timeoutMs: 500 }), TimeoutError)
    expect(proxy.count(`GET ${path}`)).toBe(1)
  })
})

describe('events', () => {
  it('are those of the contract', () => {
    expect(EVENT_TYPES).toEqual(contractEventsOfEveryEndpoint)
    expect([...EVENT_TYPES, ...FURTHER_EVENT_TYPES]).toEqual(contractEventTypes)
    expectTypeOf<WebhookEvent>().toEqualTypeOf<ContractEvent>()
  })

  it('that are not known are told by their webhook-id, and not taken for one that is', () => {
    const known = {
      eventType: 'session_failed',
      timeStamp: '',
      payload: { sessionId: 's1' },
    } as WebhookEvent
    const unknown: UnknownEvent = { eventType: 'session_moved', timeStamp: '', payload: { sessionId: 's1' } }
    expect([isUnknownEvent(known), isUnknownEvent(unknown)]).toEqual([false, true])
    if (isUnknownEvent(known)) return
    expectTypeOf(known).toEqualTypeOf<WebhookEvent>()
    expect(dedupeKeys(known, { 'webhook-id': 'w1' })).toEqual(['session_failed s1'])
    expect(dedupeKeys(unknown, { 'Webhook-Id': 'w1' })).toEqual(['session_moved w1'])
    expect(dedupeKeys(unknown, new Headers({ 'webhook-id': 'w2' }))).toEqual(['session_moved w2'])
    expect(dedupeKeys(unknown)).toEqual([])
    const bare = { eventType: 'transcript_ready', timeStamp: '', payload: {} } as WebhookEvent
    expect(dedupeKeys(bare)).toEqual([])
    expect(dedupeKeys(bare, { 'webhook-id': 'w1' })).toEqual(['transcript_ready w1'])
  })
})
