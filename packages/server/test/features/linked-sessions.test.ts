import { randomUUID } from 'node:crypto'
import type {
  PartnerApiError,
  ProgressNote,
  Session,
  StruckStretch,
  Summary,
  Transcript,
  TranscriptItem,
} from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExportContext } from '../../src/features/client-exports/export-context.js'
import { goThroughAudit } from '../../src/features/client-exports/go-through-audit.js'
import { liftLegalHold, placeLegalHold } from '../../src/features/erasure/index.js'
import { linkSession } from '../../src/features/linked-sessions/link-session.js'
import { pickLines } from '../../src/features/linked-sessions/person-lines.js'
import { setNothingTwice } from '../../src/features/partners/index.js'
import { completeGeneration, failGeneration } from '../../src/features/progress-notes/index.js'
import { completeSession, failSession, lockEndedSession } from '../../src/features/sessions/index.js'
import type { Finding } from '../../src/engines/reader/reading.js'
import { strikeStretch } from '../../src/features/strikes/index.js'
import { saveSummary } from '../../src/features/summaries/index.js'
import { correctWords, saveReading } from '../../src/features/transcripts/index.js'
import { endJobsOf } from '../../src/jobs/enqueue-job.js'
import { claimJob } from '../../src/jobs/jobs.sql.js'
import type { ChangeContext } from '../../src/kernel/change-context.js'
import { systemClock } from '../../src/kernel/clock.js'
import { operator } from '../../src/kernel/operator.js'
import type { PipelineParts } from '../../src/pipeline/pipeline-parts.js'
import { takeText } from '../../src/pipeline/take-text.js'
import { dangerOf, readAs } from '../engines/session-fixtures.js'
import { waitUntil } from '../support/casenote-process.js'
import { asPipeline, startRecord } from '../support/clinical-record.js'
import { openEverything } from '../support/open-everything.js'
import { listEvents, listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague, signIn } from '../widget/widget-fixture.js'

const toItems = (turns: [speaker: string, voice: number, transcript: string][]): TranscriptItem[] =>
  turns.map(([speaker, voice, transcript], index) => ({
    startTime: index * 5,
    endTime: index * 5 + 4,
    speaker,
    transcript,
    voice,
  }))

const couple = toItems([
  ['clinician', 1, 'Welcome, both of you. Ana, how was your week?'],
  ['client', 2, 'I cannot stand the shouting.'],
  ['clinician', 1, 'That sounds hard. How is it for you, Ben?'],
  ['speaker_3', 3, 'I feel ashamed when I shout.'],
  ['clinician', 1, 'You noticed that. What happens before? Does Ana say something?'],
  ['speaker_3', 3, 'My chest gets tight.'],
  ['clinician', 1, 'Ana told me the same. Thank you both.'],
  ['client', 2, 'I did not know he was ashamed.'],
])

describe('what of a shared transcript is one person’s', () => {
  const linesOf = async (items: TranscriptItem[], of: Partial<Parameters<typeof pickLines>[1]> = {}) =>
    (await pickLines(items, { voices: new Set([3]), othersNames: ['Ana'], ...of })).map(
      ({ speaker, transcript }) => `${speaker}: ${transcript}`,
    )
  /** What of a line of the clinician's directly before one of Ben's is in Ben's session. */
  const askedOf = async (words: string, othersNames: string[] = []) =>
    (await linesOf(toItems([['clinician', 1, words], ben]), { othersNames })).slice(0, -1)
  const ben: [string, number, string] = ['speaker_3', 3, 'Yes.']

  it('their lines, and what was asked directly before them; nothing that the clinician told, no word of another', async () => {
    expect(await linesOf(couple)).toEqual([
      'clinician: How is it for you, Ben?',
      'client: I feel ashamed when I shout.',
      'clinician: What happens before?',
      'client: My chest gets tight.',
    ])
  })

  it('no number tells how many there were, and no sentence of the clinician names another', async () => {
    for (const item of await pickLines(couple, { voices: new Set([3]), othersNames: ['Ana'] })) {
      expect(item).not.toHaveProperty('voice')
      expect(item.transcript).not.toContain('Ana')
    }
    const ofAna = await linesOf(couple, { voices: new Set([2]), othersNames: ['Ben Smith'] })
    expect(ofAna.join()).not.toMatch(/Ben|ashamed when|chest/)
  })

  it('no question that speaks of somebody: by a pronoun, by who they are, or by name however it is written', async () => {
    expect(await askedOf('How do you sleep?')).toEqual(['clinician: How do you sleep?'])
    for (const asked of [
      'Does she drink?',
      'Have they’re fights been loud?',
      'Is that what he’s afraid of?',
      'How did HER overdose feel?',
      'What did your wife’s doctor say?',
      'Are the kids safe?',
    ])
      expect(await askedOf(asked)).toEqual([])
    expect(await askedOf('Was Jose\u0301 there? Are you well?', ['JOSÉ'])).toEqual([
      'clinician: Are you well?',
    ])
    expect(await askedOf('Was Strauss’s letter there?', ['Strauß'])).toEqual([])
  })

  it('nothing that the clinician said in a language that no rule reads: it may be of another', async () => {
    const spanish = toItems([
      ['clinician', 1, '¿Duerme ella mejor?'],
      ['speaker_3', 3, 'Creo que sí.'],
    ])
    expect(await linesOf(spanish, { isRead: false })).toEqual(['client: Creo que sí.'])
    expect(await linesOf(couple, { isRead: false })).toEqual([
      'client: I feel ashamed when I shout.',
      'client: My chest gets tight.',
    ])
  })

  it('no question with another’s line, a line of the clinician’s or a gap behind it', async () => {
    const asked: [string, number, string] = ['clinician', 1, 'Have you relapsed?']
    const with2 = toItems([asked, ['client', 2, 'I have.'], ben])
    expect(await linesOf(with2)).toEqual(['client: Yes.'])
    expect(await linesOf(toItems([asked, ['clinician', 1, 'I see.'], ben]))).toEqual(['client: Yes.'])
    const near = toItems([asked, ben])
    for (const gap of [
      { start: 4.5, end: 4.5 },
      { start: 4, end: 5 },
      { start: 2, end: 3 },
    ])
      expect(await linesOf(near, { gaps: [gap] })).toEqual(['client: Yes.'])
    expect(await linesOf(near, { gaps: [{ start: 9, end: 12 }] })).toHaveLength(2)
  })
})

let service: TestService
let partner: TestPartner
let tenant: { tenantId: string }
let context: ChangeContext
let benId: string

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  tenant = { tenantId: partner.partnerId }
  context = asPipeline(await service.keys.get(tenant))
  benId = await newClient(partner.clinicianId)
})
afterAll(() => service.close())

const call = (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) =>
  service.ask(partner, method, path, payload)

async function newClient(clinicianId: string): Promise<string> {
  const given = { firstName: 'Ben', lastName: 'Testwell', dateOfBirth: '1988-02-03' }
  const answer = await call('POST', `/clinicians/${clinicianId}/clients`, given)
  expect(answer.statusCode).toBe(201)
  return answer.json<{ id: string }>().id
}

const name = async (sessionId: string, speakers: object[]) => {
  expect((await call('PATCH', `/sessions/${sessionId}/speakers`, { speakers })).statusCode).toBe(200)
}

const share = async (): Promise<string> => {
  const { sessionId } = await startRecord(service.db, context, { clientId: partner.clientId, items: couple })
  await name(sessionId, [{ voice: 2, name: 'Ana' }])
  return sessionId
}

/** What an export of the client says that was done with their record. */
async function listExported(clientId: string): Promise<string[]> {
  const parts = { db: service.db, wordOperation: (operation: string) => operation }
  const told: string[] = []
  for await (const { operation } of goThroughAudit({
    parts,
    ring: context.ring,
    client: { id: clientId },
  } as ExportContext))
    told.push(operation)
  return told
}

const link = (sessionId: string, given: object) =>
  call('POST', `/sessions/${sessionId}/linked-sessions`, given)

describe('a session of one of those who were recorded together', () => {
  it('has its own client, transcript, note and events, and nothing of the others', async () => {
    const shared = await share()
    const made = await link(shared, { clientId: benId, voices: [3], sessionExternalId: 'ben-1' })
    const body = made.json<Session>()
    expect([made.statusCode, body.clientId, body.clinicianId]).toEqual([201, benId, partner.clinicianId])
    expect(body).toMatchObject({ status: 'generating', source: 'recording', sharedFrom: shared })
    const transcript = (await call('GET', `/sessions/${body.id}/transcript`)).json<Transcript>()
    expect(transcript.transcriptItems.map(({ speaker }) => speaker)).toEqual([
      'clinician',
      'client',
      'clinician',
      'client',
    ])
    expect(JSON.stringify(transcript)).not.toMatch(/Ana|stand the shouting|did not know/)
    const events = await listEvents(service, tenant, body.id)
    expect(
      events.map(({ eventType, payload }) => [eventType, (payload as { clientId: string }).clientId]),
    ).toEqual([['transcript_ready', benId]])
    const note = await call('GET', `/sessions/${body.id}/progress-note`)
    expect(note.json()).toMatchObject({ isLoading: true })
    const whole = await call('GET', `/sessions/${shared}`)
    expect(whole.json<Session>().linkedSessions).toEqual([body.id])
    expect(await listSubjects(service, tenant, 'session.link', shared)).toEqual([
      [shared, partner.clientId, body.id, benId],
    ])
    for (const clientId of [partner.clientId, benId])
      expect(await listExported(clientId)).not.toContain('session.link')
    expect(await listExported(partner.clientId)).toContain('session.nameSpeakers')
  })

  it('names that must not stand in the note of the shared one, as far as they are said in it', async () => {
    const shared = await share()
    const namesToKeepOut = ['Chest Tightwell', 'Rosalind']
    expect((await call('PATCH', `/sessions/${shared}/context`, { namesToKeepOut })).statusCode).toBe(200)
    const { id } = (
      await link(shared, { clientId: await newClient(partner.clinicianId), voices: [3] })
    ).json<Session>()
    const known = (await call('GET', `/sessions/${id}/context`)).json<{ namesToKeepOut: string[] }>()
    expect(known.namesToKeepOut).toEqual(['Chest Tightwell'])
  })

  it('asked again it is the same; with other voices, or of a linked one, 409', async () => {
    const shared = await share()
    const given = { clientId: benId, voices: [3] }
    const first = (await link(shared, given)).json<Session>()
    expect((await link(shared, { ...given, voices: [3, 3] })).json()).toMatchObject({ id: first.id })
    const items = [...couple, ...toItems([['speaker_4', 4, 'Me too.']])]
    const { sessionId } = await startRecord(service.db, context, { clientId: partner.clientId, items })
    await name(sessionId, [{ voice: 4, role: 'child' }])
    await link(sessionId, given)
    expect((await link(sessionId, { ...given, voices: [3, 4] })).statusCode).toBe(409)
    expect((await link(first.id, { clientId: partner.clientId, voices: [2] })).statusCode).toBe(409)
  })

  it('409 for a voice that is another client’s already', async () => {
    const shared = await share()
    await link(shared, { clientId: benId, voices: [3] })
    const clientId = await newClient(partner.clinicianId)
    const answer = await link(shared, { clientId, voices: [3] })
    expect([answer.statusCode, answer.headers['casenote-error-code']]).toEqual([409, 'session_linked'])
  })

  it('409 while it is not told who the others are, or who the one is where no voice is the client’s', async () => {
    const items = [...couple, ...toItems([['speaker_4', 4, 'Me too.']])]
    const start = async (relabelled: TranscriptItem[]) =>
      (await startRecord(service.db, context, { clientId: partner.clientId, items: relabelled })).sessionId
    const refused = async (sessionId: string) => {
      const answer = await link(sessionId, { clientId: benId, voices: [3] })
      return [answer.statusCode, answer.headers['casenote-error-code']]
    }
    const without = (label: string) =>
      items.map((item) => (item.speaker === label ? { ...item, speaker: `speaker_${item.voice}` } : item))
    const withChild = await start(items)
    expect(await refused(withChild)).toEqual([409, 'speakers_unnamed'])
    await name(withChild, [{ voice: 4, role: 'child' }])
    expect((await refused(withChild))[0]).toBe(201)
    const told = [2, 4].map((voice) => ({ voice, role: 'partner' }))
    const noClient = await start(without('client'))
    await name(noClient, [...told, { voice: 3, name: 'Ana' }])
    expect(await refused(noClient)).toEqual([409, 'speakers_unnamed'])
    await name(noClient, [{ voice: 3, role: 'parent' }])
    expect((await refused(noClient))[0]).toBe(201)
    const noClinician = await start(without('clinician'))
    await name(noClinician, [{ voice: 1, name: 'Dr. Hale' }, ...told])
    expect(await refused(noClinician)).toEqual([409, 'speakers_unnamed'])
  })

  it('400 for a voice that is not theirs, and for a client of nobody here', async () => {
    const shared = await share()
    const stranger = await service.addPartner()
    const refused = async (given: object) => {
      const answer = await link(shared, { clientId: benId, voices: [3], ...given })
      const { message } = answer.json<PartnerApiError>().error
      return [answer.statusCode, (message as { message: string[] }).message]
    }
    expect(await refused({ voices: [9] })).toEqual([400, ['voices.0 must be a voice of the transcript']])
    for (const voices of [[1], [2]])
      expect(await refused({ voices })).toEqual([
        400,
        ['voices.0 must not be of the clinician or of the client of the session'],
      ])
    for (const clientId of [randomUUID(), stranger.clientId])
      expect(await refused({ clientId })).toEqual([400, ['clientId must be a client of the clinician']])
    expect(await refused({ clientId: partner.clientId })).toEqual([
      400,
      ['clientId must be another client than the one of the session'],
    ])
  })

  it('409 without the consent of the client where it is required', async () => {
    const shared = await share()
    await service.owner.write(tenant, (tx) =>
      tx.run({
        text: 'update casenote.tenants set requires_consent = true where tenant_id = $1',
        values: [tenant.tenantId],
      }),
    )
    try {
      const answer = await link(shared, { clientId: benId, voices: [3] })
      expect([answer.statusCode, answer.json<PartnerApiError>().error.message]).toEqual([
        409,
        'The client’s consent to be recorded is missing',
      ])
    } finally {
      await service.owner.write(tenant, (tx) =>
        tx.run({
          text: 'update casenote.tenants set requires_consent = false where tenant_id = $1',
          values: [tenant.tenantId],
        }),
      )
    }
  })

  it('409 without it for what was recorded in the widget, and once it was withdrawn', async () => {
    const clinician = await signIn(service, partner)
    const { sessionId } = await startRecord(service.db, context, {
      clientId: partner.clientId,
      items: couple,
    })
    await service.owner.write(tenant, (tx) =>
      tx.run({
        text: 'update casenote.sessions set recording_id = $3 where tenant_id = $1 and session_id = $2',
        values: [tenant.tenantId, sessionId, randomUUID()],
      }),
    )
    const clientId = await newClient(partner.clinicianId)
    const linked = async () => {
      const answer = await link(sessionId, { clientId, voices: [3] })
      return [answer.statusCode, answer.headers['casenote-error-code']]
    }
    expect(await linked()).toEqual([409, 'consent_missing'])
    const say = (given: boolean) =>
      clinician.call('POST', `/clients/${clientId}/consent`, { textVersion: '2026-11', given })
    expect((await say(true)).statusCode).toBe(200)
    expect((await say(false)).statusCode).toBe(200)
    expect(await linked()).toEqual([409, 'consent_missing'])
    expect((await say(true)).statusCode).toBe(200)
    expect((await linked())[0]).toBe(201)
  })

  it('an answer that is kept for its key is the linked client’s', async () => {
    await setNothingTwice(service.owner, tenant, { idempotency: true })
    await service.watch.poll()
    const clientId = await newClient(partner.clinicianId)
    const answer = await service.call({
      method: 'POST',
      url: `/v2/sessions/${await share()}/linked-sessions`,
      headers: { ...partner.headers, 'idempotency-key': randomUUID() },
      payload: { clientId, voices: [3] },
    })
    expect(answer.statusCode).toBe(201)
    const kept = await service.owner.read(tenant, {
      text: 'select client_id as "clientId" from casenote.kept_answers where tenant_id = $1',
      values: [tenant.tenantId],
    })
    expect(kept).toEqual([{ clientId }])
  })

  it('in the widget nothing tells where it is from: who treats one of them sees that one’s session alone', async () => {
    const shared = await share()
    const body = (await link(shared, { clientId: benId, voices: [3] })).json<Session>()
    const colleague = await addColleague(service, partner)
    const path = `/clients/${benId}/secondary-clinicians`
    expect((await call('POST', path, { clinicianIds: [colleague.clinicianId] })).statusCode).toBeLessThan(300)
    const other = await signIn(service, partner, colleague.clinicianId)
    const seen = await other.call('GET', `/sessions/${body.id}`)
    expect(seen.statusCode).toBe(200)
    expect(seen.body).not.toContain(shared)
    const lines = await other.call('GET', `/sessions/${body.id}/transcript`)
    expect(lines.body).not.toMatch(/Ana|stand the shouting|did not know/)
    expect((await other.call('GET', `/sessions/${shared}`)).statusCode).toBe(404)
  })
})

describe('what is struck in a session goes from its linked ones', () => {
  const canary = 'I feel ashamed when I shout.'
  /** Ben's line, with nothing of the question before it. */
  const asked = { start: 15.5, end: 16 }
  const strike = (sessionId: string, body: object) => call('POST', `/sessions/${sessionId}/strike`, body)
  const refusalOf = (answer: Awaited<ReturnType<typeof call>>) => [
    answer.statusCode,
    answer.headers['casenote-error-code'],
    answer.json<PartnerApiError>().error.message,
  ]
  const linesOf = async (sessionId: string) =>
    (await call('GET', `/sessions/${sessionId}/transcript`))
      .json<Transcript>()
      .transcriptItems.map(({ transcript }) => transcript)
  const noteOf = async (sessionId: string) =>
    (await call('GET', `/sessions/${sessionId}/progress-note`)).json<ProgressNote>()
  const dangerRows = (sessionId: string) =>
    service.owner.read(tenant, {
      text: 'select item_id from casenote.danger_items where tenant_id = $1 and session_id = $2',
      values: [tenant.tenantId, sessionId],
    })

  const findActive = async (sessionId: string): Promise<string> => {
    const [note] = (await service.owner.read(tenant, {
      text: 'select active_generation_id as id from casenote.progress_notes where tenant_id = $1 and session_id = $2',
      values: [tenant.tenantId, sessionId],
    })) as { id: string }[]
    return note?.id ?? ''
  }

  /** Written and summed up, with danger in these of its lines. */
  async function finish(sessionId: string, text: string, danger: (number | Finding)[] = []): Promise<void> {
    const { transcriptItems } = (await call('GET', `/sessions/${sessionId}/transcript`)).json<Transcript>()
    const generationId = await findActive(sessionId)
    const findings = danger.map((one) => (typeof one === 'number' ? dangerOf(transcriptItems, one) : one))
    await service.db.write(tenant, async (tx) => {
      await saveReading(tx, context.ring, {
        sessionId,
        transcript: transcriptItems,
        reading: readAs(...findings),
      })
      await completeGeneration(tx, context, {
        madeBy: 'test',
        generationId,
        sections: [{ key: 'subjective', title: 'Subjective', content: text, evidence: [] }],
        review: [],
      })
      await saveSummary(tx, context, { madeBy: 'test', sessionId, summary: text })
      await completeSession(tx, sessionId)
      await endJobsOf(tx, [sessionId])
    })
  }

  async function shareWithBen(
    of: { clientId?: string; items?: TranscriptItem[]; danger?: number[]; isWritten?: boolean } = {},
  ) {
    const { items = couple, danger = [], isWritten = true } = of
    const clientId = of.clientId ?? (await newClient(partner.clinicianId))
    const { sessionId: shared } = await startRecord(service.db, context, {
      clientId: partner.clientId,
      items,
    })
    await name(shared, [{ voice: 2, name: 'Ana' }])
    await finish(shared, 'They spoke about shouting.')
    const linked = (await link(shared, { clientId, voices: [3] })).json<Session>().id
    if (isWritten) await finish(linked, `Client said: ${canary}`, danger)
    return { shared, linked, clientId }
  }

  it('its lines, note, summary and danger, in one change, with the gap and who made it; another one stays as it is', async () => {
    // In no other session here.
    const words = 'I broke the blue lamp.'
    const items = toItems([
      ['clinician', 1, 'How is it for you, Ben?'],
      ['speaker_3', 3, words],
      ['clinician', 1, 'What happens before?'],
      ['speaker_3', 3, 'My chest gets tight.'],
      ['client', 2, 'I did not know that.'],
      ['speaker_4', 4, 'I like the cat.'],
    ])
    const stretch = { start: 6, end: 7 }
    const clientId = await newClient(partner.clinicianId)
    const { sessionId: shared } = await startRecord(service.db, context, {
      clientId: partner.clientId,
      items,
    })
    await name(shared, [
      { voice: 2, name: 'Ana' },
      { voice: 3, role: 'partner' },
      { voice: 4, role: 'child' },
    ])
    await finish(shared, `They spoke. ${words}`)
    const linked = (await link(shared, { clientId, voices: [3] })).json<Session>().id
    await finish(linked, `Client said: ${words}`, [1, 3])
    const child = (await link(shared, { clientId: benId, voices: [4] })).json<Session>().id
    const before = await linesOf(linked)
    const noteBefore = await noteOf(linked)
    expect(before).toContain(words)

    const preview = (await strike(shared, { ...stretch, preview: true })).json<StruckStretch>()
    // Ben's danger was found in his own session alone.
    expect(preview).toMatchObject({ lines: 1, isStruck: false, linkedSessions: 1 })
    expect(preview.danger).toMatchObject([{ words, startTime: 5 }])
    expect(refusalOf(await strike(shared, stretch)).slice(0, 2)).toEqual([409, 'danger_not_seen'])
    expect(await linesOf(linked)).toEqual(before)
    // The child's one is being written: nothing of it lies in the stretch.
    const done = await strike(shared, { ...stretch, dangerSeen: true })
    expect([done.statusCode, done.json()]).toEqual([200, { ...preview, danger: [], isStruck: true }])

    expect(await openEverything(service, tenant)).not.toContain(words)
    expect(await linesOf(linked)).toEqual(before.filter((line) => line !== words))
    expect(await linesOf(child)).toEqual(['I like the cat.'])
    expect(await dangerRows(linked)).toHaveLength(1)
    expect((await call('GET', `/sessions/${linked}/summary`)).json()).not.toHaveProperty('summary')
    expect(await noteOf(linked)).toMatchObject({ isLoading: true })
    expect(noteBefore).toMatchObject({ isLoading: false })
    const gapsOf = async (id: string) =>
      (await call('GET', `/sessions/${id}/transcript`)).json<Transcript>().gaps ?? []
    const [[gap], [own]] = [await gapsOf(linked), await gapsOf(shared)]
    expect(gap).toMatchObject({ kind: 'struck', by: { kind: 'partner', id: partner.partnerId } })
    expect(gap?.id).not.toBe(own?.id)
    expect(await gapsOf(child)).toEqual([])
    // Neither entry tells of the other's client.
    const [struck] = await listSubjects(service, tenant, 'session.strike', linked)
    expect(struck).toEqual(expect.arrayContaining([linked, clientId, gap?.id]))
    for (const id of [shared, partner.clientId]) expect(struck).not.toContain(id)
    expect(await listSubjects(service, tenant, 'session.previewStrike', linked)).toEqual([[linked, clientId]])
    expect((await listSubjects(service, tenant, 'session.strike', shared))[0]).not.toContain(clientId)
  })

  it('danger that opened no item is named before it goes, too: suspected, denied, of somebody else long ago, voices', async () => {
    const items = toItems([
      ['clinician', 1, 'Do you think of hurting yourself?'],
      ['client', 2, 'No, never.'],
      ['client', 2, 'My uncle shot himself when I was ten.'],
      ['client', 2, 'Some days I hear my name in the hall.'],
      ['client', 2, 'I am done with all of it.'],
      ['client', 2, 'On Sunday we cooked.'],
    ])
    const { sessionId } = await startRecord(service.db, context, { clientId: partner.clientId, items })
    const findings: Finding[] = [
      { ...dangerOf(items, 1), standing: 'denied', items: [0, 1], questionItem: 0 },
      { ...dangerOf(items, 2), whose: 'other', time: 'past' },
      { ...dangerOf(items, 3), matter: 'psychosis', element: 'voices' },
      { ...dangerOf(items, 4), certainty: 'suspected' },
    ]
    await finish(sessionId, 'Client denies thoughts of self-harm.', findings)
    expect(await dangerRows(sessionId)).toHaveLength(0)
    const stretchOf = (line: number) => ({
      start: items[line]?.startTime ?? 0,
      end: items[line]?.endTime ?? 0,
    })
    for (const line of [0, 1, 2, 3, 4]) {
      const preview = (await strike(sessionId, { ...stretchOf(line), preview: true })).json<StruckStretch>()
      const words = items[Math.max(line, 1)]?.transcript
      expect([line, preview.danger.map((one) => one.words), preview.linkedSessions]).toEqual([
        line,
        [words],
        0,
      ])
      expect(refusalOf(await strike(sessionId, stretchOf(line))).slice(0, 2)).toEqual([
        409,
        'danger_not_seen',
      ])
    }
    expect((await strike(sessionId, { ...stretchOf(5), preview: true })).json()).toMatchObject({ danger: [] })
    expect((await strike(sessionId, { ...stretchOf(4), dangerSeen: true })).statusCode).toBe(200)
  })

  it('a note that could not be written again is not signed, of neither; the summary comes back under its id', async () => {
    const { shared, linked } = await shareWithBen()
    const { id: summaryId } = (await call('GET', `/sessions/${linked}/summary`)).json<Summary>()
    expect((await strike(shared, asked)).statusCode).toBe(200)
    const gone = await call('GET', `/summaries/${summaryId}`)
    expect([gone.statusCode, gone.json()]).toMatchObject([200, { error: { statusCode: 404 } }])
    for (const sessionId of [shared, linked]) {
      const generationId = await findActive(sessionId)
      await service.db.write(tenant, (tx) => failGeneration(tx, context, { generationId, reason: 'No' }))
      const note = await noteOf(sessionId)
      expect(note).toMatchObject({ status: 'failed', isLoading: false, isEmptied: true, note: [] })
      expect(refusalOf(await call('POST', `/progress-notes/${note.id}/finalize`))).toEqual([
        409,
        'note_not_generated',
        'Progress note has not been generated',
      ])
    }
    await service.db.write(tenant, (tx) =>
      saveSummary(tx, context, { madeBy: 'test', sessionId: linked, summary: 'Anew.', isSigned: true }),
    )
    expect((await call('GET', `/summaries/${summaryId}`)).json()).toMatchObject({
      summaryId,
      summary: 'Anew.',
    })
  })

  it('nothing more is written of a linked one that has failed since its note was', async () => {
    const { shared, linked } = await shareWithBen()
    await service.owner.write(tenant, (tx) =>
      tx.run({
        text: `update casenote.sessions set status = 'failed', progress = 0.9, failure_code = 'processing_failed' where tenant_id = $1 and session_id = $2`,
        values: [tenant.tenantId, linked],
      }),
    )
    expect((await strike(shared, asked)).statusCode).toBe(200)
    const note = await noteOf(linked)
    expect(note).toMatchObject({ status: 'failed', isLoading: false, isEmptied: false, note: [] })
    const words = { note: [{ key: 'subjective', content: 'Ben spoke.' }] }
    expect(refusalOf(await call('PATCH', `/progress-notes/${note.id}`, words))[0]).toBe(409)
  })

  it('danger that both name is told once; 409 for what rests on words that only the linked one has', async () => {
    const { shared, linked } = await shareWithBen({ danger: [1] })
    const items = (await call('GET', `/sessions/${shared}/transcript`)).json<Transcript>().transcriptItems
    await service.db.write(tenant, async (tx) => {
      await saveReading(tx, context.ring, {
        sessionId: shared,
        transcript: items,
        reading: readAs(dangerOf(items, 3)),
      })
      await endJobsOf(tx, [shared])
    })
    const preview = await strike(shared, { ...asked, preview: true })
    expect(preview.json<StruckStretch>().danger).toHaveLength(1)
    await service.db.write(tenant, async (tx) => {
      const words = { item: 1, before: canary, after: `${canary} I want to die.` }
      await correctWords(tx, context, { sessionId: linked, clinicianId: partner.clinicianId }, words)
      await endJobsOf(tx, [linked])
    })
    const message =
      'A linked session names danger in words that this one does not have: strike it there first'
    expect(refusalOf(await strike(shared, { ...asked, preview: true }))).toEqual([
      409,
      'danger_named',
      message,
    ])
  })

  it('409 for what may not go of a linked one, and nothing is changed; who does not treat its client is told no reason', async () => {
    const { shared, linked, clientId } = await shareWithBen({ isWritten: false })
    const clinician = await signIn(service, partner)
    const colleague = await addColleague(service, partner)
    const path = `/clients/${clientId}/secondary-clinicians`
    expect((await call('POST', path, { clinicianIds: [colleague.clinicianId] })).statusCode).toBeLessThan(300)
    const ofWidget = async (body: object) =>
      refusalOf(await clinician.call('POST', `/sessions/${shared}/strike`, body))
    const setPrimary = (clinicianId: string) =>
      service.owner.write(tenant, (tx) =>
        tx.run({
          text: 'update casenote.clients set clinician_id = $3 where tenant_id = $1 and client_id = $2',
          values: [tenant.tenantId, clientId, clinicianId],
        }),
      )
    const untold = [409, 'session_linked', 'A linked session of another client stands in the way']
    /** Of all that ask. */
    const expectRefused = async (code: string, message: string, body: object = asked) => {
      expect(refusalOf(await strike(shared, body))).toEqual([409, code, message])
      expect(await ofWidget(body)).toEqual([409, code, message])
      await setPrimary(colleague.clinicianId)
      const isForNow = code === 'session_processing'
      expect(await ofWidget(body)).toEqual(isForNow ? [409, code, message] : untold)
      await setPrimary(partner.clinicianId)
    }
    await expectRefused('session_processing', 'A linked session is being processed')
    await finish(linked, `Client said: ${canary}`)
    await service.owner.write(tenant, (tx) => placeLegalHold(tx, operator, clientId))
    await expectRefused(
      'session_held',
      'The client of a linked session is under a legal hold: nothing is deleted',
    )
    await service.owner.write(tenant, (tx) => liftLegalHold(tx, operator, clientId))
    const whole = { start: 10, end: 29 }
    await expectRefused(
      'nothing_left',
      'Nothing of a linked session would be left: have it erased first',
      whole,
    )
    const { progressNoteId } = await noteOf(linked)
    expect((await call('POST', `/progress-notes/${progressNoteId}/finalize`)).statusCode).toBe(200)
    await expectRefused('session_signed', 'The note of a linked session is signed', {
      ...asked,
      preview: true,
    })
    expect(await linesOf(shared)).toHaveLength(couple.length)
    expect(await linesOf(linked)).toContain(canary)
  })

  it('409 where the transcript of a linked one was erased, and its note was not', async () => {
    const { shared, linked } = await shareWithBen()
    await service.owner.write(tenant, (tx) =>
      tx.run({
        text: 'delete from casenote.transcripts where tenant_id = $1 and session_id = $2',
        values: [tenant.tenantId, linked],
      }),
    )
    expect(refusalOf(await strike(shared, asked)).slice(0, 2)).toEqual([409, 'transcript_missing'])
    expect(await linesOf(shared)).toContain(canary)
  })

  it('one that is made meanwhile waits and has nothing of it, or is waited for', async () => {
    const clientId = await newClient(partner.clinicianId)
    const { sessionId } = await startRecord(service.db, context, {
      clientId: partner.clientId,
      items: couple,
    })
    await name(sessionId, [{ voice: 2, name: 'Ana' }])
    await finish(sessionId, 'They spoke.')
    let made: ReturnType<typeof link> | undefined
    await service.db.write(tenant, async (tx) => {
      const by = { kind: 'partner', id: tenant.tenantId } as const
      await strikeStretch(tx, context, { sessionId, by }, asked)
      made = link(sessionId, { clientId, voices: [3] })
      await someoneWaits()
    })
    const linked = (await made)?.json<Session>().id ?? ''
    expect(await linesOf(linked)).toEqual(['What happens before?', 'My chest gets tight.'])

    const { sessionId: other } = await startRecord(service.db, context, {
      clientId: partner.clientId,
      items: couple,
    })
    await name(other, [{ voice: 2, name: 'Ana' }])
    await finish(other, 'They spoke.')
    let struck: ReturnType<typeof strike> | undefined
    await service.db.write(tenant, async (tx) => {
      await linkSession(tx, context, { sharedSessionId: other, given: { clientId, voices: [3] } })
      struck = strike(other, asked)
      await someoneWaits()
    })
    const answer = await struck
    expect(answer?.headers['casenote-error-code']).toBe('session_processing')
    expect(await linesOf(other)).toContain(canary)
  })

  it('nobody waits in a circle with whoever has the linked one, or asks for it again', async () => {
    const { shared, linked, clientId } = await shareWithBen()
    const before = await linesOf(linked)
    await service.db.write(tenant, async (tx) => {
      await tx.run(lockEndedSession(tenant, linked))
      expect(refusalOf(await strike(shared, asked)).slice(0, 2)).toEqual([409, 'session_processing'])
    })
    await service.db.write(tenant, async (tx) => {
      // As whoever asks for the same link once more: it waits for the shared session next.
      await tx.run({
        text: 'select from casenote.clients where tenant_id = $1 and client_id = $2 for no key update',
        values: [tenant.tenantId, clientId],
      })
      expect(refusalOf(await strike(shared, asked)).slice(0, 2)).toEqual([409, 'session_processing'])
    })
    expect(await linesOf(linked)).toEqual(before)
    expect((await strike(shared, asked)).statusCode).toBe(200)
    expect(await linesOf(linked)).not.toContain(canary)
  })

  it('also from the one that a linked one was tried again as, which is linked in its place', async () => {
    const { shared, linked } = await shareWithBen()
    await service.owner.write(tenant, (tx) =>
      tx.run({
        text: `update casenote.sessions set status = 'generating', progress = 0.9 where tenant_id = $1 and session_id = $2`,
        values: [tenant.tenantId, linked],
      }),
    )
    await service.db.write(tenant, (tx) =>
      failSession(tx, context, { sessionId: linked, failure: 'no_room' }),
    )
    const retried = await call('POST', `/sessions/${linked}/retry`)
    expect(retried.statusCode).toBe(200)
    const again = retried.json<Session>().id
    const [job] = await service.db.throughDoor(claimJob(['take_text'], 60_000))
    if (job?.subjectId !== again) throw new Error('no text is to be taken over')
    const { db, keys } = service
    const parts = { db, keys, clock: systemClock, publicUrl: 'http://localhost' } as unknown as PipelineParts
    await takeText.run(parts, job, new AbortController().signal)
    expect(await linesOf(again)).toContain(canary)
    expect((await call('GET', `/sessions/${shared}`)).json<Session>().linkedSessions).toEqual([again])
    await finish(again, `Client said: ${canary}`)
    expect((await strike(shared, asked)).statusCode).toBe(200)
    expect(await linesOf(again)).not.toContain(canary)
  })

  it('also from one that was made before the recording was heard anew; and what is struck in it stays in the shared one', async () => {
    const { shared, linked } = await shareWithBen()
    expect((await strike(linked, { start: 25, end: 26 })).statusCode).toBe(200)
    expect(await linesOf(linked)).not.toContain('My chest gets tight.')
    expect(await linesOf(shared)).toHaveLength(couple.length)
    await finish(linked, `Client said: ${canary}`)
    const { sessionId: again } = await startRecord(service.db, context, {
      clientId: partner.clientId,
      items: couple,
    })
    await finish(again, 'They spoke.')
    await service.owner.write(tenant, (tx) =>
      tx.run({
        text: 'update casenote.sessions set retry_of = $3 where tenant_id = $1 and session_id = $2',
        values: [tenant.tenantId, again, shared],
      }),
    )
    expect((await strike(again, asked)).statusCode).toBe(200)
    expect(await linesOf(linked)).not.toContain(canary)
    // What is heard in the one of before is not given away any more.
    const clientId = await newClient(partner.clinicianId)
    expect(refusalOf(await link(shared, { clientId, voices: [3] })).slice(0, 2)).toEqual([
      409,
      'session_retried',
    ])
  })

  /** Another one stands in the database's queue for a lock. */
  const someoneWaits = () =>
    waitUntil(async () => {
      const waiting = await service.owner.throughDoor({
        text: `select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
          where not l.granted and a.datname = current_database()`,
        values: [],
      })
      return waiting.length > 0
    }, 'somebody waits for a lock')
})
