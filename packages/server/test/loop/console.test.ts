import type { AddressInfo } from 'node:net'
import type { TObject } from 'typebox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  cookieOf,
  enrol,
  invite,
  makeConsoleFixture,
  ownPage,
  post,
  type ConsoleFixture,
} from '../console/console-fixture.js'
import { PasskeyDevice } from '../console/passkey-device.js'
import { openSuperuser } from '../support/test-database.js'
import type { TestPartner } from '../support/test-service.js'
import { findDelayMs, loopDelayMaxMs } from '../support/watch-loop.js'
import { openHttpCaller, share, type HttpCaller } from './http-caller.js'
import { listBodies, listQueries } from './largest-bodies.js'
import { makeLargestTenants } from './largest-tenants.js'

/** Every route of the console, as an operator of many tenants asks it about the largest of them. */
let fixture: ConsoleFixture
let partner: TestPartner
let caller: HttpCaller
let origin: string
let cookie: string

beforeAll(async () => {
  fixture = await makeConsoleFixture()
  partner = await fixture.service.addPartner()
  await makeLargestTenants(fixture.service, partner)
  ;({ cookie } = await enrol(fixture, 'olga', null))
  caller = await openHttpCaller()
  const { app } = fixture.admin
  await app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/console/api`
}, 300_000)
afterAll(async () => {
  await caller.close()
  await fixture.close()
})

interface Route {
  operation: string
  method: 'GET' | 'POST'
  path: string
  query?: TObject
  body?: TObject
}

/** It ends the session of whoever asks the others. */
const lastOperation = 'console.signOut'

const listRoutes = (): Route[] =>
  (fixture.admin.api.routes as Route[]).toSorted(
    (a, b) => Number(a.operation === lastOperation) - Number(b.operation === lastOperation),
  )

/** About one client, whose pages are found by the index, and about a clinician, for whom all is looked through. */
const ownQueries = (): Record<string, string[]> => ({
  'audit.report': [
    `?client=${partner.clientId}`,
    `?clinician=${partner.clinicianId}`,
    '?from=2026-01-01T04:00:00Z',
    `?client=${partner.clientId}&from=2027-01-01T00:00:00Z`,
  ],
  'console.listUsage': ['?days=90'],
})

function pathOf(path: string): string {
  const ids = { sessions: partner.sessionId, endpoints: partner.endpointId, deliveries: partner.deliveryId }
  const [, , , noun = ''] = path.split('/')
  const { [noun as keyof typeof ids]: id = 'token-key-1' } = ids
  return path.replace('{tenantId}', partner.partnerId).replace(/\{(?!tenantId)\w+\}/, id)
}

/** As if they had shown a moment ago that it is them: what is asked for then costs what it costs. */
async function confirmNow(): Promise<void> {
  const client = await openSuperuser(fixture.service.database)
  await client.query('update casenote.operator_sessions set confirmed_at = now()')
  await client.end()
}

async function measure(
  { method, path }: Route,
  { query, body }: { query: string; body: string | null },
): Promise<{ delayMs: number; status: number }> {
  let status = 0
  const call = {
    method,
    url: `${origin}${pathOf(path)}${query}`,
    headers: { ...ownPage, cookie, 'content-type': 'application/json' },
    ...(body === null ? {} : { body: share(body) }),
  }
  const ask = async (): Promise<void> => {
    ;({ status } = await caller.call(call))
  }
  return { delayMs: await findDelayMs(loopDelayMaxMs, ask, confirmNow), status }
}

/** Once: what a process does for the first time it does no second time. */
it('the first passkey of a process leaves the loop to the others', async () => {
  const token = await invite(fixture, 'first', null)
  const app = fixture.apps.operator
  const own = { origin: 'http://localhost' }
  const link = { ...cookieOf(await post(app, '/link', { token })), ...own }
  const offered = (await post(app, '/enrol/passkey/options', {}, link)).json<{
    challenge: string
    user: { id: string }
  }>()
  const at = { rpId: 'localhost', ...own }
  const device = new PasskeyDevice()
  const credential = device.make({ ...at, challenge: offered.challenge }, offered.user.id)
  const answers: number[] = []
  const make = async (): Promise<void> => {
    answers.push((await post(app, '/enrol/passkey', { credential }, link)).statusCode)
  }
  expect(await findDelayMs(Infinity, make)).toBeLessThan(loopDelayMaxMs)
  const { challenge } = (await post(app, '/sign-in/passkey/options', {}, own)).json<{
    challenge: string
  }>()
  const used = device.use({ ...at, challenge })
  const use = async (): Promise<void> => {
    answers.push((await post(app, '/sign-in/passkey', { credential: used }, own)).statusCode)
  }
  expect(await findDelayMs(Infinity, use)).toBeLessThan(loopDelayMaxMs)
  expect(answers).toEqual([204, 204])
})

it('every route leaves the loop to the others', { timeout: 900_000 }, async () => {
  const problems: string[] = []
  for (const route of listRoutes()) {
    const { operation, method } = route
    const queries = ['', ...(ownQueries()[operation] ?? []), ...(route.query ? listQueries(route.query) : [])]
    const bodies = route.body === undefined ? ['{}'] : listBodies(route.body)
    const asks =
      method === 'GET'
        ? queries.map((query) => ({ query, body: null }))
        : bodies.map((body) => ({ query: '', body }))
    for (const [at, ask] of asks.entries()) {
      const { delayMs, status } = await measure(route, ask)
      const what = `${operation} ${at}`
      if (delayMs >= loopDelayMaxMs) problems.push(`${what}: ${Math.round(delayMs)} ms`)
      const isOwn = method === 'GET' && at <= (ownQueries()[operation]?.length ?? 0)
      if (status >= (isOwn ? 300 : 500)) problems.push(`${what}: ${status}`)
    }
  }
  expect(problems).toEqual([])
})
