import type {
  AssessmentAssignments,
  AssessmentScore,
  ListedAssignment,
  Page,
  ReissuedAssignment,
} from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashLinkToken } from '../../src/kernel/link-tokens.js'
import {
  completeAssessments,
  listOutstanding,
  makeBuiltInCatalogue,
  readTrends,
} from '../../src/features/assessments/index.js'
import { invalid, makeCaller, refused, type Caller } from '../features/people-fixture.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { answersTo } from './instruments-fixture.js'

let service: TestService
let partner: TestPartner
let caller: Caller
const catalogue = makeBuiltInCatalogue()

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  caller = makeCaller(service, partner)
})
afterAll(() => service.close())

const scope = () => ({ tenantId: partner.partnerId })
const dayMs = 24 * 3_600_000

const administer = async (clientId: string, ...assessmentIds: string[]) =>
  (await caller.post(`/clients/${clientId}/assessments`, { assessmentIds })).body as AssessmentAssignments

async function addAssigned(...assessmentIds: string[]) {
  const { id: clientId } = await caller.createClient()
  const { assignments } = await administer(clientId, ...assessmentIds)
  const [first] = assignments
  if (first === undefined) throw new Error('nothing was assigned')
  return { clientId, first, assignments }
}

const list = async (clientId: string): Promise<ListedAssignment[]> =>
  ((await caller.get(`/clients/${clientId}/assessment-assignments`)).body as Page<ListedAssignment>).data

const expire = (assignmentId: string) =>
  service.owner.write(scope(), (tx) =>
    tx.run({
      text: 'update casenote.assessment_assignments set expires_at = now() where assignment_id = $1',
      values: [assignmentId],
    }),
  )

async function complete(clientId: string, assignmentId: string, values: number[], id = 'phq9') {
  const parts = { ring: await service.keys.get(scope()), catalogue }
  const results = [{ assignmentId, answers: answersTo(id, values) }]
  const completion = { clientId, results, publicUrl: 'http://localhost', nowMs: Date.now() }
  const source = { actor: { kind: 'client', id: clientId }, requestId: null } as const
  const [score] = await service.db.write(scope(), (tx) => completeAssessments(tx, parts, completion, source))
  return score?.id ?? ''
}

/** Whether a link is one that opens anything: its hash is a row's. */
async function isKnown(url: string): Promise<boolean> {
  const rows = await service.owner.read(scope(), {
    text: `select 1 from casenote.assessment_assignments where token_hash = $1 and status = 'outstanding'
      and expires_at > now()`,
    values: [hashLinkToken(url.split('/').at(-1) ?? '')],
  })
  return rows.length === 1
}

describe('how long a link works', () => {
  it.each([
    [undefined, 30],
    [null, 30],
    [1, 1],
    [90, 90],
  ])('expiresInDays %j: %i days', async (expiresInDays, days) => {
    const { id } = await caller.createClient()
    const { body } = await caller.post(`/clients/${id}/assessments`, {
      assessmentIds: ['phq9'],
      expiresInDays,
    })
    const [assignment] = (body as AssessmentAssignments).assignments
    const leftMs = Date.parse(assignment?.expiresAt ?? '') - Date.now()
    expect(Math.round(leftMs / dayMs)).toBe(days)
  })

  it.each([
    [0, 'expiresInDays must not be less than 1'],
    [91, 'expiresInDays must not be greater than 90'],
    [1.5, 'expiresInDays must be an integer number'],
    ['30', 'expiresInDays must be an integer number'],
  ])('400 for %j', async (expiresInDays, problem) => {
    const { id } = await caller.createClient()
    const answer = await caller.post(`/clients/${id}/assessments`, { assessmentIds: ['phq9'], expiresInDays })
    expect(answer).toMatchObject(invalid(problem))
  })
})

describe('GET /clients/{clientId}/assessment-assignments', () => {
  it('lists what was assigned, oldest first, with what became of it and without its link', async () => {
    const { clientId, assignments } = await addAssigned('phq9', 'gad7', 'pcl5')
    const [phq9, gad7, pcl5] = assignments.map(({ id }) => id)
    await complete(clientId, phq9 ?? '', [0, 0, 0, 0, 0, 0, 0, 0, 0])
    await expire(gad7 ?? '')
    await caller.remove(`/assessment-assignments/${pcl5}`)
    const listed = await list(clientId)
    expect(listed.map(({ id, assessmentId, status }) => [id, assessmentId, status])).toEqual([
      [phq9, 'phq9', 'completed'],
      [gad7, 'gad7', 'expired'],
      [pcl5, 'pcl5', 'revoked'],
    ])
    expect(listed[0]).toEqual({
      id: phq9,
      assessmentId: 'phq9',
      clientId,
      status: 'completed',
      expiresAt: expect.any(String),
      completedAt: expect.stringMatching(/Z$/),
      emailStatus: null,
      createdAt: expect.any(String),
    })
  })
})

describe('POST /assessment-assignments/{assignmentId}/reissue', () => {
  const reissue = (id: string, body?: object) => caller.post(`/assessment-assignments/${id}/reissue`, body)

  it('gives a new link, and the old one stops working', async () => {
    const { clientId, first } = await addAssigned('phq9')
    const answer = await reissue(first.id, { expiresInDays: 7 })
    expect(answer).toMatchObject({
      status: 200,
      body: { id: first.id, assessmentId: 'phq9', status: 'outstanding', isEmailed: false },
    })
    const { url, expiresAt } = answer.body as ReissuedAssignment
    expect(Math.round((Date.parse(expiresAt) - Date.now()) / dayMs)).toBe(7)
    expect([await isKnown(first.url), await isKnown(url)]).toEqual([false, true])
    expect(await list(clientId)).toHaveLength(1)
  })

  it('revives an expired one, with no body at all', async () => {
    const { clientId, first } = await addAssigned('phq9')
    await expire(first.id)
    expect((await reissue(first.id)).status).toBe(200)
    expect((await list(clientId))[0]?.status).toBe('outstanding')
    expect(await caller.post(`/clients/${clientId}/assessments`, { assessmentIds: ['phq9'] })).toMatchObject(
      refused(409, 'Assessments are already outstanding: phq9'),
    )
  })

  it('409 if the same assessment is outstanding anew', async () => {
    const { clientId, first } = await addAssigned('phq9')
    await expire(first.id)
    await administer(clientId, 'phq9')
    expect(await reissue(first.id)).toMatchObject(refused(409, 'Assessments are already outstanding: phq9'))
    expect((await list(clientId)).map(({ status }) => status)).toEqual(['expired', 'outstanding'])
  })

  it('409 for what is completed or revoked, and for an archived client', async () => {
    const { clientId, assignments } = await addAssigned('phq9', 'gad7', 'pcl5')
    const [phq9, gad7, pcl5] = assignments.map(({ id }) => id)
    await complete(clientId, phq9 ?? '', [0, 0, 0, 0, 0, 0, 0, 0, 0])
    await caller.remove(`/assessment-assignments/${gad7}`)
    expect(await reissue(phq9 ?? '')).toMatchObject(refused(409, 'Assessment is completed'))
    expect(await reissue(gad7 ?? '')).toMatchObject(refused(409, 'Assessment is revoked'))
    await caller.post(`/clients/${clientId}/archive`)
    expect(await reissue(pcl5 ?? '')).toMatchObject(refused(409, 'Client is archived'))
  })

  it('at once with a new administration leaves exactly one outstanding', async () => {
    const { clientId, first } = await addAssigned('phq9')
    await expire(first.id)
    await Promise.all([
      ...Array.from({ length: 10 }, () => reissue(first.id)),
      ...Array.from({ length: 10 }, () => administer(clientId, 'phq9')),
    ])
    const outstanding = (await list(clientId)).filter(({ status }) => status === 'outstanding')
    expect(outstanding).toHaveLength(1)
  })
})

describe('DELETE /assessment-assignments/{assignmentId}', () => {
  it('revokes, again and again; then the same may be administered anew', async () => {
    const { clientId, first } = await addAssigned('phq9')
    expect((await caller.remove(`/assessment-assignments/${first.id}`)).status).toBe(204)
    expect((await caller.remove(`/assessment-assignments/${first.id}`)).status).toBe(204)
    expect(await isKnown(first.url)).toBe(false)
    await expect(complete(clientId, first.id, [0, 0, 0, 0, 0, 0, 0, 0, 0])).rejects.toMatchObject({
      statusCode: 409,
    })
    expect((await administer(clientId, 'phq9')).assignments).toHaveLength(1)
    const audited = await service.owner.read(scope(), {
      text: `select 1 from casenote.audit_pending where operation = 'assessmentAssignment.revoke'
        and $1 = any(subject_ids)`,
      values: [first.id],
    })
    expect(audited).toHaveLength(1)
  })

  it('409 for what is completed', async () => {
    const { clientId, first } = await addAssigned('phq9')
    await complete(clientId, first.id, [0, 0, 0, 0, 0, 0, 0, 0, 0])
    expect(await caller.remove(`/assessment-assignments/${first.id}`)).toMatchObject(
      refused(409, 'Assessment is completed'),
    )
  })
})

describe('what others read', () => {
  it('lists what is outstanding by name', async () => {
    const { clientId, assignments } = await addAssigned('phq9', 'gad7', 'pcl5')
    await expire(assignments[1]?.id ?? '')
    const outstanding = await listOutstanding({ db: service.db, catalogue }, scope(), clientId)
    expect(outstanding.map(({ id, name }) => [id, name])).toEqual([
      [assignments[0]?.id, 'PHQ-9'],
      [assignments[2]?.id, 'PCL-5'],
    ])
  })

  it('tells the change since the score before, and the trend of each instrument', async () => {
    const { id: clientId } = await caller.createClient()
    const give = async (id: string, values: number[]): Promise<string> => {
      const { assignments } = await administer(clientId, id)
      return complete(clientId, assignments[0]?.id ?? '', values, id)
    }
    const first = await give('phq9', [2, 2, 2, 2, 2, 2, 2, 2, 0])
    await give('gad2', [3, 3])
    const second = await give('phq9', [1, 1, 1, 1, 1, 1, 1, 1, 1])
    const read = async (id: string) => (await caller.get(`/assessment-scores/${id}`)).body as AssessmentScore
    expect((await read(first)).change).toBeNull()
    expect((await read(second)).change).toEqual({
      previousScoreId: first,
      difference: -7,
      reliable: 'improved',
      meaningful: 'improved',
    })
    const { data } = (await caller.get(`/clients/${clientId}/assessment-scores`))
      .body as Page<AssessmentScore>
    expect(data.map(({ change }) => change?.difference ?? null)).toEqual([null, null, -7])

    const parts = { db: service.db, keys: service.keys, instruments: { get: () => catalogue } }
    const trends = await readTrends(parts, scope(), clientId)
    expect(
      trends.map(({ assessmentId, points }) => [assessmentId, points.map(({ score }) => score)]),
    ).toEqual([
      ['phq9', [16, 9]],
      ['gad2', [6]],
    ])
    expect(trends[0]?.points[1]).toMatchObject({
      scoreId: second,
      change: -7,
      reliableChange: 'improved',
      flags: ['self_harm'],
    })
    expect(trends[0]?.points[0]?.severityName).toMatch(/^[A-Z]/)
    expect(trends[0]?.sinceFirst).toMatchObject({ isRecovered: true, isRemitted: false })
    expect(trends[1]?.name).toBe('GAD-2')
  })
})
