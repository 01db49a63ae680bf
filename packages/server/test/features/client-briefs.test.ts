import type { ClientBrief, Page, TimelineEntry } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DecisionFinding } from '../../src/engines/reader/reading.js'
import { administerAssessments } from '../../src/features/assessments/administer-assessments.js'
import { completeAssessments, makeBuiltInCatalogue } from '../../src/features/assessments/index.js'
import {
  completeGeneration,
  failGeneration,
  findNoteOfSession,
} from '../../src/features/progress-notes/index.js'
import { completeSession } from '../../src/features/sessions/index.js'
import { saveReading } from '../../src/features/transcripts/index.js'
import { endJobsOf } from '../../src/jobs/enqueue-job.js'
import { operator } from '../../src/kernel/operator.js'
import { dangerOf, readAs, toTranscript } from '../engines/session-fixtures.js'
import { invented } from '../engines/writer/invented-template.js'
import { asPipeline, someSections, startRecord } from '../support/clinical-record.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague, signIn, type SignedIn } from '../widget/widget-fixture.js'

let service: TestService
let partner: TestPartner
let clinician: SignedIn
let clientId: string

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  // A client of their own, about whom nothing is known yet.
  const colleague = await addColleague(service, partner)
  clientId = colleague.clientId
  clinician = await signIn(service, partner, colleague.clinicianId)
})
afterAll(() => service.close())

const tenantOf = () => ({ tenantId: partner.partnerId })
const ask = (path: string, of = partner) => service.ask(of, 'GET', path)
const briefOf = async (of = clientId) => (await ask(`/clients/${of}/brief`)).json<ClientBrief>()
const timelineOf = async (page = 1) =>
  (await ask(`/clients/${clientId}/timeline?page=${page}`)).json<Page<TimelineEntry>>()

const talk = toTranscript([
  ['client', 'Most nights I think about killing myself.'],
  ['clinician', 'Please write down three good things every evening.'],
  ['clinician', 'And would you try the group? No? Then not.'],
])
const homework = (item: number, standing: DecisionFinding['standing']): DecisionFinding => ({
  kind: 'decision',
  id: `decision-${item}`,
  items: [item],
  words: talk[item]?.transcript ?? '',
  about: 'homework',
  standing,
})

async function write(
  startedAt: string,
  { isRead = false, plan = 'Continue sleep diary.', of = clientId } = {},
): Promise<string> {
  const context = asPipeline(await service.keys.get(tenantOf()))
  const { sessionId, generationId } = await startRecord(service.db, context, {
    clientId: of,
    given: { startedAt },
    items: talk,
  })
  const sections = someSections().map((one) => (one.key === 'plan' ? { ...one, content: plan } : one))
  await service.db.write(tenantOf(), async (tx) => {
    const reading = readAs(dangerOf(talk, 0), homework(1, 'agreed'), homework(2, 'declined'))
    if (isRead) await saveReading(tx, context.ring, { sessionId, transcript: talk, reading })
    await completeGeneration(tx, context, { generationId, sections, review: [], madeBy: 'test' })
  })
  return sessionId
}

async function answerGad2(first: number, second: number): Promise<void> {
  const ring = await service.keys.get(tenantOf())
  const catalogue = makeBuiltInCatalogue()
  const publicUrl = 'http://localhost'
  await service.owner.write(tenantOf(), async (tx) => {
    const administration = { catalogue, clientId, assessmentIds: ['gad2'], publicUrl }
    const { assignments } = await administerAssessments(tx, administration, operator)
    const answers = [
      { questionKey: 'gad2_1', answerValue: first },
      { questionKey: 'gad2_2', answerValue: second },
    ]
    const results = [{ assignmentId: assignments[0]?.id ?? '', answers }]
    const completion = { clientId, results, publicUrl, nowMs: Date.now() }
    await completeAssessments(tx, { ring, catalogue }, completion, operator)
  })
}

describe('the brief before a session', () => {
  it('of a client whom nobody has seen yet is empty, and so is the timeline', async () => {
    expect(await briefOf()).toEqual({
      clientId,
      lastSession: null,
      emptiedSession: null,
      openDanger: { items: [], total: 0 },
      scores: [],
      goals: [],
    })
    expect((await timelineOf()).data).toEqual([])
  })

  it('has the plan of a note whose template calls it otherwise', async () => {
    const { clientId: theirs } = await addColleague(service, partner)
    const added = await service.call({
      method: 'POST',
      url: '/v2/templates',
      headers: partner.headers,
      payload: { template: invented },
    })
    expect(added.statusCode).toBe(201)
    const context = asPipeline(await service.keys.get(tenantOf()))
    const { generationId } = await startRecord(service.db, context, {
      clientId: theirs,
      given: { templateId: invented.id },
      items: talk,
    })
    const sections = invented.sections.map(({ key, title }) => ({
      key,
      title,
      content: `Of ${title}.`,
      evidence: [],
    }))
    await service.db.write(tenantOf(), (tx) =>
      completeGeneration(tx, context, { generationId, sections, review: [], madeBy: 'test' }),
    )
    const { lastSession } = (await ask(`/clients/${theirs}/brief`)).json<ClientBrief>()
    expect(lastSession?.plan).toBe('Of Next Steps.')
  })

  it('has the plan and the homework of the newest session, what is open, and each score with its change', async () => {
    const newest = await write('2026-11-10T09:00:00.000Z', { isRead: true, plan: 'Three good things.' })
    // Written later, of a session before it.
    await write('2026-11-03T09:00:00.000Z', { plan: 'An older plan.' })
    await answerGad2(3, 3)
    await answerGad2(1, 1)
    const planned = await service.call({
      method: 'POST',
      url: `/v2/clients/${clientId}/treatment-plans`,
      headers: partner.headers,
      payload: { goals: [{ text: 'Sleep through' }, { text: 'Was reached', status: 'met' }] },
    })
    // Of a plan that nobody has signed, nothing is said.
    expect((await briefOf()).goals).toEqual([])
    await service.call({
      method: 'POST',
      url: `/v2/treatment-plans/${planned.json<{ id: string }>().id}/sign`,
      headers: partner.headers,
    })
    const brief = await briefOf()
    expect(brief.goals.map(({ text }) => text)).toEqual(['Sleep through'])
    expect(brief.lastSession).toMatchObject({
      sessionId: newest,
      at: '2026-11-10T09:00:00.000Z',
      noteType: 'soap',
      signedAt: null,
      plan: 'Three good things.',
      homework: [{ words: talk[1]?.transcript, transcriptItems: [1] }],
    })
    expect(brief.openDanger).toEqual({
      items: [expect.objectContaining({ words: talk[0]?.transcript, sessionId: newest })],
      total: 1,
    })
    expect(brief.scores).toEqual([
      expect.objectContaining({ assessmentId: 'gad2', score: 2, change: -4, scoreMin: 0, scoreMax: 6 }),
    ])
    expect(brief.scores[0]?.points.map(({ score }) => score)).toEqual([6, 2])
    expect((await clinician.call('GET', `/clients/${clientId}/brief`)).json()).toEqual(brief)
  })

  it('says that a stretch of a newer session was struck, as long as its note is not written again', async () => {
    const { clientId: of } = await addColleague(service, partner)
    const older = await write('2026-11-12T09:00:00Z', { of, plan: 'The older plan.' })
    const newer = await write('2026-11-13T09:00:00Z', { of, plan: 'The newer plan.' })
    await service.db.write(tenantOf(), async (tx) => {
      await completeSession(tx, newer)
      await endJobsOf(tx, [newer])
    })
    expect(await briefOf(of)).toMatchObject({ lastSession: { sessionId: newer }, emptiedSession: null })
    const last = talk.at(-1)
    const stretch = { start: last?.startTime, end: last?.endTime, dangerSeen: true }
    const struck = await service.ask(partner, 'POST', `/sessions/${newer}/strike`, stretch)
    expect(struck.statusCode).toBe(200)
    const emptied = { sessionId: newer, at: '2026-11-13T09:00:00.000Z' }
    expect(await briefOf(of)).toMatchObject({
      lastSession: { sessionId: older, plan: 'The older plan.' },
      emptiedSession: emptied,
    })
    const context = asPipeline(await service.keys.get(tenantOf()))
    const note = await findNoteOfSession(service.db, tenantOf(), newer)
    const generationId = note?.activeGenerationId ?? ''
    const failed = { generationId, reason: 'x' }
    await service.db.write(tenantOf(), (tx) => failGeneration(tx, context, failed))
    expect((await briefOf(of)).emptiedSession).toEqual(emptied)
    await write('2026-11-14T09:00:00Z', { of })
    expect((await briefOf(of)).emptiedSession).toBeNull()
  })

  it('404 for another tenant’s client, and for a clinician who does not treat the client', async () => {
    const stranger = await service.addPartner()
    const colleague = await signIn(service, partner)
    for (const path of [`/clients/${clientId}/brief`, `/clients/${clientId}/timeline`]) {
      expect((await ask(path, stranger)).statusCode).toBe(404)
      expect((await colleague.call('GET', path)).statusCode).toBe(404)
    }
  })
})

describe('the timeline of a client', () => {
  it('tells of sessions, signed notes, scores and danger, newest first, page by page', async () => {
    const first = (await timelineOf()).data.find(({ kind }) => kind === 'session')
    await service.call({
      method: 'POST',
      url: `/v2/progress-notes/${first?.progressNoteId}/finalize`,
      headers: partner.headers,
    })
    const { data, meta } = await timelineOf()
    expect(meta.totalItems).toBe(7)
    expect(data.map(({ kind }) => kind).toSorted()).toEqual([
      'assessment_completed',
      'assessment_completed',
      // The note that was signed holds it.
      'danger_ended',
      'danger_opened',
      'note_finalized',
      'session',
      'session',
    ])
    expect(data.map(({ at }) => at)).toEqual(
      data
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
    expect(data.find(({ kind }) => kind === 'assessment_completed')).toMatchObject({
      label: 'GAD-2',
      score: 2,
      sessionId: null,
    })
    expect(data.find(({ kind }) => kind === 'danger_ended')?.status).toBe('held')
    expect(data.find(({ kind }) => kind === 'danger_opened')?.label).toContain('Suicid')
    expect((await timelineOf(2)).data).toEqual([])
    const ofTwo = await service.call({
      method: 'GET',
      url: `/v2/clients/${clientId}/timeline?page=2`,
      headers: { ...partner.headers, 'casenote-page-size': '4' },
    })
    expect(ofTwo.json<Page<TimelineEntry>>().data).toEqual(data.slice(4))
    expect((await clinician.call('GET', `/clients/${clientId}/timeline`)).json()).toEqual({ data, meta })
  })

  it('leaves out what was thrown away', async () => {
    const before = (await timelineOf()).meta.totalItems
    const sessionId = await write('2026-11-12T09:00:00.000Z')
    expect((await timelineOf()).meta.totalItems).toBe(before + 1)
    await service.owner.write(tenantOf(), (tx) =>
      tx.run({
        text: `update casenote.sessions set status = 'failed', failure_code = 'discarded'
          where tenant_id = $1 and session_id = $2`,
        values: [partner.partnerId, sessionId],
      }),
    )
    expect((await timelineOf()).meta.totalItems).toBe(before)
  })
})
