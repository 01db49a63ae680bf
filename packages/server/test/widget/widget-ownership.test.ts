import { randomUUID } from 'node:crypto'
import type { WidgetConsents } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague, creationHeaders, openRecording, signIn, type SignedIn } from './widget-fixture.js'

interface Ids {
  clientId: string
  sessionId: string
  uploadId: string
  consentId: string
  treatmentPlanId: string
}

const asIds = (id: string): Ids => ({
  clientId: id,
  sessionId: id,
  uploadId: id,
  consentId: id,
  treatmentPlanId: id,
})

let service: TestService
let partner: TestPartner
let caller: SignedIn
/** Asked in turns: all that is asked here is more than one clinician may ask in so short a time. */
let callers: SignedIn[]
let own: Ids
let foreign: Ids[]

async function makeIds(clinician: SignedIn, clientId: string): Promise<Ids> {
  const { sessionId } = await openRecording(clinician, clientId)
  const uploadId = randomUUID()
  await clinician.call('POST', `/sessions/${sessionId}/uploads`, undefined, creationHeaders(uploadId))
  const plan = await clinician.call('POST', `/clients/${clientId}/treatment-plans`, {
    goals: [{ text: 'Sleep' }],
  })
  expect(plan.statusCode).toBe(201)
  // Given before the recording.
  const { consents } = (await clinician.call('GET', `/clients/${clientId}/consents`)).json<WidgetConsents>()
  const consentId = consents[0]?.id ?? ''
  return { clientId, sessionId, uploadId, consentId, treatmentPlanId: plan.json<{ id: string }>().id }
}

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  caller = await signIn(service, partner)
  own = await makeIds(caller, partner.clientId)
  const colleague = await addColleague(service, partner)
  const stranger = await service.addPartner()
  callers = [caller]
  while (callers.length < 3)
    callers.push(await signIn(service, partner, (await addColleague(service, partner)).clinicianId))
  foreign = [
    await makeIds(await signIn(service, partner, colleague.clinicianId), colleague.clientId),
    await makeIds(await signIn(service, stranger), stranger.clientId),
  ]
})
afterAll(() => service.close())

const routesWithId = () => service.api.widgetApi.routes.filter(({ path }) => path.includes('{'))

const ask = async (by: SignedIn, { method, path }: { method: string; path: string }, ids: Ids) => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name as keyof Ids])
  // A stream that is let through would never end: its first bytes are answer enough for the routes below.
  const answer = await by.call(method as 'GET', filled, undefined, { 'tus-resumable': '1.0.0' })
  if (method === 'HEAD') return { status: answer.statusCode, body: null }
  const { path: _path, ...body } = answer.json<{ error: { timestamp: string }; path: string }>()
  body.error.timestamp = ''
  return { status: answer.statusCode, body }
}

it('every path names its ids as clientId, sessionId, uploadId, consentId or treatmentPlanId', () => {
  const names = routesWithId().flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  expect(new Set(names)).toEqual(
    new Set(['clientId', 'sessionId', 'uploadId', 'consentId', 'treatmentPlanId']),
  )
  expect(routesWithId().length).toBeGreaterThan(20)
})

describe('404 for a colleague’s and another tenant’s, the same as for what does not exist', () => {
  it('every route with an id in its path', async () => {
    for (const [at, route] of routesWithId().entries()) {
      const anId = randomUUID()
      const by = callers[at % callers.length] ?? caller
      const unknown = await ask(by, route, asIds(anId))
      expect([route.operation, unknown.status]).toEqual([route.operation, 404])
      for (const ids of foreign) {
        expect([route.operation, await ask(by, route, ids)]).toEqual([route.operation, unknown])
      }
      for (const odd of ['x', anId.toUpperCase(), '%00', '..%2f..', '%20', 'a'.repeat(3_000)]) {
        const odder = await ask(by, route, asIds(odd))
        expect([route.operation, odder]).toEqual([route.operation, unknown])
      }
    }
  })

  it('every route refuses a token that is missing or forged, before it looks at the id', async () => {
    const forged = { ...caller, call: withToken('x.y.z') }
    for (const route of service.api.widgetApi.routes) {
      if (['/token', '/logout', '/sign-in', '/sign-in/code'].includes(route.path)) continue
      expect([route.operation, (await ask(forged, route, own)).status]).toEqual([route.operation, 401])
    }
  })

  it('their own is not 404', async () => {
    const consent = `/clients/${own.clientId}/consents/${own.consentId}`
    for (const path of [`/clients/${own.clientId}`, consent, `/sessions/${own.sessionId}`])
      expect((await caller.call('GET', path)).statusCode).toBe(200)
    const head = await caller.call('HEAD', `/uploads/${own.uploadId}`, undefined, {
      'tus-resumable': '1.0.0',
    })
    expect(head.statusCode).toBe(200)
  })
})

const withToken =
  (token: string): SignedIn['call'] =>
  (method, path, payload, headers = {}) =>
    service.call({
      method,
      url: `/widget/v1${path}`,
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(payload === undefined ? {} : { payload: payload as object }),
    })
