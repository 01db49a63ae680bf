import { randomUUID } from 'node:crypto'
import type { PartnerApiError, Session, Transcript, TranscriptItem } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExportContext } from '../../src/features/client-exports/export-context.js'
import { goThroughAudit } from '../../src/features/client-exports/go-through-audit.js'
import { pickLines } from '../../src/features/linked-sessions/person-lines.js'
import { setNothingTwice } from '../../src/features/partners/index.js'
import type { ChangeContext } from '../../src/kernel/change-context.js'
import { asPipeline, startRecord } from '../support/clinical-record.js'
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
  service.call({ method, url: `/v2${path}`, headers: partner.headers, ...(payload ? { payload } : {}) })

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
