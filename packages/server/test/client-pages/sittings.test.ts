import type { AssessmentScore, Page } from '@casenote/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstruments } from '../../src/features/assessments/index.js'
import { endDueSittings, listAlerts } from '../../src/features/client-pages/index.js'
import { systemClock } from '../../src/kernel/clock.js'
import { makeLog } from '../../src/kernel/log.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { answer, answerAll, makePagesFixture, type PagesFixture } from './pages-fixture.js'

let service: TestService
let partner: TestPartner
let pages: PagesFixture

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  pages = makePagesFixture(service, partner)
})
afterAll(() => service.close())

const scope = () => ({ tenantId: partner.partnerId })
const log = makeLog('silent', 'test')
const instruments = () => makeInstruments({ db: service.db, watch: service.watch, log })
const parts = () => ({
  db: service.db,
  keys: service.keys,
  clock: systemClock,
  publicUrl: 'http://localhost:8080',
  instruments: instruments(),
  log,
})
const scoresOf = async (clientId: string): Promise<AssessmentScore[]> =>
  (
    await service.call({
      method: 'GET',
      url: `/v2/clients/${clientId}/assessment-scores`,
      headers: partner.headers,
    })
  ).json<Page<AssessmentScore>>().data
const alertsOf = async (clientId: string) =>
  listAlerts({ db: service.db, keys: service.keys, catalogue: await instruments().get() }, scope(), clientId)
const makeDue = (clientId: string) =>
  pages.rows(`update casenote.client_sittings set due_at = now() where client_id = $1 and ended_at is null`, [
    clientId,
  ])

describe('answering', () => {
  it('saves each answer sealed, gives it back to the same browser and resumes on another one', async () => {
    const { tokens, assignmentIds } = await pages.administer(['phq9'])
    const [assignmentId = ''] = assignmentIds
    const phone = await pages.letIn(tokens[0] ?? '')
    expect((await pages.save(phone, [answer(assignmentId, 'phq9_1', 2)])).json()).toEqual({ closedIds: [] })
    const laptop = await pages.letIn(tokens[0] ?? '')
    await pages.save(laptop, [answer(assignmentId, 'phq9_2', 3)])
    const seen = async (bearer: string) =>
      (await pages.sitting(bearer)).assessments[0]?.questions
        .slice(0, 3)
        .map(({ isAnswered, answer: value }) => [isAnswered, value])
    // What was answered in another browser counts, but is not shown there: somebody else may hold this one.
    expect(await seen(phone)).toEqual([
      [true, 2],
      [true, null],
      [false, null],
    ])
    expect(await seen(laptop)).toEqual([
      [true, null],
      [true, 3],
      [false, null],
    ])
    const rows = await pages.rows<{ sealed: Buffer }>(
      'select sealed_answer as sealed from casenote.assessment_answers where assignment_id = $1',
      [assignmentId],
    )
    for (const { sealed } of rows) expect(sealed.toString('latin1')).not.toContain('value')
  })

  it('the same answers sent any number of times, at once or in any order, count as the last one given', async () => {
    const { tokens, assignmentIds } = await pages.administer(['gad7'])
    const bearer = await pages.letIn(tokens[0] ?? '')
    const [assignmentId = ''] = assignmentIds
    let stored = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.nat()),
        async (values, randoms) => {
          const given = values.map((value) => answer(assignmentId, 'gad7_1', value))
          const order = [...given, ...given].toSorted(() => (randoms.next().value % 2) - 0.5)
          const sent = await Promise.all(order.map((one) => pages.save(bearer, [one])))
          expect(sent.map(({ statusCode }) => statusCode)).toEqual(order.map(() => 200))
          stored += given.length
          const [question] = (await pages.sitting(bearer)).assessments[0]?.questions ?? []
          expect(question?.answer).toBe(values.at(-1))
        },
      ),
      { numRuns: 15 },
    )
    const rows = await pages.rows('select 1 from casenote.assessment_answers where assignment_id = $1', [
      assignmentId,
    ])
    expect(rows).toHaveLength(stored)
  })

  it("a browser's clock that runs ahead wins over nothing that is answered later", async () => {
    const { tokens, assignmentIds } = await pages.administer(['gad7'])
    const [assignmentId = ''] = assignmentIds
    const bearer = await pages.letIn(tokens[0] ?? '')
    await pages.save(bearer, [{ ...answer(assignmentId, 'gad7_1', 3), givenAtMs: Date.now() + 86_400_000 }])
    await pages.save(bearer, [{ ...answer(assignmentId, 'gad7_1', 1), givenAtMs: Date.now() + 1_000 }])
    expect((await pages.sitting(bearer)).assessments[0]?.questions[0]?.answer).toBe(1)
  })

  it('refuses what is no answer to the question, and answers for somebody else', async () => {
    const { tokens, assignmentIds } = await pages.administer(['phq9'])
    const other = await pages.administer(['phq9'])
    const bearer = await pages.letIn(tokens[0] ?? '')
    for (const wrong of [
      answer(assignmentIds[0] ?? '', 'phq9_1', 4),
      answer(assignmentIds[0] ?? '', 'x', 1),
    ]) {
      expect((await pages.save(bearer, [wrong])).statusCode).toBe(400)
    }
    expect((await pages.save(bearer, [])).statusCode).toBe(400)
    const foreign = answer(other.assignmentIds[0] ?? '', 'phq9_1', 1)
    expect((await pages.save(bearer, [foreign])).json()).toEqual({ closedIds: other.assignmentIds })
    const rows = await pages.rows('select 1 from casenote.assessment_answers where assignment_id = any($1)', [
      [...assignmentIds, ...other.assignmentIds],
    ])
    expect(rows).toEqual([])
  })
})

describe('a sitting', () => {
  it('ends when the client sends it: one event with all scores, each of which can be fetched', async () => {
    const { tokens, clientId } = await pages.administer(['phq9', 'gad7'])
    const bearer = await pages.letIn(tokens[1] ?? '')
    const sitting = await pages.sitting(bearer)
    await pages.save(bearer, answerAll(sitting, 0, 1))
    await pages.save(bearer, answerAll(sitting, 1, 2))
    const sent = await Promise.all(Array.from({ length: 5 }, () => pages.call('POST', '/send', bearer)))
    for (const one of sent) expect(one.json()).toEqual({ remaining: 0 })
    const events = await pages.completions(clientId)
    expect(events).toHaveLength(1)
    expect(events[0]?.payload).toMatchObject({
      patientId: clientId,
      assessmentScores: [{ assessmentId: 'phq9' }, { assessmentId: 'gad7' }],
    })
    expect((await scoresOf(clientId)).map(({ score, flags }) => [score, flags])).toEqual([
      [9, ['self_harm']],
      [14, []],
    ])
    expect(await pages.audited(clientId)).toEqual(
      expect.arrayContaining([
        'clientLink.open by client',
        'assessment.answer by client',
        'assessment.complete by client',
      ]),
    )
    // The other link says that everything is answered.
    const again = await pages.sitting(await pages.letIn(tokens[0] ?? ''))
    expect(again.assessments).toEqual([])
  })

  it('a worker ends it after half an hour: what is complete is scored, the rest waits with its answers', async () => {
    const { tokens, clientId, assignmentIds } = await pages.administer(['phq9', 'gad7'])
    const bearer = await pages.letIn(tokens[0] ?? '')
    const sitting = await pages.sitting(bearer)
    await pages.save(bearer, answerAll(sitting, 0, 0))
    await pages.save(bearer, [answer(assignmentIds[1] ?? '', 'gad7_1', 3)])
    await endDueSittings(parts(), 100)
    expect(await pages.completions(clientId)).toEqual([])
    await makeDue(clientId)
    const ended = await Promise.all([1, 2, 3].map(() => endDueSittings(parts(), 100)))
    expect(ended.reduce((total, one) => total + one)).toBe(1)
    expect((await scoresOf(clientId)).map(({ assessmentId }) => assessmentId)).toEqual(['phq9'])
    const left = await pages.sitting(bearer)
    expect(left.assessments.map(({ questions }) => questions[0]?.isAnswered)).toEqual([true])
    // The next one is another sitting with an event of its own.
    await pages.save(bearer, answerAll(left, 0, 1))
    expect((await pages.call('POST', '/send', bearer)).json()).toEqual({ remaining: 0 })
    expect(await pages.completions(clientId)).toHaveLength(2)
  })

  it('answers that arrive while it is ended belong to the next one, and none is lost', async () => {
    const { tokens, clientId, assignmentIds } = await pages.administer(['phq9', 'gad7'])
    const bearer = await pages.letIn(tokens[0] ?? '')
    const sitting = await pages.sitting(bearer)
    await pages.save(bearer, answerAll(sitting, 0, 1))
    const gad7 = answerAll(sitting, 1, 1)
    await makeDue(clientId)
    const saves = gad7.map((one) => pages.save(bearer, [one]))
    await Promise.all([...saves, endDueSittings(parts(), 100)])
    for (const save of saves) expect((await save).json()).toEqual({ closedIds: [] })
    await pages.call('POST', '/send', bearer)
    const told = (await pages.completions(clientId)).flatMap(({ payload }) =>
      'assessmentScores' in payload ? payload.assessmentScores.map(({ assessmentId }) => assessmentId) : [],
    )
    expect(told.toSorted()).toEqual(['gad7', 'phq9'])
    expect(assignmentIds).toHaveLength(2)
  })

  it('one that cannot be ended does not keep the others waiting', async () => {
    const broken = await pages.administer(['phq9'])
    const whole = await pages.administer(['gad2'])
    for (const { tokens, clientId } of [broken, whole]) {
      const bearer = await pages.letIn(tokens[0] ?? '')
      await pages.save(bearer, answerAll(await pages.sitting(bearer), 0, 1))
      await makeDue(clientId)
    }
    await pages.rows(
      `update casenote.assessment_assignments set instrument_version = '1999-01-01' where client_id = $1`,
      [broken.clientId],
    )
    await endDueSittings(parts(), 1)
    await endDueSittings(parts(), 1)
    expect(await scoresOf(whole.clientId)).toHaveLength(1)
    expect(await scoresOf(broken.clientId)).toEqual([])
  })

  it('a link that would expire in the middle of it lasts until its end', async () => {
    const { tokens, clientId } = await pages.administer(['gad2'])
    await pages.rows(
      `update casenote.assessment_assignments set expires_at = now() + interval '2 minutes' where client_id = $1`,
      [clientId],
    )
    await pages.letIn(tokens[0] ?? '')
    const [row] = await pages.rows<{ hours: number }>(
      `select extract(epoch from expires_at - now())::float / 3600 as hours
       from casenote.assessment_assignments where client_id = $1`,
      [clientId],
    )
    expect(row?.hours).toBeGreaterThan(4.9)
  })

  it('gates decide what is asked, and an answer behind a closed gate does not count', async () => {
    const { tokens, clientId, assignmentIds } = await pages.administer(['pc_ptsd5'])
    const bearer = await pages.letIn(tokens[0] ?? '')
    const [assignmentId = ''] = assignmentIds
    const [form] = (await pages.sitting(bearer)).assessments
    const [gate, ...rest] = form?.questions ?? []
    expect([gate?.isShown, ...rest.map(({ isShown }) => isShown)]).toEqual([true, ...rest.map(() => false)])
    await pages.save(bearer, [answer(assignmentId, gate?.key ?? '', 1)])
    await pages.save(
      bearer,
      rest.map(({ key }) => answer(assignmentId, key, 1)),
    )
    await pages.save(bearer, [answer(assignmentId, gate?.key ?? '', 0)])
    expect((await pages.call('POST', '/send', bearer)).json()).toEqual({ remaining: 0 })
    expect((await scoresOf(clientId)).map(({ score, answers }) => [score, answers.length])).toEqual([[0, 1]])
  })
})

describe('an answer about self-harm', () => {
  it('is there for the clinician when it is given, also when the form is abandoned or the answer taken back', async () => {
    const { tokens, clientId, assignmentIds } = await pages.administer(['phq9'])
    const [assignmentId = ''] = assignmentIds
    const bearer = await pages.letIn(tokens[0] ?? '')
    await pages.save(bearer, [answer(assignmentId, 'phq9_9', 0)])
    expect(await alertsOf(clientId)).toEqual([])
    await pages.save(bearer, [answer(assignmentId, 'phq9_9', 2)])
    const alert = {
      assignmentId,
      assessmentId: 'phq9',
      name: 'PHQ-9',
      questionDisplay: 'Thoughts that you would be better off dead or of hurting yourself in some way',
      answerDisplay: 'More than half the days',
      answeredAt: expect.any(String),
    }
    expect(await alertsOf(clientId)).toEqual([alert])
    await pages.save(bearer, [answer(assignmentId, 'phq9_9', 0)])
    expect(await alertsOf(clientId)).toEqual([alert])
    await pages.save(bearer, [answer(assignmentId, 'phq9_9', 1), answer(assignmentId, 'phq9_9', 1)])
    expect((await alertsOf(clientId)).map(({ answerDisplay }) => answerDisplay)).toEqual([
      'Several days',
      'More than half the days',
    ])
    expect(await alertsOf(await pages.addClient())).toEqual([])
  })

  it('is marked on the question for the page, so that help appears without asking anybody', async () => {
    const { tokens } = await pages.administer(['phq9'])
    const sitting = await pages.sitting(await pages.letIn(tokens[0] ?? ''))
    const from = sitting.assessments[0]?.questions.map(({ selfHarmFrom }) => selfHarmFrom)
    expect(from).toEqual([null, null, null, null, null, null, null, null, 1, null])
    const { body } = await service.call({ method: 'GET', url: '/a/x' })
    expect(body).toContain('tel:988')
  })
})
