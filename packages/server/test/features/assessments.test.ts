import {
  ASSIGNMENT_STATUSES,
  type Assessment,
  type AssessmentAssignments,
  type AssessmentScore,
  type Page,
} from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  completeAssessments,
  makeBuiltInCatalogue,
  setDefaults,
  type AnsweredAssessment,
} from '../../src/features/assessments/index.js'
import { applyClientAction, createClient } from '../../src/features/clients/index.js'
import { operator } from '../../src/kernel/operator.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

const catalogue = makeBuiltInCatalogue()

let service: TestService
let partner: TestPartner

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
})
afterAll(() => service.close())

const scope = () => ({ tenantId: partner.partnerId })
const get = (path: string) => service.ask(partner, 'GET', path)
const post = (path: string, payload: object) => service.ask(partner, 'POST', path, payload)
const rowsOf = async <Row>(text: string, values: unknown[]): Promise<Row[]> =>
  (await service.owner.read(scope(), { text, values })) as Row[]

const addClient = (): Promise<string> =>
  service.db.write(scope(), (tx) =>
    createClient(
      tx,
      {
        clinicianId: partner.clinicianId,
        firstName: null,
        lastName: 'Sample',
        dateOfBirth: '1990-02-03',
        email: null,
        phoneNumber: null,
        externalId: null,
      },
      operator,
    ),
  )

const administer = (clientId: string, assessmentIds: unknown) =>
  post(`/clients/${clientId}/assessments`, { assessmentIds })

const countAssignments = async (clientId: string): Promise<number> =>
  (await rowsOf('select 1 from casenote.assessment_assignments where client_id = $1', [clientId])).length

describe('GET /clinics/{clinicId}/assessments', () => {
  const list = async (query = ''): Promise<Page<Assessment>> =>
    (await get(`/clinics/${partner.clinicId}/assessments${query}`)).json<Page<Assessment>>()

  it('lists what is offered, in the shape of the reference', async () => {
    const { data, meta } = await list()
    expect(meta).toEqual({ totalItems: 7, totalPages: 1, itemsPerPage: 10, currentPage: 1 })
    expect(data[0]).toEqual({
      id: 'phq9',
      name: 'PHQ-9',
      description: expect.any(String),
      isDefault: true,
      questionCount: 9,
      createdAt: '2026-11-15T00:00:00.000Z',
    })
    expect(data.map(({ id }) => id)).toEqual(['phq9', 'phq2', 'gad7', 'gad2', 'pcl5', 'pc_ptsd5', 'audit_c'])
    expect((await list('?page=2')).data).toEqual([])
  })

  it('phq9 and gad7 are the defaults of a clinic that has set none', async () => {
    expect((await list('?defaultOnly=true')).data.map(({ id }) => id)).toEqual(['phq9', 'gad7'])
    expect((await list('?defaultOnly=false')).meta.totalItems).toBe(7)
    expect((await list('?defaultOnly=')).meta.totalItems).toBe(7)
  })

  it('the operator sets others, for one clinic', async () => {
    const one = await service.addPartner()
    const tenant = { tenantId: one.partnerId }
    const set = (ids: string[]) =>
      service.owner.write(tenant, (tx) => setDefaults(tx, catalogue, one.clinicId, ids))
    const read = async (): Promise<string[]> =>
      (
        await service.call({
          method: 'GET',
          url: `/v2/clinics/${one.clinicId}/assessments?defaultOnly=true`,
          headers: one.headers,
        })
      )
        .json<Page<Assessment>>()
        .data.map(({ id }) => id)
    await set(['pcl5', 'audit_c', 'pcl5'])
    expect(await read()).toEqual(['pcl5', 'audit_c'])
    await expect(set(['phq9', 'who5', 'nothing'])).rejects.toThrow('not offered: who5, nothing')
    expect(await read()).toEqual(['pcl5', 'audit_c'])
    await set(['gad2'])
    expect(await read()).toEqual(['gad2'])
    expect((await list('?defaultOnly=true')).data).toHaveLength(2)
  })

  it.each(['1', 'yes', 'TRUE', 'true&defaultOnly=false'])('400 for defaultOnly=%s', async (value) => {
    const answer = await get(`/clinics/${partner.clinicId}/assessments?page=0&defaultOnly=${value}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      error: {
        message: { message: ['page must not be less than 1', 'defaultOnly must be a boolean value'] },
      },
    })
  })
})

describe('POST /clients/{clientId}/assessments', () => {
  it('201 with one assignment for each, each with a link of its own', async () => {
    const clientId = await addClient()
    const answer = await administer(clientId, ['gad7', 'phq9', 'gad7'])
    expect(answer.statusCode).toBe(201)
    const { assignments, ...more } = answer.json<AssessmentAssignments>()
    expect(more).toEqual({ isEmailed: false })
    expect(assignments).toEqual(
      ['gad7', 'phq9'].map((assessmentId) => ({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        assessmentId,
        status: 'outstanding',
        url: expect.stringMatching(/^http:\/\/localhost:8080\/a\/[0-9a-f]{32}\.[A-Za-z0-9_-]{43}$/),
        expiresAt: expect.stringMatching(/Z$/),
      })),
    )
    expect(assignments[0]?.url).not.toBe(assignments[1]?.url)
    const rows = await rowsOf<{ days: number; administrations: number }>(
      `select distinct round(extract(epoch from expires_at - created_at) / 86400)::int as days,
         (select count(distinct administration_id) from casenote.assessment_assignments where client_id = $1)
           as administrations
       from casenote.assessment_assignments where client_id = $1`,
      [clientId],
    )
    expect(rows).toEqual([{ days: 30, administrations: 1 }])
    const [audit] = await rowsOf<{ subjects: string[] }>(
      `select subject_ids as subjects from casenote.audit_pending
       where operation = 'assessment.administer' and $1 = any(subject_ids)`,
      [clientId],
    )
    expect(audit?.subjects).toEqual([clientId, ...assignments.map(({ id }) => id)])
  })

  it('409 in plain words if any is outstanding, and none is assigned', async () => {
    const clientId = await addClient()
    await administer(clientId, ['phq9'])
    const answer = await administer(clientId, ['gad7', 'phq9', 'pcl5'])
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({
      error: { message: 'Assessments are already outstanding: phq9', statusCode: 409 },
    })
    expect(await countAssignments(clientId)).toBe(1)
  })

  it('what has expired is no longer outstanding', async () => {
    const clientId = await addClient()
    await administer(clientId, ['phq9'])
    await service.owner.write(scope(), (tx) =>
      tx.run({
        text: 'update casenote.assessment_assignments set expires_at = now() where client_id = $1',
        values: [clientId],
      }),
    )
    expect((await administer(clientId, ['phq9'])).statusCode).toBe(201)
    expect((await administer(clientId, ['phq9'])).statusCode).toBe(409)
    const statuses = await rowsOf(
      'select status from casenote.assessment_assignments where client_id = $1 order by seq',
      [clientId],
    )
    expect(statuses).toEqual([{ status: 'expired' }, { status: 'outstanding' }])
  })

  it('of 200 identical calls at once, in any order of ids, one assigns', async () => {
    const clientId = await addClient()
    const ids = ['phq9', 'gad7', 'pcl5', 'audit_c']
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        administer(clientId, index % 2 === 0 ? ids : ids.toReversed()),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 199 }, () => 409),
    ])
    expect(await countAssignments(clientId)).toBe(4)
  })

  it('409 for an archived client, but 400 first for what does not exist', async () => {
    const clientId = await addClient()
    await service.db.write(scope(), (tx) => applyClientAction(tx, clientId, 'archive'))
    const answer = await administer(clientId, ['phq9'])
    expect([answer.statusCode, answer.json()]).toMatchObject([
      409,
      { error: { message: 'Client is archived' } },
    ])
    expect((await administer(clientId, ['nothing'])).statusCode).toBe(400)
    expect(await countAssignments(clientId)).toBe(0)
  })

  it.each([
    [undefined, 'assessmentIds should not be empty'],
    [null, 'assessmentIds should not be empty'],
    [[], 'assessmentIds should not be empty'],
    ['phq9', 'assessmentIds must be an array'],
    [['phq9', 9], 'each value in assessmentIds must be a string'],
    [[null], 'each value in assessmentIds must be a string'],
    [Array.from({ length: 21 }, () => 'phq9'), 'assessmentIds must contain no more than 20 elements'],
    [['phq9', 'phq99', 'who5'], 'assessmentIds must name assessments of the clinic, not: phq99, who5'],
    [['PHQ9'], 'assessmentIds must name assessments of the clinic, not: PHQ9'],
    [['__proto__'], 'assessmentIds must name assessments of the clinic, not: __proto__'],
    [['a'.repeat(101)], 'each value in assessmentIds must be shorter than or equal to 100 characters'],
  ])('400 for %j', async (assessmentIds, problem) => {
    const clientId = await addClient()
    const answer = await administer(clientId, assessmentIds)
    expect(answer.statusCode).toBe(400)
    expect(answer.json<{ error: { message: unknown } }>().error.message).toEqual({
      message: [problem],
      error: 'Bad Request',
      statusCode: 400,
    })
    expect(await countAssignments(clientId)).toBe(0)
  })
})

/** Assigns and answers everything with "several days", as the client's page does. */
async function assign(clientId: string, ids: string[]): Promise<AnsweredAssessment[]> {
  const { assignments } = (await administer(clientId, ids)).json<AssessmentAssignments>()
  return assignments.map(({ id, assessmentId }) => ({
    assignmentId: id,
    answers: (catalogue.find(assessmentId)?.questions ?? []).map(({ key }) => ({
      questionKey: key,
      answerValue: 1,
    })),
  }))
}

async function complete(clientId: string, results: AnsweredAssessment[], nowMs = Date.now()) {
  const ring = await service.keys.get(scope())
  const actor = { kind: 'client', id: clientId } as const
  return service.db.write(scope(), (tx) =>
    completeAssessments(
      tx,
      { ring, catalogue },
      { clientId, results, publicUrl: 'https://casenote.acme.org', nowMs },
      { actor, requestId: null },
    ),
  )
}

const eventsOf = async (clientId: string): Promise<unknown[]> =>
  (
    await rowsOf<{ body: Buffer }>(
      "select body from casenote.events where event_type = 'assessment_completed' order by seq",
      [],
    )
  )
    .map(({ body }) => JSON.parse(body.toString()) as { payload: { patientId: string } })
    .filter(({ payload }) => payload.patientId === clientId)

it('the statuses of an assignment are those of the database', async () => {
  const rows = await rowsOf<{ text: string }>(
    `select pg_get_constraintdef(oid) as text from pg_constraint
     where conrelid = 'casenote.assessment_assignments'::regclass and contype = 'c'`,
    [],
  )
  const constraint = rows.find(({ text }) => text.includes("'expired'"))?.text ?? ''
  expect([...constraint.matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual([...ASSIGNMENT_STATUSES])
})

describe('completed assessments', () => {
  it('become scores that can be read, and one event with all of them', async () => {
    const clientId = await addClient()
    const nowMs = Date.parse('2026-11-15T10:00:00.123Z')
    const scores = await complete(clientId, await assign(clientId, ['phq9', 'phq2']), nowMs)
    expect(scores.map(({ assessmentId }) => assessmentId)).toEqual(['phq9', 'phq2'])
    const answer = await get(`/assessment-scores/${scores[0]?.id}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      id: scores[0]?.id,
      assessmentId: 'phq9',
      clientId,
      score: 9,
      severity: 'mild',
      flags: ['self_harm'],
      completedAt: '2026-11-15T10:00:00.123Z',
      createdAt: expect.stringMatching(/Z$/),
      answers: expect.arrayContaining([
        {
          questionKey: 'phq9_1',
          questionDisplay: 'Little interest or pleasure in doing things',
          answerValue: 1,
          answerDisplay: 'Several days',
        },
      ]),
      subscales: [],
      bands: [
        { set: 'severity', setName: expect.any(String), band: 'mild', bandName: 'Mild' },
        { set: 'screen', setName: expect.any(String), band: 'negative', bandName: 'Negative' },
      ],
      criteria: [{ key: 'major_depressive_syndrome', name: expect.any(String), isMet: false }],
      change: null,
      assessmentVersion: '2026-11-15',
      scorerVersion: '1',
      language: 'en',
    })
    expect((await get(`/assessment-scores/${scores[1]?.id}`)).json()).toMatchObject({
      score: 2,
      severity: 'negative',
      flags: [],
    })
    expect(await eventsOf(clientId)).toEqual([
      {
        eventType: 'assessment_completed',
        timeStamp: '2026-11-15T10:00:00.123Z',
        payload: {
          patientId: clientId,
          assessmentScores: scores.map(({ id, assessmentId }) => ({
            id,
            assessmentId,
            assessmentScoreUrl: `https://casenote.acme.org/v2/assessment-scores/${id}`,
          })),
        },
      },
    ])
    // The link has done its work: the same may be administered again.
    expect((await administer(clientId, ['phq9'])).statusCode).toBe(201)
  })

  it('sent twice at once they count once', async () => {
    const clientId = await addClient()
    const results = await assign(clientId, ['phq9', 'gad7'])
    const outcomes = await Promise.allSettled([complete(clientId, results), complete(clientId, results)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(complete(clientId, results)).rejects.toMatchObject({ statusCode: 409 })
    expect(await eventsOf(clientId)).toHaveLength(1)
    const { meta } = (await get(`/clients/${clientId}/assessment-scores`)).json<Page<AssessmentScore>>()
    expect(meta.totalItems).toBe(2)
  })

  it('all or none: not if one of them is not outstanding, is of another client or does not fit', async () => {
    const [clientId, other] = [await addClient(), await addClient()]
    const [mine] = (await assign(clientId, ['phq9'])) as [AnsweredAssessment]
    const [theirs] = (await assign(other, ['gad7'])) as [AnsweredAssessment]
    await expect(complete(clientId, [mine, theirs])).rejects.toMatchObject({ statusCode: 409 })
    await expect(complete(clientId, [mine, mine])).rejects.toMatchObject({ statusCode: 409 })
    const unfit = { ...mine, answers: [{ questionKey: 'phq9_1', answerValue: 7 }] }
    await expect(complete(clientId, [unfit])).rejects.toMatchObject({
      statusCode: 400,
      fields: ['phq9_1 must be one of the following values: 0, 1, 2, 3'],
    })
    const unfinished = { ...mine, answers: mine.answers.slice(1) }
    await expect(complete(clientId, [unfinished])).rejects.toMatchObject({
      statusCode: 400,
      fields: ['phq9_1 should not be empty'],
    })
    await expect(complete(clientId, [])).rejects.toThrow()
    expect(await eventsOf(clientId)).toEqual([])
    await complete(clientId, [mine])
    expect(await eventsOf(clientId)).toHaveLength(1)
  })

  it('an expired link completes nothing', async () => {
    const clientId = await addClient()
    const results = await assign(clientId, ['phq9'])
    await service.owner.write(scope(), (tx) =>
      tx.run({
        text: 'update casenote.assessment_assignments set expires_at = now() where client_id = $1',
        values: [clientId],
      }),
    )
    await expect(complete(clientId, results)).rejects.toMatchObject({ statusCode: 409 })
  })

  it('are listed for the client, ten to a page, oldest first; nobody else has them', async () => {
    const [clientId, other] = [await addClient(), await addClient()]
    const ids: string[] = []
    for (let round = 0; round < 11; round += 1) {
      const [score] = await complete(clientId, await assign(clientId, ['phq9']))
      ids.push(score?.id ?? '')
    }
    const list = async (query: string): Promise<Page<AssessmentScore>> =>
      (await get(`/clients/${clientId}/assessment-scores${query}`)).json<Page<AssessmentScore>>()
    const [first, second] = [await list(''), await list('?page=2')]
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids)
    expect(second.meta).toEqual({ totalItems: 11, totalPages: 2, itemsPerPage: 10, currentPage: 2 })
    expect(first.data[0]).toEqual((await get(`/assessment-scores/${ids[0]}`)).json())
    expect((await get(`/clients/${other}/assessment-scores`)).json<Page<unknown>>().meta.totalItems).toBe(0)
  })

  it('a read names the client among the subjects of its audit entry', async () => {
    const clientId = await addClient()
    const [score] = await complete(clientId, await assign(clientId, ['gad7']))
    const read = await get(`/assessment-scores/${score?.id}`)
    const list = await get(`/clients/${clientId}/assessment-scores`)
    for (const [answer, operation] of [
      [read, 'assessmentScore.read'],
      [list, 'assessmentScore.list'],
    ] as const) {
      const [entry] = await rowsOf<{ body: string; subjects: string[] }>(
        `select body, subject_ids as subjects from casenote.audit_entries where body like '%' || $1 || '%'`,
        [answer.headers['x-request-id']],
      )
      expect(entry?.body).toContain(`"operation":"${operation}"`)
      expect(entry?.subjects.toSorted()).toEqual([clientId, score?.id ?? ''].toSorted())
    }
  })
})
