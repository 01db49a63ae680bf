import type {
  Clinician,
  CoSignature,
  OpenDanger,
  Page,
  ProgressNote,
  WidgetClinician,
  WidgetSession,
} from '@casenote/contract'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeGeneration, returnNote, withdrawNote } from '../../src/features/progress-notes/index.js'
import { saveReading } from '../../src/features/transcripts/index.js'
import { answer as answerTo, makePagesFixture, type PagesFixture } from '../client-pages/pages-fixture.js'
import { waitUntil } from '../support/casenote-process.js'
import { dangerOf, readAs, toTranscript } from '../engines/session-fixtures.js'
import { asPipeline, startRecord } from '../support/clinical-record.js'
import { makeNoteCalls, told, type NoteCalls } from '../support/note-calls.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague, signIn, type SignedIn } from '../widget/widget-fixture.js'

let service: TestService
let partner: TestPartner
let notes: NoteCalls
/** Ada, under supervision; Cora, who supervises her and treats none of her clients; another Cora. */
let trainee: SignedIn
let supervisor: SignedIn
let colleague: SignedIn
let pages: PagesFixture

const setSupervisor = (supervisorId: string | null, clinicianId = trainee.clinicianId) =>
  notes.call('PATCH', `/clinicians/${clinicianId}`, { supervisorId })

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  notes = await makeNoteCalls(service, partner)
  pages = makePagesFixture(service, partner)
  trainee = await signIn(service, partner)
  supervisor = await signIn(service, partner, (await addColleague(service, partner)).clinicianId)
  colleague = await signIn(service, partner, (await addColleague(service, partner)).clinicianId)
  await setSupervisor(supervisor.clinicianId)
})
afterAll(() => service.close())

const pathOf = ({ sessionId }: { sessionId: string }) => `/sessions/${sessionId}/progress-note`
const sign = (by: SignedIn, note: { sessionId: string }, body: object = {}) =>
  by.call('POST', `${pathOf(note)}/finalize`, body)
const giveBack = (by: SignedIn, note: { sessionId: string }, reason = 'Please add the plan.') =>
  by.call('POST', `${pathOf(note)}/return`, { reason })
const listWaiting = async (by: SignedIn): Promise<string[]> =>
  (await by.call('GET', '/co-signatures')).json<Page<WidgetSession>>().data.map(({ sessionId }) => sessionId)
async function makeSigned(): Promise<ProgressNote> {
  const note = await notes.written()
  const answer = await sign(trainee, note)
  expect(answer.statusCode).toBe(200)
  return answer.json<ProgressNote>()
}

const namesOf = async (sessionId: string): Promise<string[]> =>
  (await notes.eventsOf(sessionId)).map(({ eventType }) => eventType)

const historyOf = async (sessionId: string): Promise<unknown[]> =>
  service.db.read(
    { tenantId: partner.partnerId },
    {
      text: `select h.action, h.from_status as "from", h.to_status as "to" from casenote.note_status_history h
        join casenote.progress_notes n on n.tenant_id = h.tenant_id and n.note_id = h.note_id
        where h.tenant_id = $1 and n.session_id = $2 order by h.seq`,
      values: [partner.partnerId, sessionId],
    },
  )

const recordedOf = async (progressNoteId: string): Promise<string[]> => {
  const rows = await service.db.read(
    { tenantId: partner.partnerId },
    {
      text: `select operation, actor_id as "actorId" from casenote.audit_pending
        where tenant_id = $1 and subject_ids @> array[$2::uuid] order by pending_id`,
      values: [partner.partnerId, progressNoteId],
    },
  )
  return (rows as { operation: string; actorId: string }[])
    .filter(({ operation }) => /sign|finalize|return/i.test(operation))
    .map(({ operation, actorId }) => `${operation} ${actorId}`)
}

const countBlocked = async (): Promise<number> => {
  const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await service.db.read({ tenantId: partner.partnerId }, { text, values: [] })).length
}

describe('who supervises whom', () => {
  it('is a field of the clinician, null by default, and told to their widget', async () => {
    const read = async (id: string) => (await notes.call('GET', `/clinicians/${id}`)).json<Clinician>()
    expect((await read(trainee.clinicianId)).supervisorId).toBe(supervisor.clinicianId)
    expect((await read(colleague.clinicianId)).supervisorId).toBeNull()
    const me = async (by: SignedIn) => (await by.call('GET', '/clinician')).json<WidgetClinician>().supervisor
    expect(await me(trainee)).toEqual({ name: 'Cora Colleague', isActive: true })
    expect(await me(colleague)).toBeNull()
  })

  it('400 for themselves, a stranger, another partner’s and a deactivated one', async () => {
    const stranger = await service.addPartner()
    const gone = await addColleague(service, partner)
    await notes.call('POST', `/clinicians/${gone.clinicianId}/deactivate`)
    for (const unfit of [trainee.clinicianId, stranger.clinicianId, gone.clinicianId, partner.clinicId]) {
      const answer = await setSupervisor(unfit)
      expect([answer.statusCode, answer.body]).toEqual([
        400,
        expect.stringContaining('supervisorId must be another active clinician'),
      ])
    }
    expect((await setSupervisor('x')).statusCode).toBe(400)
  })

  it('two may be made each other’s at the same time', async () => {
    const [one, other] = [await addColleague(service, partner), await addColleague(service, partner)]
    const answers: number[] = []
    for (let round = 0; round < 8; round += 1) {
      const both = [
        setSupervisor(one.clinicianId, other.clinicianId),
        setSupervisor(other.clinicianId, one.clinicianId),
      ]
      answers.push(...(await Promise.all(both)).map(({ statusCode }) => statusCode))
      await setSupervisor(null, one.clinicianId)
      await setSupervisor(null, other.clinicianId)
    }
    expect(new Set(answers)).toEqual(new Set([200]))
  })
})

describe('a note of a clinician under supervision', () => {
  it('is locked by their signature and not finalized: no event, the contract’s status stays', async () => {
    const note = await makeSigned()
    expect([note.status, note.finalizedAt, note.coSignedBy]).toEqual(['generated', null, null])
    expect(note.signedBy).toMatchObject({ kind: 'clinician', id: trainee.clinicianId, name: 'Ada Example' })
    expect(note.coSignature).toEqual<CoSignature>({
      state: 'awaited',
      supervisor: { id: supervisor.clinicianId, name: 'Cora Colleague', active: true },
      returned: null,
    })
    expect(await namesOf(note.sessionId)).not.toContain('progress_note_finalized')
    const change = { note: [{ key: 'subjective', content: 'Other words.' }] }
    for (const answer of [
      await trainee.call('PATCH', pathOf(note), change),
      await trainee.call('POST', `${pathOf(note)}/regenerate`, {}),
      await trainee.call('POST', `${pathOf(note)}/magic-edit`, { userInstructions: 'Shorter.' }),
      await trainee.call('POST', `${pathOf(note)}/restore`, { version: 1 }),
      await supervisor.call('PATCH', pathOf(note), change),
      await supervisor.call('POST', `${pathOf(note)}/rewriting/keep`, {
        generationId: randomUUID(),
        goneCount: 0,
      }),
      await notes.call('PATCH', `/progress-notes/${note.id}`, change),
      await notes.call('POST', `/progress-notes/${note.id}/regenerate`),
    ])
      expect(told(answer)).toEqual([403, 'Progress note is locked'])
    const addendum = await trainee.call('POST', `${pathOf(note)}/addenda`, { text: 'More.' })
    expect(told(addendum)).toEqual([409, 'Progress note is not finalized'])
    // A lost answer, asked for again.
    const again = await sign(trainee, note)
    expect(again.json<ProgressNote>().signedBy).toEqual(note.signedBy)
  })

  it('is finalized by the supervisor’s signature: both named, one event, one history, both on record', async () => {
    const note = await makeSigned()
    expect(await listWaiting(supervisor)).toContain(note.sessionId)
    const answer = await sign(supervisor, note)
    const signed = answer.json<ProgressNote>()
    expect([answer.statusCode, signed.status]).toEqual([200, 'finalized'])
    expect(signed.signedBy).toEqual(note.signedBy)
    expect(signed.coSignedBy).toEqual({
      kind: 'clinician',
      id: supervisor.clinicianId,
      name: 'Cora Colleague',
      at: signed.finalizedAt,
    })
    expect(signed.coSignature).toBeNull()
    expect(Date.parse(signed.finalizedAt ?? '')).toBeGreaterThan(Date.parse(signed.signedBy?.at ?? ''))
    expect((await namesOf(note.sessionId)).filter((name) => name === 'progress_note_finalized')).toHaveLength(
      1,
    )
    expect((await historyOf(note.sessionId)).slice(-2)).toEqual([
      { action: 'sign', from: 'generated', to: 'generated' },
      { action: 'finalize', from: 'generated', to: 'finalized' },
    ])
    expect(await recordedOf(note.id)).toEqual([
      `progressNote.sign ${trainee.clinicianId}`,
      `progressNote.coSign ${supervisor.clinicianId}`,
    ])
    expect(await listWaiting(supervisor)).not.toContain(note.sessionId)
    const addendum = await supervisor.call('POST', `${pathOf(note)}/addenda`, { text: 'Discussed.' })
    expect(addendum.statusCode).toBe(201)
  })

  it('is given back with a word why, which opens it again until it is signed again', async () => {
    const note = await makeSigned()
    expect((await giveBack(supervisor, note, '   ')).statusCode).toBe(400)
    const answer = await giveBack(supervisor, note, '  The plan lacks the weekend. ')
    expect(answer.statusCode).toBe(200)
    const returned = (await trainee.call('GET', pathOf(note))).json<ProgressNote>()
    expect([returned.status, returned.signedBy]).toEqual(['generated', null])
    expect(returned.coSignature).toMatchObject({
      state: 'returned',
      returned: { by: { name: 'Cora Colleague' }, reason: 'The plan lacks the weekend.' },
    })
    expect(await listWaiting(supervisor)).not.toContain(note.sessionId)
    const change = { note: [{ key: 'subjective', content: 'With the weekend.' }] }
    expect((await trainee.call('PATCH', pathOf(note), change)).statusCode).toBe(200)
    const again = (await sign(trainee, note)).json<ProgressNote>()
    expect(again.coSignature).toMatchObject({ state: 'awaited', returned: null })
    // Taken back by who signed it.
    expect((await giveBack(trainee, note, 'A slip of the pen.')).statusCode).toBe(200)
    expect(await recordedOf(note.id)).toEqual([
      `progressNote.sign ${trainee.clinicianId}`,
      `progressNote.return ${supervisor.clinicianId}`,
      `progressNote.sign ${trainee.clinicianId}`,
      `progressNote.return ${trainee.clinicianId}`,
    ])
    expect((await historyOf(note.sessionId)).slice(-1)).toEqual([
      { action: 'return', from: 'generated', to: 'generated' },
    ])
    expect(told(await giveBack(trainee, note))).toEqual([
      409,
      'Progress note does not wait for a co-signature',
    ])
  })

  it('all of these at once, in whichever order, are answered: nobody waits for one who waits for them', async () => {
    const statuses: number[] = []
    for (let round = 0; round < 6; round += 1) {
      const note = await makeSigned()
      const answers = await Promise.all([
        sign(supervisor, note),
        giveBack(supervisor, note),
        sign(trainee, note),
        setSupervisor(supervisor.clinicianId),
        trainee.call('POST', `/sessions/${note.sessionId}/correct-client`, { clientId: partner.clientId }),
        notes.call('POST', `/progress-notes/${note.progressNoteId}/finalize`),
        notes.call('POST', `/progress-notes/${note.progressNoteId}/magic-edit`, {
          userInstructions: 'Shorter',
        }),
      ])
      statuses.push(...answers.map(({ statusCode }) => statusCode))
    }
    // A deadlock would be told as 503.
    expect(statuses.filter((status) => status >= 500)).toEqual([])
  })

  it('its tag changes with each of these steps', async () => {
    const { sessionId } = await notes.written()
    const tagOf = async () => (await trainee.call('GET', pathOf({ sessionId }))).headers['etag']
    const tags = [await tagOf()]
    for (const step of [sign, giveBack, sign]) {
      await step(trainee, { sessionId })
      tags.push(await tagOf())
    }
    await sign(supervisor, { sessionId })
    tags.push(await tagOf())
    expect(new Set(tags).size).toBe(tags.length)
  })

  it('says nothing any more of its return once it was withdrawn as another client’s', async () => {
    const note = await makeSigned()
    await giveBack(supervisor, note, 'Please add what his father said.')
    expect((await notes.noteOf(note.sessionId)).coSignature?.state).toBe('returned')
    await service.db.write({ tenantId: partner.partnerId }, (tx) =>
      withdrawNote(tx, notes.context, note.sessionId),
    )
    const withdrawn = await notes.noteOf(note.sessionId)
    expect([withdrawn.status, withdrawn.coSignature]).toEqual(['failed', null])
  })

  it('409 for a signature under a text, or beside a signature, that the signer has not seen', async () => {
    const note = await notes.written()
    const stale = 'Progress note has changed since it was read'
    const tagOf = async (by: SignedIn) => String((await by.call('GET', pathOf(note))).headers['etag'])
    const signSeen = (by: SignedIn, tag: string) =>
      by.call('POST', `${pathOf(note)}/finalize`, {}, { 'if-match': tag })
    const edit = (content: string) =>
      trainee.call('PATCH', pathOf(note), { note: [{ key: 'subjective', content }] })
    const unsigned = await tagOf(trainee)
    await edit('Somebody else was faster.')
    expect(told(await signSeen(trainee, unsigned))).toEqual([409, stale])
    const read = await tagOf(trainee)
    expect((await signSeen(trainee, read)).statusCode).toBe(200)
    // A lost answer, asked for again.
    expect((await signSeen(trainee, read)).statusCode).toBe(200)
    const first = await tagOf(supervisor)
    await giveBack(trainee, note)
    await edit('Unseen by the supervisor.')
    await sign(trainee, note)
    expect(told(await signSeen(supervisor, first))).toEqual([409, stale])
    expect((await notes.noteOf(note.sessionId)).status).toBe('generated')
    const second = await tagOf(supervisor)
    expect((await signSeen(supervisor, second)).json<ProgressNote>().status).toBe('finalized')
    expect((await signSeen(supervisor, second)).statusCode).toBe(200)
    const others = await notes.written()
    await notes.call('POST', `/progress-notes/${others.id}/finalize`)
    const answer = trainee.call('POST', `${pathOf(others)}/finalize`, {}, { 'if-match': '"before it"' })
    expect(told(await answer)).toEqual([409, stale])
  })

  it('404 for a supervisor whose co-signature, or change, comes with the return of the note', async () => {
    const note = await makeSigned()
    const change = { note: [{ key: 'subjective', content: 'Not theirs to write.' }] }
    const tenant = { tenantId: partner.partnerId }
    const actor = { kind: 'clinician', id: trainee.clinicianId } as const
    const [{ noteId }] = (await service.db.read(tenant, {
      text: 'select note_id as "noteId" from casenote.progress_notes where tenant_id = $1 and session_id = $2',
      values: [partner.partnerId, note.sessionId],
    })) as [{ noteId: string }]
    let late: ReturnType<typeof sign>[] = []
    await service.db.write(tenant, async (tx) => {
      const context = { ...notes.context, actor, requestId: randomUUID() }
      await returnNote(tx, context, noteId, { clinicianId: trainee.clinicianId, reason: 'A slip.' })
      late = [
        sign(supervisor, note),
        supervisor.call('PATCH', pathOf(note), change),
        supervisor.call('POST', `${pathOf(note)}/magic-edit`, { userInstructions: 'Shorter.' }),
        supervisor.call('POST', `${pathOf(note)}/restore`, { version: 1 }),
      ]
      await waitUntil(async () => (await countBlocked()) === late.length, 'they wait for the note')
    })
    expect((await Promise.all(late)).map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404])
    expect(await notes.noteOf(note.sessionId)).toMatchObject({
      signedBy: null,
      isLoading: false,
      note: note.note,
    })
  })

  it('409 where it would be final, or would not be, against what the signer was told', async () => {
    const expecting = async (note: ProgressNote, expectsCoSignature: boolean) =>
      trainee.call('POST', `${pathOf(note)}/finalize`, { expectsCoSignature })
    const note = await notes.written()
    expect((await expecting(note, false)).statusCode).toBe(409)
    await setSupervisor(null)
    try {
      expect((await expecting(note, true)).statusCode).toBe(409)
      expect(await notes.noteOf(note.sessionId)).toMatchObject({ signedBy: null, status: 'generated' })
      expect((await expecting(note, false)).json<ProgressNote>().status).toBe('finalized')
    } finally {
      await setSupervisor(supervisor.clinicianId)
    }
    const other = await notes.written()
    expect((await expecting(other, true)).json<ProgressNote>().coSignature).toMatchObject({
      state: 'awaited',
    })
    // Whose answer was lost is told again.
    expect((await expecting(other, true)).statusCode).toBe(200)
  })

  it('is finalized by the partner at any time, which is recorded as the second signature', async () => {
    const note = await makeSigned()
    const answer = await notes.call('POST', `/progress-notes/${note.id}/finalize`)
    const signed = answer.json<ProgressNote>()
    expect([answer.statusCode, signed.status]).toEqual([200, 'finalized'])
    expect(signed.signedBy).toEqual(note.signedBy)
    expect(signed.coSignedBy).toMatchObject({ kind: 'partner', id: partner.partnerId, name: null })
    const fresh = await notes.written()
    const alone = (await notes.call('POST', `/progress-notes/${fresh.id}/finalize`)).json<ProgressNote>()
    expect(alone.signedBy?.kind).toBe('partner')
    expect(alone.coSignedBy).toBeNull()
    expect(told(await giveBack(trainee, fresh))).toEqual([403, 'Progress note is locked'])
  })
})

describe('who may', () => {
  it('404 for the supervisor before the first signature, after a return and for any other session', async () => {
    const note = await notes.written()
    const see = async () => (await supervisor.call('GET', pathOf(note))).statusCode
    expect(await see()).toBe(404)
    await sign(trainee, note)
    expect(await see()).toBe(200)
    const session = (await supervisor.call('GET', `/sessions/${note.sessionId}`)).json<WidgetSession>()
    expect(session.isTreated).toBe(false)
    expect(session.note.awaited).toMatchObject({
      signerName: 'Ada Example',
      supervisorId: supervisor.clinicianId,
    })
    const speakers = { speakers: { client: 'clinician' } }
    const words = { item: 0, before: 'a', after: 'b' }
    for (const [method, path, body] of [
      ['GET', `/clients/${partner.clientId}`, undefined],
      ['GET', `/clients/${partner.clientId}/sessions`, undefined],
      ['PATCH', `/sessions/${note.sessionId}/transcript`, speakers],
      ['POST', `/sessions/${note.sessionId}/transcript/corrections`, words],
    ] as const)
      expect([path, (await supervisor.call(method, path, body)).statusCode]).toEqual([path, 404])
    await giveBack(supervisor, note)
    expect(await see()).toBe(404)
    expect((await colleague.call('GET', pathOf(note))).statusCode).toBe(404)
  })

  it('409 for somebody else who treats the client, who reads it all the same', async () => {
    await notes.call('POST', `/clients/${partner.clientId}/secondary-clinicians`, {
      clinicianIds: [colleague.clinicianId],
    })
    const note = await makeSigned()
    expect(told(await sign(colleague, note))).toEqual([409, 'Progress note waits for a co-signature'])
    expect((await giveBack(colleague, note)).statusCode).toBe(403)
  })

  it('a new supervisor takes over what waits; without one the clinician signs once more, alone', async () => {
    const note = await makeSigned()
    await setSupervisor(colleague.clinicianId)
    expect(await listWaiting(colleague)).toContain(note.sessionId)
    expect(await listWaiting(supervisor)).not.toContain(note.sessionId)
    expect((await supervisor.call('GET', pathOf(note))).statusCode).toBe(404)
    await setSupervisor(null)
    expect((await notes.noteOf(note.sessionId)).coSignature).toMatchObject({
      state: 'awaited',
      supervisor: null,
    })
    const signed = (await sign(trainee, note)).json<ProgressNote>()
    expect([signed.status, signed.coSignedBy]).toEqual(['finalized', null])
    expect(signed.signedBy).toEqual(note.signedBy)
    await setSupervisor(supervisor.clinicianId)
  })

  it('a deactivated supervisor is still waited for, and named as such', async () => {
    const gone = await addColleague(service, partner)
    await setSupervisor(gone.clinicianId)
    await notes.call('POST', `/clinicians/${gone.clinicianId}/deactivate`)
    const note = await makeSigned()
    expect(note.coSignature?.supervisor).toMatchObject({ id: gone.clinicianId, active: false })
    // Other fields can be changed meanwhile.
    const change = await notes.call('PATCH', `/clinicians/${trainee.clinicianId}`, { firstName: 'Ada' })
    expect(change.statusCode).toBe(200)
    await setSupervisor(supervisor.clinicianId)
    expect((await sign(supervisor, note)).json<ProgressNote>().status).toBe('finalized')
  })
})

describe('what is open about danger', () => {
  const talk = toTranscript([
    ['clinician', 'How was the week?'],
    ['client', 'Most nights I think about killing myself.'],
    ['client', 'I keep the pills in the drawer for it.'],
  ])
  const tenant = () => ({ tenantId: partner.partnerId })

  /** What was said is missing in the note, or stands in it. */
  async function record({
    isWritten,
    clientId = partner.clientId,
  }: {
    isWritten: boolean
    clientId?: string
  }): Promise<{ sessionId: string }> {
    const context = asPipeline(await service.keys.get(tenant()))
    const { sessionId, generationId } = await startRecord(service.db, context, { clientId, items: talk })
    const finding = dangerOf(talk, 1)
    const reading = readAs(finding)
    await service.db.write(tenant(), (tx) =>
      saveReading(tx, context.ring, { sessionId, transcript: talk, reading }),
    )
    const { id, words, items } = finding
    const missed = { kind: 'danger', label: 'Suicidal thoughts', reason: 'not_written' } as const
    await service.db.write(tenant(), (tx) =>
      completeGeneration(tx, context, {
        generationId,
        sections: [{ key: 'subjective', title: 'Subjective', content: 'Client cooked.', evidence: [] }],
        review: isWritten ? [] : [{ ...missed, id, words, transcriptItems: [...items] }],
        madeBy: 'test',
      }),
    )
    return { sessionId }
  }
  const openOf = async (by: SignedIn, { sessionId }: { sessionId: string }) =>
    (await by.call('GET', `/sessions/${sessionId}/danger`))
      .json<OpenDanger>()
      .items.filter((item) => item.sessionId === sessionId)
  /** For all that is shown now. */
  const signBeside = async (by: SignedIn, note: { sessionId: string }, openDangerReason: string) => {
    const all = (await by.call('GET', `/sessions/${note.sessionId}/danger`)).json<OpenDanger>().items
    return sign(by, note, { openDangerReason, openDangerItemIds: all.map(({ id }) => id) })
  }

  it('the first signature asks for a reason, the second not again, and a returned note once more', async () => {
    const note = await record({ isWritten: false })
    expect((await sign(trainee, note)).statusCode).toBe(409)
    expect((await signBeside(trainee, note, 'Spoken of last week.')).statusCode).toBe(200)
    const [item] = await openOf(supervisor, note)
    expect(item?.leftOpen).toMatchObject({ reason: 'Spoken of last week.' })
    await giveBack(supervisor, note)
    expect((await sign(trainee, note)).statusCode).toBe(409)
    expect((await signBeside(trainee, note, 'Called the family.')).statusCode).toBe(200)
    expect((await sign(supervisor, note)).json<ProgressNote>().status).toBe('finalized')
    const [left] = await openOf(trainee, note)
    expect(left?.leftOpen).toMatchObject({ reason: 'Called the family.' })
  })

  it('the supervisor answers for what the first signature did not: seen, closed, or with a reason', async () => {
    const clientId = await pages.addClient()
    const note = await record({ isWritten: false, clientId })
    await signBeside(trainee, note, 'Spoken of last week.')
    const [item] = await openOf(supervisor, note)
    const seen = await supervisor.call('POST', `/clients/${clientId}/danger/seen`, {
      itemIds: [item?.id],
    })
    expect(seen.statusCode).toBe(204)
    // Answered between the two signatures: nobody has looked at it yet.
    const { tokens, assignmentIds } = await pages.administer(['phq9'], clientId)
    const bearer = await pages.letIn(tokens[0] ?? '')
    const saved = await pages.save(bearer, [answerTo(assignmentIds[0] ?? '', 'phq9_9', 2)])
    expect(saved.statusCode).toBe(200)
    expect((await sign(supervisor, note)).statusCode).toBe(409)
    const all = await supervisor.call('GET', `/sessions/${note.sessionId}/danger`)
    const asked = all
      .json<OpenDanger>()
      .items.filter(({ sessionId, leftOpen }) => sessionId === null && leftOpen === null)
    expect(asked).toHaveLength(1)
    const close = { itemIds: asked.map(({ id }) => id), reason: 'Seen together.' }
    const closed = await supervisor.call('POST', `/clients/${clientId}/danger/close`, close)
    expect(closed.statusCode).toBe(204)
    expect((await sign(supervisor, note)).statusCode).toBe(200)
  })

  it('the reason of a signature is its own, whatever note of the client was signed since', async () => {
    const clientId = await pages.addClient()
    const { tokens, assignmentIds } = await pages.administer(['phq9'], clientId)
    const bearer = await pages.letIn(tokens[0] ?? '')
    await pages.save(bearer, [answerTo(assignmentIds[0] ?? '', 'phq9_9', 2)])
    const [first, second] = [
      await record({ isWritten: false, clientId }),
      await record({ isWritten: false, clientId }),
    ]
    await signBeside(trainee, first, 'Of the first.')
    const listed = async () =>
      (await supervisor.call('GET', `/sessions/${first.sessionId}/danger`)).json<OpenDanger>().items
    const isAnswered = async () =>
      (await listed()).filter(({ standing }) => standing === 'not_in_note').map((item) => item.isAnswered)
    expect(await isAnswered()).toEqual([true, true])
    await signBeside(trainee, second, 'Of the second.')
    expect(await isAnswered()).toEqual([true, true])
    expect((await sign(supervisor, first)).json<ProgressNote>().status).toBe('finalized')
    const rows = await service.db.read(tenant(), {
      text: `select o.sealed_reason is not null as "hasReason" from casenote.danger_left_open o
        join casenote.progress_notes n on n.tenant_id = o.tenant_id and n.note_id = o.note_id
        join casenote.danger_items d on d.tenant_id = o.tenant_id and d.item_id = o.item_id
        where o.tenant_id = $1 and n.session_id = $2 and d.session_id is not distinct from $2`,
      values: [partner.partnerId, first.sessionId],
    })
    expect(rows).toEqual([{ hasReason: true }])
  })

  it('is the supervisor’s while the note waits; what was closed, and what comes later, is not', async () => {
    const clientId = await pages.addClient()
    const note = await record({ isWritten: false, clientId })
    await signBeside(trainee, note, 'Spoken of last week.')
    const closed = (by: SignedIn) => by.call('GET', `/clients/${clientId}/danger/closed`)
    expect([(await closed(trainee)).statusCode, (await closed(supervisor)).statusCode]).toEqual([200, 404])
    expect(await openOf(supervisor, note)).toHaveLength(1)
    await sign(supervisor, note)
    const { tokens, assignmentIds } = await pages.administer(['phq9'], clientId)
    await pages.save(await pages.letIn(tokens[0] ?? ''), [answerTo(assignmentIds[0] ?? '', 'phq9_9', 2)])
    const listed = async (by: SignedIn) =>
      (await by.call('GET', `/sessions/${note.sessionId}/danger`)).json<OpenDanger>().items.length
    expect([await listed(trainee), await listed(supervisor)]).toEqual([2, 0])
  })

  it('a note holds what it says only when it is finalized', async () => {
    const note = await record({ isWritten: true })
    await sign(trainee, note)
    expect(await openOf(supervisor, note)).toHaveLength(1)
    await sign(supervisor, note)
    expect(await openOf(supervisor, note)).toHaveLength(0)
  })
})
