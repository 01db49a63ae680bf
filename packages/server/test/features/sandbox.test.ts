import { randomUUID } from 'node:crypto'
import type {
  AssessmentScore,
  PartnerApiError,
  PartnerToken,
  SandboxFault,
  SandboxFaults,
} from '@casenote/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { settleSandbox } from '../../src/features/partners/index.js'
import { selectDirectoryVersion } from '../../src/kernel/directory-version.sql.js'
import { registerPartnerApi } from '../../src/main/register-partner-api.js'
import { waitUntil } from '../support/casenote-process.js'
import { listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { signIn } from '../widget/widget-fixture.js'

let service: TestService
let partner: TestPartner
let production: TestPartner

beforeAll(async () => {
  service = await makeTestService()
  production = await service.addPartner('production')
})
afterAll(() => service.close())
beforeEach(async () => {
  partner = await service.addPartner('sandbox')
})

type Method = 'GET' | 'POST' | 'DELETE'

const call = (method: Method, path: string, payload?: object, of = partner) =>
  service.ask(of, method, path, payload)

const logIn = async (of = partner): Promise<string> => {
  const answer = await service.call({
    method: 'POST',
    url: '/v2/partners/authenticate',
    headers: { 'x-api-key': of.apiKey },
    payload: { clientId: of.credentialId, clientSecret: of.clientSecret },
  })
  return answer.json<PartnerToken>().accessToken
}

const rows = <Row extends Record<string, unknown>>(text: string, of = partner): Promise<Row[]> =>
  service.db.read({ tenantId: of.partnerId }, { text, values: [of.partnerId] }) as Promise<Row[]>

/** As a second later: some controls are taken once a second. */
const passSecond = (of = partner): Promise<unknown> =>
  service.owner.write({ tenantId: of.partnerId }, (tx) =>
    tx.run({
      text: `update casenote.sandbox_settings set expired_at = expired_at - interval '1 second',
        provoked_at = provoked_at - interval '1 second' where tenant_id = $1`,
      values: [of.partnerId],
    }),
  )

const readVersion = async (): Promise<unknown> =>
  (await service.db.throughDoor<{ version: unknown }>(selectDirectoryVersion()))[0]?.version

const controls = registerPartnerApi({} as Parameters<typeof registerPartnerApi>[0]).routes.filter(
  ({ path }) => path.startsWith('/sandbox'),
)

describe('the controls of a sandbox', () => {
  it.each(controls)('$operation is the one 404 for a production tenant, whatever it sends', async (route) => {
    const path = route.path.replace('{assignmentId}', production.assignmentId)
    const unknown = await call('GET', `/clients/${randomUUID()}`, undefined, production)
    for (const payload of [undefined, {}, { status: 503, count: 1, kind: 'partner', advanceSeconds: 60 }]) {
      if (route.method === 'GET' && payload !== undefined) continue
      const answer = await call(route.method as Method, path, payload, production)
      expect(answer.statusCode).toBe(404)
      const [refused, nothing] = [answer, unknown].map((one) => one.json<PartnerApiError>().error)
      expect({ ...refused, timestamp: '' }).toEqual({ ...nothing, timestamp: '' })
    }
  })

  it('are nowhere once the sandbox is not at home, and what was asked for has no effect', async () => {
    const away = await makeTestService({ env: { HOST: '0.0.0.0', CASENOTE_SANDBOX: 'on' } })
    try {
      const tenant = await away.addPartner('sandbox')
      const ask = (method: Method, path: string, payload?: object) => away.ask(tenant, method, path, payload)
      expect((await ask('POST', '/sandbox/faults', { status: 503, count: 5 })).statusCode).toBe(201)
      expect((await ask('GET', '/partners')).statusCode).toBe(503)
      await away.db.throughDoor(settleSandbox(false))
      await away.watch.poll()
      for (const { method, path } of controls) {
        const url = path.replace('{assignmentId}', tenant.assignmentId)
        expect([method, url, (await ask(method as Method, url)).statusCode]).toEqual([method, url, 404])
      }
      expect((await ask('GET', '/partners')).statusCode).toBe(200)
      const created = await ask('POST', `/clients/${tenant.clientId}/sessions`, {
        fileUrl: 'casenote://test/success',
      })
      expect(created.json<PartnerApiError>().error.message).toMatchObject({
        message: ['fileUrl must be a URL address'],
      })
    } finally {
      await away.close()
    }
  })

  it('cannot be set for a production tenant past the API, either', async () => {
    const tenant = { tenantId: production.partnerId }
    const insert = {
      text: 'insert into casenote.sandbox_settings (tenant_id) values ($1)',
      values: [tenant.tenantId],
    }
    await expect(service.db.write(tenant, (tx) => tx.run(insert))).rejects.toThrow()
  })
})

describe('POST /sandbox/assessments/{assignmentId}/complete', () => {
  const complete = (answers: unknown, assignmentId = partner.assignmentId) =>
    call('POST', `/sandbox/assessments/${assignmentId}/complete`, { answers })
  const all = [
    { questionKey: 'phq2_1', answerValue: 2 },
    { questionKey: 'phq2_2', answerValue: 3 },
  ]

  it('scores the answers as the client’s page does, tells of it, and records who did it', async () => {
    const answer = await complete(all)
    expect(answer.statusCode).toBe(201)
    const score = answer.json<AssessmentScore>()
    expect(score).toMatchObject({ assessmentId: 'phq2', clientId: partner.clientId, score: 5 })
    expect((await call('GET', `/assessment-scores/${score.id}`)).json()).toEqual(score)
    const events = await rows<{ body: Buffer }>(
      `select body from casenote.events where tenant_id = $1 and event_type = 'assessment_completed' order by seq`,
    )
    expect(JSON.parse(String(events.at(-1)?.body))).toMatchObject({
      payload: { patientId: partner.clientId, assessmentScores: [{ id: score.id, assessmentId: 'phq2' }] },
    })
    const tenant = { tenantId: partner.partnerId }
    expect(await listSubjects(service, tenant, 'sandbox.completeAssessment', score.id)).toEqual([
      [partner.clientId, partner.assignmentId, score.id],
    ])
    expect(await listSubjects(service, tenant, 'assessment.complete', score.id)).toHaveLength(1)
  })

  it('of a client who answered the same before has how it changed, as the list has', async () => {
    await complete(all)
    const administered = await call('POST', `/clients/${partner.clientId}/assessments`, {
      assessmentIds: ['phq2'],
    })
    const { assignments } = administered.json<{ assignments: { id: string }[] }>()
    const second = await complete(
      all.map((one) => ({ ...one, answerValue: 0 })),
      assignments[0]?.id,
    )
    expect([second.statusCode, second.json<AssessmentScore>().change]).toEqual([
      201,
      { previousScoreId: expect.any(String), difference: -5, reliable: null, meaningful: null },
    ])
    expect((await call('GET', `/clients/${partner.clientId}/assessment-scores`)).statusCode).toBe(200)
  })

  it('opens danger in the answers', async () => {
    const administered = await call('POST', `/clients/${partner.clientId}/assessments`, {
      assessmentIds: ['phq9'],
    })
    const { assignments } = administered.json<{ assignments: { id: string }[] }>()
    const answers = Array.from({ length: 9 }, (_, index) => ({
      questionKey: `phq9_${index + 1}`,
      answerValue: 1,
    }))
    const asked = [...answers, { questionKey: 'phq9_function', answerValue: 1 }]
    expect((await complete(asked, assignments[0]?.id)).statusCode).toBe(201)
    expect(await rows('select 1 from casenote.danger_items where tenant_id = $1')).toHaveLength(1)
  })

  it('409 for what is not outstanding, and once is once', async () => {
    expect((await complete(all)).statusCode).toBe(201)
    const again = await complete(all)
    expect([again.statusCode, again.json<PartnerApiError>().error.message]).toEqual([
      409,
      'Assessment is not outstanding',
    ])
  })

  it.each([
    [{}, ['answers should not be empty']],
    [{ answers: [] }, ['answers should not be empty']],
    [{ answers: 'x' }, ['answers must be an array']],
    [{ answers: [{ questionKey: 'phq2_1' }] }, ['answers.0.answerValue should not be empty']],
    [{ answers: [all[0]] }, ['phq2_2 should not be empty']],
    [{ answers: [{ questionKey: 'phq2_1', answerValue: 9 }] }, ['answers must be options of the questions']],
    [{ answers: [{ questionKey: 'nope', answerValue: 0 }] }, ['answers must be options of the questions']],
  ])('400 for %j, and nothing is kept', async (payload, problems) => {
    const answer = await call('POST', `/sandbox/assessments/${partner.assignmentId}/complete`, payload)
    expect(answer.statusCode).toBe(400)
    expect(answer.json<PartnerApiError>().error.message).toMatchObject({ message: problems })
    expect(await rows('select 1 from casenote.assessment_answers where tenant_id = $1')).toEqual([])
    expect(await rows('select 1 from casenote.client_sittings where tenant_id = $1')).toEqual([])
  })
})

describe('POST /sandbox/tokens/expire', () => {
  it('partner: 401 for every token until now, in other processes within seconds, and a new one works at once', async () => {
    const peer = await service.makePeer()
    try {
      const other = await service.addPartner('sandbox')
      const expired = await call('POST', '/sandbox/tokens/expire', { kind: 'partner' })
      expect(expired.json()).toMatchObject({ kind: 'partner', clinicianId: null })
      const refused = await call('GET', '/partners')
      expect([refused.statusCode, refused.json<PartnerApiError>().error.message]).toEqual([
        401,
        'Access-Token has expired',
      ])
      const renewed = { ...partner.headers, 'access-token': await logIn() }
      const askPeer = async (headers: Record<string, string>) =>
        (await peer.api.app.inject({ method: 'GET', url: '/v2/partners', headers })).statusCode
      expect((await service.call({ method: 'GET', url: '/v2/partners', headers: renewed })).statusCode).toBe(
        200,
      )
      await waitUntil(async () => (await askPeer(partner.headers)) === 401, 'the other process knows')
      expect(await askPeer(renewed)).toBe(200)
      expect((await call('GET', '/partners', undefined, other)).statusCode).toBe(200)
    } finally {
      await peer.close()
    }
  })

  it('partner: again and again, each time for the newest', async () => {
    for (let time = 0; time < 3; time += 1) {
      await passSecond()
      const headers = { ...partner.headers, 'access-token': await logIn() }
      const post = { method: 'POST', url: '/v2/sandbox/tokens/expire', headers } as const
      expect((await service.call({ ...post, payload: { kind: 'partner' } })).statusCode).toBe(200)
      expect((await service.call({ ...post, payload: { kind: 'partner' } })).statusCode).toBe(401)
    }
  })

  it('partner: 429 as the gateway’s within a second of the last, which changes nothing', async () => {
    await call('POST', '/sandbox/tokens/expire', { kind: 'partner' })
    const before = await readVersion()
    const headers = { ...partner.headers, 'access-token': await logIn() }
    const refused = await service.call({
      method: 'POST',
      url: '/v2/sandbox/tokens/expire',
      headers,
      payload: { kind: 'partner' },
    })
    expect([refused.statusCode, refused.json(), refused.headers['retry-after']]).toEqual([
      429,
      { message: 'Too Many Requests' },
      '1',
    ])
    expect(refused.headers['casenote-error-code']).toBe('rate_limited')
    expect(await readVersion()).toBe(before)
    expect((await service.call({ method: 'GET', url: '/v2/partners', headers })).statusCode).toBe(200)
  })

  it('clinician: their widget is refused, and only theirs', async () => {
    const clinician = await signIn(service, partner)
    expect((await clinician.call('GET', '/clinician')).statusCode).toBe(200)
    const payload = { kind: 'clinician', clinicianId: partner.clinicianId }
    expect((await call('POST', '/sandbox/tokens/expire', payload)).json()).toMatchObject(payload)
    expect((await clinician.call('GET', '/clinician')).statusCode).toBe(401)
    expect((await call('GET', '/partners')).statusCode).toBe(200)
  })

  it.each([
    [{}, [expect.stringMatching(/^kind should not be empty/)]],
    [{ kind: 'x' }, ['kind must be one of the following values: partner, clinician']],
    [{ kind: 'clinician' }, ['clinicianId should not be empty']],
    [{ kind: 'clinician', clinicianId: 'x' }, ['clinicianId must be a UUID']],
    [{ kind: 'clinician', clinicianId: randomUUID() }, ['clinicianId must be a clinician of this partner']],
  ])('400 for %j', async (payload, problems) => {
    const answer = await call('POST', '/sandbox/tokens/expire', payload)
    expect([answer.statusCode, answer.json<PartnerApiError>().error.message]).toMatchObject([
      400,
      { message: problems },
    ])
  })
})

describe('POST /sandbox/faults', () => {
  const provoke = async (payload: object) => {
    await passSecond()
    return call('POST', '/sandbox/faults', payload)
  }
  const left = async () =>
    (await call('GET', '/sandbox/faults')).json<SandboxFaults>().fault?.remaining ?? null

  it('429: bare, with Retry-After, for as many calls as were asked for', async () => {
    const asked = await provoke({ status: 429, count: 2 })
    expect([asked.statusCode, asked.json<SandboxFault>()]).toMatchObject([
      201,
      { status: 429, count: 2, remaining: 2, pathPrefix: null },
    ])
    for (const remaining of [1, 0]) {
      const answer = await call('GET', '/partners')
      expect([answer.statusCode, answer.json(), answer.headers['retry-after']]).toEqual([
        429,
        { message: 'Too Many Requests' },
        '1',
      ])
      expect(await left()).toBe(remaining)
    }
    expect((await call('GET', '/partners')).statusCode).toBe(200)
  })

  it.each([
    [500, 'Internal server error', undefined],
    [503, 'Service unavailable', '5'],
  ] as const)('%i in the envelope, and nothing is done', async (status, message, retryAfter) => {
    await provoke({ status, count: 1, pathPrefix: '/clinicians' })
    expect((await call('GET', `/clients/${partner.clientId}`)).statusCode).toBe(200)
    const client = { lastName: 'Nobody', dateOfBirth: '1990-01-31' }
    const answer = await call('POST', `/clinicians/${partner.clinicianId}/clients`, client)
    expect(answer.json()).toMatchObject({
      error: { message, statusCode: status, details: [] },
      path: `/clinicians/${partner.clinicianId}/clients`,
    })
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([status, retryAfter])
    expect(
      await rows(`select 1 from casenote.clients where tenant_id = $1 and last_name = 'Nobody'`),
    ).toEqual([])
    expect((await call('POST', `/clinicians/${partner.clinicianId}/clients`, client)).statusCode).toBe(201)
  })

  it('holds for authenticate too, over all processes together, and for nobody else', async () => {
    const peer = await service.makePeer()
    try {
      const other = await service.addPartner('sandbox')
      await provoke({ status: 503, count: 20 })
      await peer.watch.poll()
      const ask = async (api: typeof service.api): Promise<number> =>
        (await api.app.inject({ method: 'GET', url: '/v2/organizations', headers: partner.headers }))
          .statusCode
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) => ask(index % 2 === 0 ? service.api : peer.api)),
      )
      expect(answers.filter((status) => status === 503)).toHaveLength(20)
      expect(answers.filter((status) => status === 200)).toHaveLength(10)
      await provoke({ status: 500, count: 1, pathPrefix: '/partners/authenticate' })
      expect((await call('GET', '/partners', undefined, other)).statusCode).toBe(200)
      expect((await call('GET', '/partners')).statusCode).toBe(200)
      expect(await logIn()).toBeUndefined()
      expect(typeof (await logIn())).toBe('string')
    } finally {
      await peer.close()
    }
  })

  it('429 as the gateway’s within a second of the last, of calls at once for all but one', async () => {
    const other = await service.addPartner('sandbox')
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', '/sandbox/faults', { status: 500, count: 1 })),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(4)
    const refused = answers.find(({ statusCode }) => statusCode === 429)
    expect([refused?.json(), refused?.headers['retry-after']]).toEqual([
      { message: 'Too Many Requests' },
      '1',
    ])
    const asked = await call('POST', '/sandbox/faults', { status: 500, count: 1 }, other)
    expect(asked.statusCode).toBe(201)
  })

  it('other processes are told when there begins or ends something to take, and of nothing else', async () => {
    const changes = async (act: () => Promise<unknown>): Promise<boolean> => {
      const before = await readVersion()
      await act()
      return (await readVersion()) !== before
    }
    expect(await changes(() => call('POST', '/sandbox/clock', { advanceSeconds: 1 }))).toBe(false)
    expect(await changes(() => provoke({ status: 500, count: 2 }))).toBe(true)
    expect(await changes(() => provoke({ status: 503, count: 2 }))).toBe(false)
    expect(await changes(() => call('GET', '/partners'))).toBe(false)
    expect(await changes(() => call('GET', '/partners'))).toBe(true)
    expect(await changes(() => call('DELETE', '/sandbox/faults'))).toBe(false)
    expect(await changes(() => provoke({ status: 500, count: 2 }))).toBe(true)
    expect(await changes(() => call('DELETE', '/sandbox/faults'))).toBe(true)
  })

  it('does not touch the controls, is replaced by the next, and ends when it is ended', async () => {
    await provoke({ status: 500, count: 100 })
    expect(await left()).toBe(100)
    expect((await provoke({ status: 503, count: 7, pathPrefix: '/sandbox' })).statusCode).toBe(201)
    expect((await call('GET', '/sandbox/faults')).json()).toMatchObject({
      fault: { status: 503, count: 7, remaining: 7, pathPrefix: '/sandbox' },
    })
    await provoke({ status: 500, count: 100 })
    expect((await call('DELETE', '/sandbox/faults')).statusCode).toBe(204)
    expect((await call('DELETE', '/sandbox/faults')).statusCode).toBe(204)
    expect((await call('GET', '/sandbox/faults')).json()).toEqual({ fault: null })
    expect((await call('GET', '/partners')).statusCode).toBe(200)
  })

  it.each([
    [{}, ['status should not be empty', 'count should not be empty']],
    [{ status: 404, count: 1 }, ['status must be one of the following values: 429, 500, 503']],
    [{ status: 500, count: 0 }, ['count must not be less than 1']],
    [{ status: 500, count: 101 }, ['count must not be greater than 100']],
    [{ status: 500, count: 1, pathPrefix: 'clients' }, ['pathPrefix must begin with /']],
    [{ status: 500, count: 1, pathPrefix: 5 }, ['pathPrefix must be a string']],
  ])('400 for %j', async (payload, problems) => {
    const answer = await provoke(payload)
    expect([answer.statusCode, answer.json<PartnerApiError>().error.message]).toMatchObject([
      400,
      { message: problems },
    ])
    expect(await left()).toBe(null)
  })
})
