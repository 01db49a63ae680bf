import {
  noContext,
  type ClosedDanger,
  type DangerItem,
  type NoteSection,
  type OpenDanger,
  type ReviewItem,
} from '@casenote/contract'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NoteChecker } from '../../src/engines/checker/note-checker.js'
import type { LedgerRequest } from '../../src/engines/ledger/ledger.js'
import type { DangerFinding } from '../../src/engines/reader/reading.js'
import { openAnsweredDanger } from '../../src/features/danger/index.js'
import { opensItem } from '../../src/features/danger/opens-item.js'
import {
  completeGeneration,
  findNoteOfSession,
  registerProgressNotes,
  makeRecheckPlaces,
} from '../../src/features/progress-notes/index.js'
import { saveReading } from '../../src/features/transcripts/index.js'
import type { CallerTenant } from '../../src/http/gateway.js'
import { PartnerApi } from '../../src/http/partner-api.js'
import { systemClock } from '../../src/kernel/clock.js'
import { answer, makePagesFixture, type PagesFixture } from '../client-pages/pages-fixture.js'
import { dangerOf, readAs, toTranscript } from '../engines/session-fixtures.js'
import { asPipeline, startRecord } from '../support/clinical-record.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague, signIn, type SignedIn } from '../widget/widget-fixture.js'

let service: TestService
let partner: TestPartner
let clinician: SignedIn
let colleague: SignedIn
let pages: PagesFixture

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  clinician = await signIn(service, partner)
  colleague = await signIn(service, partner, (await addColleague(service, partner)).clinicianId)
  pages = makePagesFixture(service, partner)
})
afterAll(() => service.close())

const talk = toTranscript([
  ['clinician', 'How was the week?'],
  ['client', 'Most nights I think about killing myself.'],
  ['client', 'I keep the pills in the drawer for it.'],
])
const thoughts = dangerOf(talk, 1)
const means: DangerFinding = { ...dangerOf(talk, 2), id: 'danger-2-means', element: 'means' }

const toReview = ({ id, words, items }: DangerFinding): ReviewItem => ({
  id,
  kind: 'danger',
  label: 'Suicidal thoughts: affirmed',
  words,
  transcriptItems: [...items],
  reason: 'not_written',
})

const tenantOf = () => ({ tenantId: partner.partnerId })
const contextOf = async () => asPipeline(await service.keys.get(tenantOf()))

async function read(sessionId: string, findings: readonly DangerFinding[]): Promise<void> {
  const { ring } = await contextOf()
  const reading = readAs(...findings)
  await service.db.write(tenantOf(), (tx) => saveReading(tx, ring, { sessionId, transcript: talk, reading }))
}

/** A session that was read, with a written note that leaves these findings out. */
async function recordSession(
  clientId: string,
  {
    findings = [thoughts, means],
    missing = findings,
    text = 'Client cooked on Sunday.',
  }: {
    findings?: DangerFinding[]
    missing?: DangerFinding[]
    text?: string
  } = {},
): Promise<string> {
  const context = await contextOf()
  const { sessionId, generationId } = await startRecord(service.db, context, { clientId, items: talk })
  await read(sessionId, findings)
  const sections: NoteSection[] = [{ key: 'subjective', title: 'Subjective', content: text, evidence: [] }]
  const writing = { generationId, sections, review: missing.map(toReview), madeBy: 'test' }
  await service.db.write(tenantOf(), (tx) => completeGeneration(tx, context, writing))
  return sessionId
}

/** Item 9 of a PHQ-9, as a client's browser sends it. */
async function answerItem9(clientId: string, ...values: number[]): Promise<void> {
  const { tokens, assignmentIds } = await pages.administer(['phq9'], clientId)
  const bearer = await pages.letIn(tokens[0] ?? '')
  for (const value of values) {
    const saved = await pages.save(bearer, [answer(assignmentIds[0] ?? '', 'phq9_9', value)])
    expect(saved.statusCode).toBe(200)
  }
}

const openOf = async (path: string, by = clinician): Promise<DangerItem[]> => {
  const answered = await by.call('GET', path)
  expect(answered.statusCode).toBe(200)
  return answered.json<OpenDanger>().items
}
const ofClient = (clientId: string) => openOf(`/clients/${clientId}/danger`)
const ofNote = async (sessionId: string) =>
  (await openOf(`/sessions/${sessionId}/danger`)).map(({ words, standing }) => [words, standing])
const wordsOf = (items: readonly DangerItem[]) => items.map(({ words }) => words).toSorted()
const sign = (sessionId: string, body?: object) =>
  clinician.call('POST', `/sessions/${sessionId}/progress-note/finalize`, body)
const readIds = async (sessionId: string) =>
  (await openOf(`/sessions/${sessionId}/danger`)).map(({ id }) => id)
/** For all that is shown now. */
const signBeside = async (sessionId: string, openDangerReason: string) =>
  sign(sessionId, { openDangerReason, openDangerItemIds: await readIds(sessionId) })
const close = (clientId: string, itemIds: string[], reason: string, by = clinician) =>
  by.call('POST', `/clients/${clientId}/danger/close`, { itemIds, reason })

describe('which findings open an item', () => {
  const opens = (change: Partial<DangerFinding>) => opensItem({ ...thoughts, ...change })

  it('what was said in plain words and not denied, of the client or of somebody in danger now', () => {
    expect(opens({})).toBe(true)
    expect(opens({ standing: 'unclear' })).toBe(true)
    expect(opens({ time: 'past' })).toBe(true)
    expect(opens({ matter: 'abuse', element: 'violence', whose: 'other', time: 'past' })).toBe(true)
    expect(opens({ matter: 'harm_to_others', element: 'threat' })).toBe(true)
    expect(opens({ matter: 'psychosis', element: 'commands' })).toBe(true)
    expect(opens({ whose: 'other' })).toBe(true)
  })

  it('not what was denied, only suspected, another’s past, or a voice that commands nothing', () => {
    expect(opens({ standing: 'denied' })).toBe(false)
    expect(opens({ certainty: 'suspected' })).toBe(false)
    expect(opens({ whose: 'other', time: 'past' })).toBe(false)
    expect(opens({ matter: 'psychosis', element: 'voices' })).toBe(false)
  })
})

describe('what was said in a session', () => {
  it('is open with its words and when, once however often it is read, with what a later reading adds', async () => {
    const clientId = await pages.addClient()
    const sessionId = await recordSession(clientId, { findings: [thoughts] })
    await read(sessionId, [thoughts])
    const [item] = await ofClient(clientId)
    expect(await ofClient(clientId)).toHaveLength(1)
    expect(item).toMatchObject({
      client: { id: clientId, firstName: 'Sam', lastName: 'Sample' },
      sessionId,
      label: 'Suicidal thoughts: affirmed',
      question: null,
      words: thoughts.words,
      transcriptItems: [1],
      seenAt: null,
      leftOpen: null,
      standing: null,
    })
    await read(sessionId, [{ ...thoughts, id: 'danger-other', time: 'past' }, means])
    expect((await ofClient(clientId)).map(({ id }) => id)).toContain(item?.id)
    expect(wordsOf(await ofClient(clientId))).toEqual(wordsOf([thoughts, means] as never))
  })

  it('stays open where a later reading does not find it, and no note is taken to hold it', async () => {
    const clientId = await pages.addClient()
    const sessionId = await recordSession(clientId, { findings: [thoughts], missing: [] })
    expect(await ofNote(sessionId)).toEqual([[thoughts.words, 'in_note']])
    await read(sessionId, [])
    expect(await ofNote(sessionId)).toEqual([[thoughts.words, 'not_in_note']])
  })

  it('is not taken to be in a note that was never compared with it, until the note is', async () => {
    const clientId = await pages.addClient()
    const sessionId = await recordSession(clientId, { findings: [thoughts], missing: [] })
    const { ring } = await contextOf()
    // Speakers were corrected, and what was asked for then did not become a version.
    const other: DangerFinding = { ...thoughts, id: 'danger-1-again', time: 'past' }
    const reading = readAs(other, means)
    const later = { sessionId, transcript: talk, reading, before: null }
    await service.db.write(tenantOf(), (tx) => saveReading(tx, ring, later))
    const standings = async () => new Map((await ofNote(sessionId)) as [string, string][])
    expect(await standings()).toEqual(
      new Map([
        [thoughts.words, 'not_in_note'],
        [means.words, 'not_in_note'],
      ]),
    )
    expect((await sign(sessionId)).statusCode).toBe(409)
    await read(sessionId, [other, means])
    expect(new Set((await standings()).values())).toEqual(new Set(['in_note']))
  })

  it('is one item where one sentence tells of two things', async () => {
    const clientId = await pages.addClient()
    const plan: DangerFinding = { ...thoughts, id: 'danger-1-plan', element: 'plan' }
    const sessionId = await recordSession(clientId, { findings: [thoughts, plan], missing: [plan] })
    expect((await ofClient(clientId)).map(({ label }) => label)).toEqual([
      'Suicidal thoughts: affirmed; Suicide plan: affirmed',
    ])
    expect(await ofNote(sessionId)).toEqual([[thoughts.words, 'not_in_note']])
  })

  it('was not said where the session was discarded', async () => {
    const clientId = await pages.addClient()
    const sessionId = await recordSession(clientId)
    await service.owner.write(tenantOf(), (tx) =>
      tx.run({
        text: `update casenote.sessions set status = 'failed', failure_code = 'discarded'
          where tenant_id = $1 and session_id = $2`,
        values: [partner.partnerId, sessionId],
      }),
    )
    expect(await ofClient(clientId)).toEqual([])
  })
})

describe('an answer about self-harm', () => {
  it('is open when it is given, with question and answer; graver ones stand in its place until somebody looked', async () => {
    const clientId = await pages.addClient()
    await answerItem9(clientId, 0, 1, 3, 2, 0)
    const [item] = await ofClient(clientId)
    expect(await ofClient(clientId)).toHaveLength(1)
    expect(item).toMatchObject({
      label: 'PHQ-9',
      question: 'Thoughts that you would be better off dead or of hurting yourself in some way',
      words: 'Nearly every day',
      sessionId: null,
    })
    expect(await pages.audited(clientId)).toContain('danger.open by client')
  })

  it('that grows after a clinician has seen it is another one', async () => {
    const clientId = await pages.addClient()
    const { tokens, assignmentIds } = await pages.administer(['phq9'], clientId)
    const bearer = await pages.letIn(tokens[0] ?? '')
    await pages.save(bearer, [answer(assignmentIds[0] ?? '', 'phq9_9', 1)])
    const itemIds = (await ofClient(clientId)).map(({ id }) => id)
    await clinician.call('POST', `/clients/${clientId}/danger/seen`, { itemIds })
    await pages.save(bearer, [answer(assignmentIds[0] ?? '', 'phq9_9', 2)])
    expect(wordsOf(await ofClient(clientId))).toEqual(['More than half the days', 'Several days'])
  })
})

describe('seen by me', () => {
  it('is recorded once for each clinician, audited, and closes nothing', async () => {
    const clientId = await pages.addClient()
    await recordSession(clientId)
    const itemIds = (await ofClient(clientId)).map(({ id }) => id)
    const see = (by: SignedIn) => by.call('POST', `/clients/${clientId}/danger/seen`, { itemIds })
    expect((await see(clinician)).statusCode).toBe(204)
    const seen = await ofClient(clientId)
    expect(seen.map(({ seenAt }) => seenAt === null)).toEqual([false, false])
    await see(clinician)
    expect(await ofClient(clientId)).toEqual(seen)
    expect((await pages.audited(clientId)).filter((entry) => entry.startsWith('danger.see'))).toHaveLength(1)
    await addSecondary(clientId, colleague)
    expect((await openOf(`/clients/${clientId}/danger`, colleague)).map(({ seenAt }) => seenAt)).toEqual([
      null,
      null,
    ])
  })
})

const addSecondary = (clientId: string, { clinicianId }: SignedIn) =>
  service.call({
    method: 'POST',
    url: `/v2/clients/${clientId}/secondary-clinicians`,
    headers: partner.headers,
    payload: { clinicianIds: [clinicianId] },
  })

describe('closing', () => {
  it('needs a word why, is kept with author and time, and is not undone by another reading', async () => {
    const clientId = await pages.addClient()
    const sessionId = await recordSession(clientId)
    const [first, second] = await ofClient(clientId)
    for (const reason of ['', '   ', 'x'.repeat(301)])
      expect((await close(clientId, [first?.id ?? ''], reason)).statusCode).toBe(400)
    expect((await close(clientId, [first?.id ?? ''], ' Not about now. ')).statusCode).toBe(204)
    expect((await close(clientId, [first?.id ?? ''], 'Again.')).statusCode).toBe(204)
    await read(sessionId, [thoughts, means])
    expect((await ofClient(clientId)).map(({ id }) => id)).toEqual([second?.id])
    const { items } = (await clinician.call('GET', `/clients/${clientId}/danger/closed`)).json<ClosedDanger>()
    expect(items).toMatchObject([
      { id: first?.id, reason: 'Not about now.', closedBy: 'Ada Example', closedAt: expect.any(String) },
    ])
    expect(await pages.audited(clientId)).toContain('danger.close by clinician')
    const beside = (await clinician.call('GET', `/sessions/${sessionId}/danger`)).json<OpenDanger>()
    expect(beside.closedWords).toEqual([first?.words])
  })

  it('404 for an item of another client, of another clinician’s, and for one that does not exist', async () => {
    const clientId = await pages.addClient()
    await recordSession(clientId)
    const [item] = await ofClient(clientId)
    const other = await pages.addClient()
    for (const [of, itemId, by] of [
      [other, item?.id ?? '', clinician],
      [clientId, randomUUID(), clinician],
      [clientId, item?.id ?? '', colleague],
    ] as const) {
      expect((await close(of, [itemId], 'No.', by)).statusCode).toBe(404)
      const seen = await by.call('POST', `/clients/${of}/danger/seen`, { itemIds: [itemId] })
      expect(seen.statusCode).toBe(404)
    }
    expect(await ofClient(clientId)).toHaveLength(2)
  })
})

describe('who sees it', () => {
  it('the clinicians who treat the client: after a transfer the new one, and no more the old', async () => {
    const clientId = await pages.addClient()
    await recordSession(clientId)
    const isOnHome = async (by: SignedIn) =>
      (await openOf('/danger', by)).some(({ client }) => client.id === clientId)
    expect([await isOnHome(clinician), await isOnHome(colleague)]).toEqual([true, false])
    const moved = await service.call({
      method: 'POST',
      url: `/v2/clients/${clientId}/transfer`,
      headers: partner.headers,
      payload: { clinicianId: colleague.clinicianId },
    })
    expect(moved.statusCode).toBe(200)
    expect([await isOnHome(clinician), await isOnHome(colleague)]).toEqual([false, true])
    expect((await clinician.call('GET', `/clients/${clientId}/danger`)).statusCode).toBe(404)
  })

  it('the list of home is bounded, and says how many there are', async () => {
    const few = await signIn(service, partner, (await addColleague(service, partner)).clinicianId)
    const clientId = await pages.addClient()
    await addSecondary(clientId, few)
    const findings = Array.from({ length: 60 }, (_, index) => ({
      ...thoughts,
      id: `danger-${index}`,
      words: `I think about it, ${index}.`,
    }))
    await recordSession(clientId, { findings })
    const { items, total } = (await few.call('GET', '/danger')).json<OpenDanger>()
    expect([items.length, total]).toEqual([50, 60])
  })
})

describe('signing', () => {
  it('in the widget is refused while something said is not in the note; a word why signs, and leaves it open', async () => {
    const clientId = await pages.addClient()
    const sessionId = await recordSession(clientId, { missing: [means] })
    expect(await ofNote(sessionId)).toEqual(
      expect.arrayContaining([
        [thoughts.words, 'in_note'],
        [means.words, 'not_in_note'],
      ]),
    )
    expect((await sign(sessionId)).statusCode).toBe(409)
    expect((await sign(sessionId, { openDangerReason: ' ' })).statusCode).toBe(400)
    expect(wordsOf(await ofClient(clientId))).toHaveLength(2)
    expect((await signBeside(sessionId, 'Locked away since.')).statusCode).toBe(200)
    const [left] = await ofClient(clientId)
    expect(left).toMatchObject({ words: means.words, leftOpen: { reason: 'Locked away since.' } })
    expect(await ofClient(clientId)).toHaveLength(1)
    const { items } = (await clinician.call('GET', `/clients/${clientId}/danger/closed`)).json<ClosedDanger>()
    expect(items).toMatchObject([{ words: thoughts.words, closedBy: null, reason: null }])
    const audited = await pages.audited(clientId)
    expect(audited).toContain('danger.hold by clinician')
    expect(audited).toContain('danger.leaveOpen by clinician')
    expect((await sign(sessionId)).statusCode).toBe(200)
  })

  it('takes a word why for what the signer was shown, and for nothing that came meanwhile', async () => {
    const clientId = await pages.addClient()
    const sessionId = await recordSession(clientId, { findings: [means] })
    const openDangerItemIds = await readIds(sessionId)
    const openDangerReason = 'Locked away since.'
    expect((await sign(sessionId, { openDangerReason })).statusCode).toBe(409)
    await answerItem9(clientId, 1)
    expect((await sign(sessionId, { openDangerReason, openDangerItemIds })).statusCode).toBe(409)
    expect((await ofClient(clientId)).map(({ leftOpen }) => leftOpen)).toEqual([null, null])
    expect(await pages.audited(clientId)).not.toContain('danger.leaveOpen by clinician')
    expect((await signBeside(sessionId, openDangerReason)).statusCode).toBe(200)
    expect(await ofClient(clientId)).toHaveLength(2)
  })

  it('is not refused once it was closed, or for what is older than the last signed note', async () => {
    const clientId = await pages.addClient()
    const before = await recordSession(clientId, { findings: [thoughts] })
    expect((await signBeside(before, 'By telephone.')).statusCode).toBe(200)
    const sessionId = await recordSession(clientId, { findings: [means] })
    expect(await ofNote(sessionId)).toEqual([
      [means.words, 'not_in_note'],
      [thoughts.words, 'older'],
    ])
    const item = (await ofClient(clientId)).find(({ words }) => words === means.words)
    await close(clientId, [item?.id ?? ''], 'Handed in at the pharmacy.')
    expect((await sign(sessionId)).statusCode).toBe(200)
    expect(wordsOf(await ofClient(clientId))).toEqual([thoughts.words])
  })

  it('asks for an answer that came since the last signed note, until the note tells of it', async () => {
    const clientId = await pages.addClient()
    const denying = await recordSession(clientId, { findings: [], text: 'Client denies suicidal ideation.' })
    await answerItem9(clientId, 1)
    expect(await ofNote(denying)).toEqual([['Several days', 'not_in_note']])
    expect((await sign(denying)).statusCode).toBe(409)
    const edited = await clinician.call('PATCH', `/sessions/${denying}/progress-note`, {
      note: [{ key: 'subjective', content: 'Client reports passive suicidal ideation on the PHQ-9.' }],
    })
    expect(edited.statusCode).toBe(200)
    expect(await ofNote(denying)).toEqual([['Several days', 'in_note']])
    expect((await sign(denying)).statusCode).toBe(200)
    expect(await ofClient(clientId)).toEqual([])
  })

  it('finalized with a key: is compared before the transaction, and never while it is open', async () => {
    const compared: string[] = []
    let [stage, changeMeanwhile] = ['before', async (): Promise<unknown> => null]
    const checker = {
      compare: async ({ findings }: LedgerRequest) => {
        compared.push(stage)
        await changeMeanwhile()
        return { entries: findings.map((finding) => ({ finding, state: 'stated' })) }
      },
    } as unknown as NoteChecker
    const { db, keys } = service
    const api = new PartnerApi()
    const parts = {
      db,
      keys,
      clock: systemClock,
      publicUrl: 'http://localhost',
      findTalk: async () => null,
      findContext: async () => ({ context: noContext }),
      findNamedItems: async () => null,
      rechecks: makeRecheckPlaces(),
    }
    registerProgressNotes(api, { ...parts, checker })
    const finalize = api.routes.find(({ operation }) => operation === 'progressNote.finalize')
    const actor = { kind: 'partner', id: partner.partnerId } as const
    const run = async (sessionId: string): Promise<void> => {
      const loaded = await findNoteOfSession(db, tenantOf(), sessionId)
      stage = 'before'
      const tenant = tenantOf() as CallerTenant
      const prepared: unknown = await finalize?.prepare?.(tenant, loaded)
      stage = 'within'
      await db.write(tenant, async (tx) => {
        const input = { query: {}, body: {}, page: { number: 1, size: 10 }, ifMatch: null }
        const scope = { ...tenant, transaction: tx }
        await finalize?.handle({ ...input, tenant: scope, loaded, prepared, actor, requestId: 'finalize' })
      })
    }
    const clientId = await pages.addClient()
    const sessionId = await recordSession(clientId, { findings: [] })
    await answerItem9(clientId, 1)
    await run(sessionId)
    expect([compared, await ofClient(clientId)]).toEqual([['before'], []])

    // What was compared is not what is signed: then the answer stays open, and nobody waits for a thread.
    const otherId = await pages.addClient()
    const changedId = await recordSession(otherId, { findings: [] })
    await answerItem9(otherId, 1)
    const note = [{ key: 'subjective', content: 'Client slept.' }]
    changeMeanwhile = () => clinician.call('PATCH', `/sessions/${changedId}/progress-note`, { note })
    await run(changedId)
    expect(compared).toEqual(['before', 'before'])
    expect(wordsOf(await ofClient(otherId))).toEqual(['Several days'])
  })

  it('holds no answer about more than thoughts by a sentence about thoughts', async () => {
    const clientId = await pages.addClient()
    const { assignmentIds } = await pages.administer(['phq9'], clientId)
    const text = 'Client reports passive suicidal ideation on the questionnaire.'
    const sessionId = await recordSession(clientId, { findings: [], text })
    const form = {
      assignmentId: assignmentIds[0] ?? '',
      value: 1,
      instrumentName: 'Screen',
      givenAt: new Date(),
    }
    const { ring, actor, requestId } = await contextOf()
    const open = (questionKey: string, question: string, isAboutThoughts: boolean) =>
      service.db.write(tenantOf(), (tx) => {
        const answers = [{ ...form, questionKey, question, answer: question, isAboutThoughts }]
        return openAnsweredDanger(tx, ring, { clientId, answers }, { actor, requestId })
      })
    await open('q1', 'Have you thought of killing yourself?', true)
    await open('q2', 'Have you tried to kill yourself?', false)
    expect(Object.fromEntries(await ofNote(sessionId))).toEqual({
      'Have you thought of killing yourself?': 'in_note',
      'Have you tried to kill yourself?': 'not_in_note',
    })
  })

  it('asks for an answer that no signature saw, also one that was being saved before the last one', async () => {
    const clientId = await pages.addClient()
    const before = await recordSession(clientId, { findings: [] })
    expect((await sign(before)).statusCode).toBe(200)
    await answerItem9(clientId, 1)
    await service.owner.write(tenantOf(), (tx) =>
      tx.run({
        text: `update casenote.danger_items set created_at = created_at - interval '1 hour'
          where tenant_id = $1 and client_id = $2`,
        values: [partner.partnerId, clientId],
      }),
    )
    const sessionId = await recordSession(clientId, { findings: [] })
    expect(await ofNote(sessionId)).toEqual([['Several days', 'not_in_note']])
    expect((await sign(sessionId)).statusCode).toBe(409)
    expect((await signBeside(sessionId, 'By telephone.')).statusCode).toBe(200)
    const later = await recordSession(clientId, { findings: [] })
    expect(await ofNote(later)).toEqual([['Several days', 'older']])
  })

  it('by the Partner API is never refused, and records what was open', async () => {
    const clientId = await pages.addClient()
    const sessionId = await recordSession(clientId)
    await answerItem9(clientId, 2)
    const post = {
      method: 'GET',
      url: `/v2/sessions/${sessionId}/progress-note`,
      headers: partner.headers,
    } as const
    const { id } = (await service.call(post)).json<{ id: string }>()
    const signed = await service.call({
      method: 'POST',
      url: `/v2/progress-notes/${id}/finalize`,
      headers: partner.headers,
    })
    expect(signed.statusCode).toBe(200)
    const items = await ofClient(clientId)
    expect(items.map(({ leftOpen }) => leftOpen)).toEqual(
      Array.from({ length: 3 }, () => ({ at: expect.any(String) as string, reason: null })),
    )
    expect(await pages.audited(clientId)).toContain('danger.leaveOpen by partner')
  })
})
