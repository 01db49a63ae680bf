import { randomUUID } from 'node:crypto'
import {
  planTextBytesMax,
  type Page,
  type PartnerApiError,
  type TreatmentPlan,
  type TreatmentPlanVersion,
  type WidgetPlans,
} from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/features/clients/index.js'
import { findActivePlan } from '../../src/features/treatment-plans/index.js'
import { mergePlan, noPlan } from '../../src/features/treatment-plans/merge-plan.js'
import { findLengthProblem } from '../../src/features/treatment-plans/plan-length.js'
import { operator } from '../../src/kernel/operator.js'
import { listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague, signIn } from '../widget/widget-fixture.js'

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
  title: 'Plan for the winter',
  startsOn: '2026-11-15',
  reviewOn: '2027-02-15',
  problems: [{ text: 'Sleeps three hours a night' }],
  goals: [
    {
      text: ' Sleep through five nights a week ',
      targetDate: '2027-02-15',
      objectives: [{ text: 'Keep a sleep diary' }],
      interventions: ['CBT for insomnia'],
    },
    { text: 'Go back to work' },
  ],
}

const call = (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: unknown, headers = {}) =>
  service.call({
    method,
    url: `/v2${path}`,
    headers: { ...partner.headers, 'content-type': 'application/json', ...headers },
    ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
  })

const addClient = (): Promise<string> =>
  service.db.write(tenant, (tx) =>
    createClient(
      tx,
      {
        clinicianId: partner.clinicianId,
        firstName: 'Odette',
        lastName: 'Mockingham',
        dateOfBirth: '2001-01-08',
        email: null,
        phoneNumber: null,
        externalId: null,
      },
      operator,
    ),
  )

const create = async (clientId: string, plan: unknown = given): Promise<TreatmentPlan> => {
  const answer = await call('POST', `/clients/${clientId}/treatment-plans`, plan)
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)])
  return answer.json<TreatmentPlan>()
}
const read = (id: string) => call('GET', `/treatment-plans/${id}`)
const problemsOf = (answer: Awaited<ReturnType<typeof call>>): unknown => {
  expect(answer.statusCode).toBe(400)
  return (answer.json<PartnerApiError>().error.message as { message: string[] }).message
}
const codeOf = (answer: Awaited<ReturnType<typeof call>>): unknown => [
  answer.statusCode,
  answer.headers['casenote-error-code'],
]

describe('a treatment plan', () => {
  it('201 with the whole draft, every entry with an id; sealed and audited', async () => {
    const clientId = await addClient()
    const plan = await create(clientId)
    expect(plan).toMatchObject({
      treatmentPlanId: plan.id,
      clientId,
      status: 'draft',
      version: 1,
      title: given.title,
      signedBy: null,
      endedAt: null,
      goals: [
        {
          text: 'Sleep through five nights a week',
          status: 'open',
          targetDate: '2027-02-15',
          objectives: [{ text: 'Keep a sleep diary', targetDate: null }],
          interventions: ['CBT for insomnia'],
        },
        { text: 'Go back to work', objectives: [], interventions: [] },
      ],
    })
    expect((await read(plan.id)).json()).toEqual(plan)
    const list = await call('GET', `/clients/${clientId}/treatment-plans`)
    expect(list.json<Page<TreatmentPlan>>().data).toEqual([plan])
    const rows = await service.db.read(tenant, {
      text: 'select sealed_plan as sealed from casenote.treatment_plan_versions where tenant_id = $1 and plan_id = $2',
      values: [tenant.tenantId, plan.id],
    })
    expect((rows[0] as { sealed: Buffer }).sealed.includes('Sleep')).toBe(false)
    for (const operation of ['treatmentPlan.create', 'treatmentPlan.read'])
      expect((await listSubjects(service, tenant, operation, plan.id)).flat()).toContain(clientId)
  })

  it('400 names every offending field', async () => {
    const clientId = await addClient()
    const path = `/clients/${clientId}/treatment-plans`
    expect(problemsOf(await call('POST', path, {}))).toEqual(['goals should not be empty'])
    expect(
      problemsOf(
        await call('POST', path, {
          goals: [{ text: 'a'.repeat(501), status: 'done', objectives: [{}], targetDate: 'soon' }],
          problems: Array.from({ length: 21 }, () => ({ text: 'a' })),
          startsOn: '2026-02-30',
        }),
      ),
    ).toEqual([
      'goals.0.text must be shorter than or equal to 500 characters',
      'goals.0.status must be one of the following values: open, met, set_aside',
      'goals.0.targetDate must be a valid ISO 8601 date string',
      'goals.0.objectives.0.text should not be empty',
      'startsOn must be a valid ISO 8601 date string',
      'problems must contain no more than 20 elements',
    ])
    const foreign = { goals: [{ id: partner.clientId, text: 'Go back to work' }] }
    expect(problemsOf(await call('POST', path, foreign))).toEqual([
      'goals.0.id must be an id of this treatment plan, once',
    ])
  })

  it('PATCH makes a version nobody has signed, keeps ids, and If-Match refuses a lost update', async () => {
    const plan = await create(await addClient())
    const { etag } = (await read(plan.id)).headers
    const [sleep] = plan.goals
    const goals = [{ ...sleep, status: 'met' }, { text: 'Call the school' }]
    const changed = await call(
      'PATCH',
      `/treatment-plans/${plan.id}`,
      { goals, title: null },
      { 'if-match': etag },
    )
    expect(changed.statusCode).toBe(200)
    expect(changed.json()).toMatchObject({
      version: 2,
      title: null,
      startsOn: given.startsOn,
      problems: plan.problems,
      goals: [{ ...sleep, status: 'met' }, { text: 'Call the school' }],
    })
    expect(
      codeOf(await call('PATCH', `/treatment-plans/${plan.id}`, { title: 'x' }, { 'if-match': etag })),
    ).toEqual([409, 'treatment_plan_changed'])
    const versions = await call('GET', `/treatment-plans/${plan.id}/versions`)
    expect(
      versions.json<Page<TreatmentPlanVersion>>().data.map(({ version, title }) => [version, title]),
    ).toEqual([
      [1, given.title],
      [2, null],
    ])
  })

  it('400 for more text than a plan may have in all, and nothing is changed', async () => {
    const clientId = await addClient()
    const problem = (field: string): string =>
      `${field} must be shorter: all texts of a treatment plan together have at most ${planTextBytesMax} bytes, as JSON in UTF-8`
    // Each text is short enough: 500 characters of three bytes, and of a quotation mark, which JSON writes as two.
    const goalOf = (text: string) => ({ text, interventions: [text, text] })
    const goals = Array.from({ length: 15 }, () => goalOf('睡'.repeat(500)))
    const path = `/clients/${clientId}/treatment-plans`
    expect(problemsOf(await call('POST', path, { goals }))).toEqual([problem('goals')])
    const quotes = Array.from({ length: 20 }, () => ({ text: '"'.repeat(500) }))
    const plan = await create(clientId, { goals: goals.slice(0, 14), title: 'x' })
    const own = `/treatment-plans/${plan.id}`
    expect(problemsOf(await call('PATCH', own, { problems: quotes }))).toEqual([problem('problems')])
    const clinician = await signIn(service, partner)
    expect((await clinician.call('PATCH', own, { problems: quotes })).statusCode).toBe(400)
    expect((await read(plan.id)).json()).toEqual(plan)
    expect((await call('PATCH', own, { problems: quotes.slice(0, 2) })).json()).toMatchObject({ version: 2 })
  })

  it('one of before there was a bound is made shorter by steps', () => {
    const problemOf = (bytes: number, before: number): string | null => {
      const [content, known] = [bytes, before].map((length) => ({ ...noPlan, title: 'x'.repeat(length) }))
      return findLengthProblem(content ?? noPlan, { title: 'x' }, known ?? noPlan)
    }
    const above = planTextBytesMax + 10
    expect([problemOf(above - 1, above), problemOf(above, above), problemOf(1, above)]).toEqual([
      null,
      null,
      null,
    ])
    for (const before of [0, planTextBytesMax, above - 1])
      expect(problemOf(above, before)).toContain('title must be shorter')
  })

  it('a change that changes nothing makes no version and stands in no log; signed, it stays signed', async () => {
    const { id } = await create(await addClient())
    const signed = await call('POST', `/treatment-plans/${id}/sign`)
    const plan = signed.json<TreatmentPlan>()
    const own = `/treatment-plans/${id}`
    const { title, startsOn, reviewOn, problems, goals } = plan
    for (const same of [{}, { title }, { title, startsOn, reviewOn, problems, goals }]) {
      const answer = await call('PATCH', own, same, { 'if-match': signed.headers.etag })
      expect([answer.json(), answer.headers.etag]).toEqual([plan, signed.headers.etag])
    }
    const clinician = await signIn(service, partner)
    expect((await clinician.call('PATCH', own, { goals })).json()).toEqual(plan)
    expect((await call('GET', `${own}/versions`)).json<Page<unknown>>().meta.totalItems).toBe(1)
    expect(await listSubjects(service, tenant, 'treatmentPlan.change', id)).toEqual([])
  })

  it('lists are written item by item, ten at the most', async () => {
    const clientId = await addClient()
    const plans: TreatmentPlan[] = []
    for (let count = 0; count < 11; count++) plans.push(await create(clientId))
    const { id } = plans[0]!
    for (let count = 0; count < 10; count++)
      plans[0] = (await call('PATCH', `/treatment-plans/${id}`, { title: `Plan ${count}` })).json()
    const list = async <Item>(path: string, number: number): Promise<Item[]> => {
      const answer = await call('GET', `${path}?page=${number}`, undefined, { 'casenote-page-size': '100' })
      const { data, meta } = answer.json<Page<Item>>()
      expect(meta).toMatchObject({ totalItems: 11, totalPages: 2, itemsPerPage: 10 })
      return data
    }
    const path = `/clients/${clientId}/treatment-plans`
    expect(await list(path, 1)).toEqual(plans.slice(0, 10))
    expect(await list(path, 2)).toEqual(plans.slice(10))
    const versions = await list<TreatmentPlanVersion>(`/treatment-plans/${id}/versions`, 1)
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    const [last, ...others] = await list<TreatmentPlanVersion>(`/treatment-plans/${id}/versions`, 2)
    expect([last?.version, last?.goals, others]).toEqual([11, plans[0]?.goals, []])
  })

  it('is active once it is signed, one for a client; ended for good; one event each, only by name', async () => {
    const clientId = await addClient()
    const plan = await create(clientId)
    const ring = await service.keys.get(tenant)
    expect(await findActivePlan(service.db, ring, clientId)).toBeNull()
    const sign = (id: string) => call('POST', `/treatment-plans/${id}/sign`)
    const signed = await sign(plan.id)
    expect(signed.json()).toMatchObject({
      status: 'active',
      signedBy: { kind: 'partner', id: partner.partnerId, name: null },
    })
    expect((await sign(plan.id)).json()).toEqual(signed.json())
    expect(await findActivePlan(service.db, ring, clientId)).toMatchObject({ treatmentPlanId: plan.id })
    const other = await create(clientId)
    expect(codeOf(await sign(other.id))).toEqual([409, 'treatment_plan_active'])
    const changed = await call('PATCH', `/treatment-plans/${plan.id}`, { title: 'Plan for spring' })
    expect(changed.json()).toMatchObject({ status: 'active', version: 2, signedBy: null })
    expect(await findActivePlan(service.db, ring, clientId)).toMatchObject({ title: given.title })
    expect((await sign(plan.id)).json()).toMatchObject({ version: 2, signedBy: { kind: 'partner' } })
    expect(await findActivePlan(service.db, ring, clientId)).toMatchObject({ title: 'Plan for spring' })
    const end = () => call('POST', `/treatment-plans/${plan.id}/end`)
    expect((await end()).json()).toMatchObject({ status: 'ended', endedAt: expect.stringMatching(/Z$/) })
    expect((await end()).statusCode).toBe(200)
    expect(codeOf(await call('PATCH', `/treatment-plans/${plan.id}`, { title: 'x' }))).toEqual([
      409,
      'treatment_plan_ended',
    ])
    expect(codeOf(await sign(plan.id))).toEqual([409, 'treatment_plan_ended'])
    expect((await sign(other.id)).json()).toMatchObject({ status: 'active' })
    const rows = await service.db.read(tenant, {
      text: `select body from casenote.events where tenant_id = $1 and event_type = 'treatment_plan_changed' order by seq`,
      values: [tenant.tenantId],
    })
    const events = rows.map(
      ({ body }) => JSON.parse(String(body)) as { payload: { treatmentPlanId: string } },
    )
    const payload = { clientId, treatmentPlanId: plan.id, treatmentPlanUrl: expect.stringMatching(plan.id) }
    expect(events.filter((event) => event.payload.treatmentPlanId === plan.id)).toMatchObject([
      { eventType: 'treatment_plan_changed', payload: { ...payload, version: 1, status: 'active' } },
      { payload: { ...payload, version: 2, status: 'active' } },
      { payload: { ...payload, version: 2, status: 'ended' } },
    ])
    expect(JSON.stringify(events)).not.toContain('Sleep')
  })

  it('of two drafts that are signed at once one is active, and the other 409', async () => {
    const clientId = await addClient()
    const drafts = [await create(clientId), await create(clientId)]
    const answers = await Promise.all(drafts.map(({ id }) => call('POST', `/treatment-plans/${id}/sign`)))
    const codes = answers.map((answer) => codeOf(answer))
    expect(codes).toContainEqual([409, 'treatment_plan_active'])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([
      200, 409,
    ])
  })

  it('409 for an archived client', async () => {
    const clientId = await addClient()
    await call('POST', `/clients/${clientId}/archive`)
    expect(codeOf(await call('POST', `/clients/${clientId}/treatment-plans`, given))).toEqual([
      409,
      'client_archived',
    ])
  })
})

describe('in the widget', () => {
  it('whoever treats the client writes, changes and signs it; others find nothing', async () => {
    const clientId = await addClient()
    const clinician = await signIn(service, partner)
    const made = await clinician.call('POST', `/clients/${clientId}/treatment-plans`, given)
    expect(made.statusCode).toBe(201)
    const plan = made.json<TreatmentPlan>()
    const path = `/treatment-plans/${plan.id}`
    const changed = await clinician.call('PATCH', path, { title: 'Spring' })
    expect(changed.json()).toMatchObject({ version: 2 })
    const signed = await clinician.call('POST', `${path}/sign`)
    expect(signed.json()).toMatchObject({
      status: 'active',
      signedBy: { kind: 'clinician', id: partner.clinicianId, name: 'Ada Example' },
    })
    const list = (await clinician.call('GET', `/clients/${clientId}/treatment-plans`)).json<WidgetPlans>()
    expect(list.plans).toEqual([{ ...signed.json<TreatmentPlan>(), etag: signed.headers.etag }])
    const { clinicianId } = await addColleague(service, partner)
    const colleague = await signIn(service, partner, clinicianId)
    for (const answer of [
      await colleague.call('GET', `/clients/${clientId}/treatment-plans`),
      await colleague.call('PATCH', path, { title: 'x' }),
      await colleague.call('POST', `${path}/sign`),
      await colleague.call('POST', `${path}/end`),
    ])
      expect(answer.statusCode).toBe(404)
    expect((await clinician.call('POST', `${path}/end`)).json()).toMatchObject({ status: 'ended' })
  })

  it('one that is sent again under its id, at once or after a lost answer, is the same plan', async () => {
    const clientId = await addClient()
    const clinician = await signIn(service, partner)
    const sent = { ...given, id: randomUUID() }
    const send = (body: object, of = clientId) =>
      clinician.call('POST', `/clients/${of}/treatment-plans`, body)
    const answers = await Promise.all([send(sent), send(sent), send(sent)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(answers[0]?.json()).toMatchObject({ id: sent.id, version: 1 })
    const list = await clinician.call('GET', `/clients/${clientId}/treatment-plans`)
    expect(list.json<WidgetPlans>().plans.map(({ id }) => id)).toEqual([sent.id])
    for (const answer of [await send({ ...sent, title: 'Another' }), await send(sent, await addClient())])
      expect(codeOf(answer)).toEqual([409, 'treatment_plan_differs'])
  })

  it('400 with the field for an id that is none', async () => {
    const clinician = await signIn(service, partner)
    const path = `/clients/${await addClient()}/treatment-plans`
    expect(problemsOf(await clinician.call('POST', path, { ...given, id: 'mine' }))).toEqual([
      'id must be a UUID',
    ])
  })
})

it('an id stands once in a plan', () => {
  let count = 0
  const newId = () => `id-${(count += 1)}`
  const { content } = mergePlan(noPlan, given, newId)
  const id = content.goals[0]?.id ?? ''
  const twice = mergePlan(
    content,
    {
      goals: [
        { id, text: 'a' },
        { id, text: 'b' },
      ],
    },
    newId,
  )
  expect(twice.problems).toEqual(['goals.1.id must be an id of this treatment plan, once'])
})
