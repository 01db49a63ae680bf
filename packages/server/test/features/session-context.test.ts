import { randomUUID } from 'node:crypto'
import type { PartnerApiError, Session, SessionContext, WidgetSession } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failSession, findContext } from '../../src/features/sessions/index.js'
import { asPipeline } from '../support/clinical-record.js'
import { listSubjects } from '../support/outcomes.js'
import type { SessionId } from '../../src/kernel/ids.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { giveConsent, signIn } from '../widget/widget-fixture.js'

let service: TestService
let partner: TestPartner
let tenant: { tenantId: string }

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  tenant = { tenantId: partner.partnerId }
})
afterAll(() => service.close())

const given = {
  diagnoses: ['F33.1 Major depressive disorder'],
  medicines: ['lithium 300 mg', '  ', 'lithium 300 mg'],
  goals: [{ goalId: 'g-1', text: ' Sleep through ' }, { text: 'Go back to work' }],
  lastPlan: 'Sleep diary.',
  pronouns: 'they/them',
  namesToKeepOut: ['Rosalind'],
  serviceCode: '90837',
  startedAt: '2026-11-15T10:30:00+01:00',
  endedAt: '2026-11-15T10:25:00Z',
}
const kept = {
  ...given,
  medicines: ['lithium 300 mg'],
  goals: [
    { goalId: 'g-1', text: 'Sleep through' },
    { goalId: null, text: 'Go back to work' },
  ],
  startedAt: '2026-11-15T09:30:00.000Z',
  endedAt: '2026-11-15T10:25:00.000Z',
}
const nothing = {
  diagnoses: [],
  medicines: [],
  goals: [],
  lastPlan: null,
  pronouns: null,
  namesToKeepOut: [],
  serviceCode: null,
  startedAt: null,
  endedAt: null,
}

const call = (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: unknown) =>
  service.call({
    method,
    url: `/v2${path}`,
    headers: { ...partner.headers, 'content-type': 'application/json' },
    ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
  })

const create = async (context: unknown): Promise<Session> => {
  const answer = await call('POST', `/clients/${partner.clientId}/sessions`, {
    fileUrl: 'https://recordings.example.com/a.mp3',
    context,
  })
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)])
  expect(answer.body).not.toContain('lithium')
  return answer.json<Session>()
}
const pathOf = ({ sessionId }: { sessionId: string }): string => `/sessions/${sessionId}/context`
const read = async (session: { sessionId: string }): Promise<SessionContext> =>
  (await call('GET', pathOf(session))).json<SessionContext>()
const problemsOf = (answer: Awaited<ReturnType<typeof call>>): unknown => {
  expect(answer.statusCode).toBe(400)
  return (answer.json<PartnerApiError>().error.message as { message: string[] }).message
}

describe('what a partner knows beside a session', () => {
  it('comes with the session, is kept sealed, read with its audit entry, and is in no answer of the session', async () => {
    const session = await create(given)
    expect(await read(session)).toEqual({
      sessionId: session.sessionId,
      ...kept,
      updatedAt: expect.stringMatching(/Z$/),
    })
    const rows = await service.db.read(tenant, {
      text: 'select sealed_context as sealed from casenote.session_contexts where tenant_id = $1 and session_id = $2',
      values: [tenant.tenantId, session.sessionId],
    })
    expect((rows[0] as { sealed: Buffer }).sealed.includes('lithium')).toBe(false)
    expect((await listSubjects(service, tenant, 'session.readContext', session.sessionId)).flat()).toContain(
      partner.clientId,
    )
    const { context } = await findContext(service.db, await service.keys.get(tenant), session.sessionId)
    expect(context).toEqual(kept)
  })

  it('is empty where nothing was given', async () => {
    for (const context of [undefined, null])
      expect(await read(await create(context))).toMatchObject({ ...nothing, updatedAt: null })
  })

  it('PATCH replaces what is given and leaves the rest; null and [] take it away', async () => {
    const session = await create(given)
    const answer = await call('PATCH', pathOf(session), {
      medicines: [],
      lastPlan: null,
      pronouns: 'she/her',
    })
    expect(answer.statusCode).toBe(200)
    const expected = { ...kept, medicines: [], lastPlan: null, pronouns: 'she/her' }
    expect(answer.json()).toMatchObject(expected)
    expect(await read(session)).toMatchObject(expected)
    expect(
      (await listSubjects(service, tenant, 'session.changeContext', session.sessionId)).flat(),
    ).toContain(partner.clientId)
  })

  it('400 names every offending field, within bounds, and nothing is kept', async () => {
    const session = await create(null)
    const bad = {
      diagnoses: 'none',
      medicines: Array.from({ length: 31 }, () => 'a'),
      goals: [{ goalId: 'g' }, { text: 'a'.repeat(501) }],
      lastPlan: 'a'.repeat(5001),
      pronouns: 7,
      namesToKeepOut: [''],
      serviceCode: 'a'.repeat(21),
      startedAt: 'yesterday',
      endedAt: '2026-02-30T10:00:00Z',
    }
    const problems = [
      'diagnoses must be an array',
      'medicines must contain no more than 30 elements',
      'goals.0.text should not be empty',
      'goals.1.text must be shorter than or equal to 500 characters',
      'lastPlan must be shorter than or equal to 5000 characters',
      'pronouns must be a string',
      'each value in namesToKeepOut should not be empty',
      'serviceCode must be shorter than or equal to 20 characters',
      'startedAt must be a valid ISO 8601 date string',
      'endedAt must be a valid ISO 8601 date string',
    ]
    expect(problemsOf(await call('PATCH', pathOf(session), bad))).toEqual(problems)
    const withSession = await call('POST', `/clients/${partner.clientId}/sessions`, {
      fileUrl: 'https://recordings.example.com/a.mp3',
      context: bad,
    })
    expect(problemsOf(withSession)).toEqual(
      problems.map((one) =>
        one.startsWith('each value in ')
          ? one.replace('each value in ', 'each value in context.')
          : `context.${one}`,
      ),
    )
    expect(await read(session)).toMatchObject(nothing)
  })

  it('400 for an end that is not after its start, also where the start was given before', async () => {
    const session = await create({ startedAt: '2026-11-15T10:00:00Z' })
    expect(problemsOf(await call('PATCH', pathOf(session), { endedAt: '2026-11-15T10:00:00Z' }))).toEqual([
      'endedAt must be after startedAt',
    ])
    const refused = await call('POST', `/clients/${partner.clientId}/sessions`, {
      fileUrl: 'https://recordings.example.com/a.mp3',
      context: { startedAt: '2026-11-15T10:00:00Z', endedAt: '2026-11-15T09:00:00Z' },
    })
    expect(problemsOf(refused)).toEqual(['context.endedAt must be after context.startedAt'])
  })

  it('400 for a goal with the id of another one, or what that is called by its place', async () => {
    const taken = (index: number): string =>
      `goals.${index}.goalId must be of no other goal: without one a goal is goal-1, goal-2 … by its place`
    const session = await create({ goals: [{ text: 'Sleep' }, { goalId: 'goal-2', text: 'Work' }] })
    for (const [ids, refused] of [
      [
        ['a', 'a', 'b', 'a'],
        [1, 3],
      ],
      [['goal-2', null], [0]],
      [
        ['b', 'goal-3', null, 'goal-3'],
        [1, 3],
      ],
    ] as const) {
      const goals = ids.map((goalId) => ({ goalId, text: 'Sleep' }))
      expect(problemsOf(await call('PATCH', pathOf(session), { goals }))).toEqual(refused.map(taken))
      const withSession = await call('POST', `/clients/${partner.clientId}/sessions`, {
        fileUrl: 'https://recordings.example.com/a.mp3',
        context: { goals },
      })
      expect(problemsOf(withSession)).toEqual(refused.map((index) => `context.${taken(index)}`))
    }
    for (const ids of [
      [null, null],
      ['goal-1', 'goal-2'],
      ['goal-2', 'x'],
      ['A', 'a'],
    ]) {
      const goals = ids.map((goalId) => ({ goalId, text: 'Sleep' }))
      expect((await call('PATCH', pathOf(session), { goals })).statusCode).toBe(200)
    }
  })

  it('400 for a name to keep out that is longer than any that is looked for', async () => {
    const namesToKeepOut = ['Rosalind', 'a b c d e f g h i']
    expect(problemsOf(await call('PATCH', pathOf(await create({})), { namesToKeepOut }))).toEqual([
      'each value in namesToKeepOut must have at most 8 words',
    ])
  })

  it('goes with a session that is tried again', async () => {
    const session = await create(given)
    const context = asPipeline(await service.keys.get(tenant))
    await service.db.write(tenant, (tx) =>
      failSession(tx, context, { sessionId: session.sessionId, failure: 'fetch_not_found' }),
    )
    const again = await call('POST', `/sessions/${session.sessionId}/retry`)
    expect(again.statusCode).toBe(200)
    expect(await read(again.json<Session>())).toMatchObject(kept)
    expect(await read(session)).toMatchObject(nothing)
  })

  it('comes with a recording of the widget, and is thrown away with it', async () => {
    const clinician = await signIn(service, partner)
    await giveConsent(clinician, partner.clientId)
    const begin = (context: unknown) =>
      clinician.call('POST', `/clients/${partner.clientId}/sessions`, { recordingId: randomUUID(), context })
    const answer = await begin(given)
    expect(answer.statusCode).toBe(201)
    const session = answer.json<{ sessionId: string }>()
    expect(await read(session)).toMatchObject(kept)
    await clinician.call('POST', `/sessions/${session.sessionId}/discard`)
    expect(await read(session)).toMatchObject(nothing)
    expect((await call('PATCH', pathOf(session), given)).statusCode).toBe(409)
    expect((await begin({ ...given, endedAt: given.startedAt })).statusCode).toBe(400)
  })

  it('of the widget lacks what was refused, which its clinician is told until it is given', async () => {
    const clinician = await signIn(service, partner)
    await giveConsent(clinician, partner.clientId)
    const begin = (more: object) =>
      clinician.call('POST', `/clients/${partner.clientId}/sessions`, { recordingId: randomUUID(), ...more })
    const answer = await begin({
      context: { pronouns: 'they/them' },
      contextLeftOut: ['diagnoses', 'namesToKeepOut'],
    })
    expect(answer.statusCode).toBe(201)
    const session = answer.json<WidgetSession>()
    const look = async (): Promise<unknown> =>
      (await clinician.call('GET', `/sessions/${session.sessionId}`)).json<WidgetSession>().contextLeftOut
    expect(session.contextLeftOut).toEqual(['diagnoses', 'namesToKeepOut'])
    expect(await read(session)).toMatchObject({ ...nothing, pronouns: 'they/them' })
    await call('PATCH', pathOf(session), { namesToKeepOut: ['Rosalind'] })
    expect(await look()).toEqual(['diagnoses'])
    await call('PATCH', pathOf(session), { pronouns: null })
    expect(await look()).toEqual(['diagnoses'])
    // Without anything that was taken, too; and by no name but those that there are.
    const without = await begin({ context: null, contextLeftOut: ['pronouns'] })
    expect(without.json<WidgetSession>().contextLeftOut).toEqual(['pronouns'])
    expect((await begin({ context: null })).json<WidgetSession>().contextLeftOut).toEqual([])
    expect(problemsOf(await begin({ contextLeftOut: ['Rosalind'] }))).toEqual([
      expect.stringContaining('each value in contextLeftOut must be one of'),
    ])
  })

  it('that was refused is told of in a session that is tried again as well', async () => {
    const clinician = await signIn(service, partner)
    const typed = await clinician.call('POST', `/clients/${partner.clientId}/typed-sessions`, {
      recordingId: randomUUID(),
      text: 'We spoke about sleep.',
      contextLeftOut: ['namesToKeepOut'],
    })
    const { sessionId } = typed.json<{ sessionId: SessionId }>()
    const context = asPipeline(await service.keys.get(tenant))
    await service.db.write(tenant, (tx) =>
      failSession(tx, context, { sessionId, failure: 'processing_failed' }),
    )
    const again = (await call('POST', `/sessions/${sessionId}/retry`)).json<Session>()
    const shown = await clinician.call('GET', `/sessions/${again.sessionId}`)
    expect(shown.json<WidgetSession>().contextLeftOut).toEqual(['namesToKeepOut'])
  })
})
