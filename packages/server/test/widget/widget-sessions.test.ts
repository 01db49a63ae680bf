import { randomUUID } from 'node:crypto'
import type { Page, ProgressNote, WidgetClient, WidgetSession } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listEvents, listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague, giveConsent, openRecording, signIn, type SignedIn } from './widget-fixture.js'

let service: TestService
let partner: TestPartner
let clinician: SignedIn

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  clinician = await signIn(service, partner)
})
afterAll(() => service.close())

describe('clients', () => {
  it('lists those whom the clinician treats, primary and secondary, and nobody else', async () => {
    const colleague = await addColleague(service, partner)
    const list = async (): Promise<string[]> =>
      (await clinician.call('GET', '/clients')).json<Page<WidgetClient>>().data.map(({ id }) => id)
    expect(await list()).toEqual([partner.clientId])
    await service.call({
      method: 'POST',
      url: `/v2/clients/${colleague.clientId}/secondary-clinicians`,
      headers: partner.headers,
      payload: { clinicianIds: [partner.clinicianId] },
    })
    expect(await list()).toEqual([partner.clientId, colleague.clientId])
    const found = await clinician.call('GET', '/clients?name=robin')
    expect(found.json<Page<WidgetClient>>().data.map(({ id }) => id)).toEqual([colleague.clientId])
  })

  it('records consent with who and which text, and its withdrawal', async () => {
    const path = `/clients/${partner.clientId}`
    expect((await clinician.call('GET', path)).json<WidgetClient>().consentedAt).toBeNull()
    const given = await giveConsent(clinician, partner.clientId)
    expect(given.json<WidgetClient>().consentedAt).toMatch(/Z$/)
    const withdrawn = await clinician.call('POST', `${path}/consent`, {
      textVersion: '2026-11',
      given: false,
    })
    expect(withdrawn.json<WidgetClient>().consentedAt).toBeNull()
    const rows = await service.owner.write({ tenantId: partner.partnerId }, (tx) =>
      tx.run({
        text: `select clinician_id::text as by, text_version as text, is_given as given
          from casenote.recording_consents where tenant_id = $1 and relation = 'self' order by seq`,
        values: [partner.partnerId],
      }),
    )
    expect(rows).toEqual([
      { by: partner.clinicianId, text: '2026-11', given: true },
      { by: partner.clinicianId, text: '2026-11', given: false },
    ])
    const tenant = { tenantId: partner.partnerId }
    for (const operation of ['widget.recordConsent', 'widget.withdrawConsent'])
      expect(await listSubjects(service, tenant, operation, partner.clientId)).toHaveLength(1)
  })
})

describe('sessions', () => {
  it('409 without consent', async () => {
    const colleague = await addColleague(service, partner)
    const other = await signIn(service, partner, colleague.clinicianId)
    const answer = await other.call('POST', `/clients/${colleague.clientId}/sessions`, {
      recordingId: randomUUID(),
    })
    expect([answer.statusCode, answer.body]).toEqual([409, expect.stringContaining('consent')])
  })

  it('a session waits for its recording, and asked for again it is the same one', async () => {
    const recordingId = randomUUID()
    const given = { recordingId, noteType: 'dap', sessionType: 'individual', treatmentApproaches: ['CBT'] }
    const session = await openRecording(clinician, partner.clientId, given)
    expect(session).toMatchObject({
      status: 'awaiting_audio',
      stage: 'recording',
      stageProgress: null,
      noteType: 'dap',
      hasAudio: false,
      client: { id: partner.clientId },
      note: { isLoading: true, status: 'generating' },
    })
    const again = await Promise.all(
      Array.from({ length: 5 }, () => openRecording(clinician, partner.clientId, given)),
    )
    expect(new Set(again.map(({ sessionId }) => sessionId))).toEqual(new Set([session.sessionId]))
    const note = await clinician.call('GET', `/sessions/${session.sessionId}/progress-note`)
    expect(note.json<ProgressNote>()).toMatchObject({
      template: { sessionType: 'individual' },
      preferences: { treatmentApproaches: ['CBT'] },
    })
    expect(note.headers.etag).toBe(session.note.etag)
  })

  it('400 for a prescriber note type of a clinician who is none', async () => {
    await giveConsent(clinician, partner.clientId)
    const answer = await clinician.call('POST', `/clients/${partner.clientId}/sessions`, {
      recordingId: randomUUID(),
      noteType: 'medication_management',
    })
    expect(answer.statusCode).toBe(400)
  })

  it('the newest comes first, of the clinician and of the client', async () => {
    const session = await openRecording(clinician, partner.clientId)
    for (const path of ['/sessions', `/clients/${partner.clientId}/sessions`]) {
      const { data, meta } = (await clinician.call('GET', path)).json<Page<WidgetSession>>()
      expect(data[0]?.sessionId).toBe(session.sessionId)
      expect(data.at(-1)).toMatchObject({
        sessionId: partner.sessionId,
        hasTranscript: true,
        hasSummary: true,
      })
      expect(meta.totalItems).toBe(data.length)
    }
  })

  it('a discarded recording leaves the lists, fails its session and sends no event', async () => {
    const { sessionId } = await openRecording(clinician, partner.clientId)
    for (const path of [`/sessions/${sessionId}/discard`, `/sessions/${sessionId}/discard`])
      expect((await clinician.call('POST', path)).statusCode).toBe(204)
    const read = await clinician.call('GET', `/sessions/${sessionId}`)
    expect(read.json()).toMatchObject({ stage: 'failed', failure: 'The recording was discarded' })
    const { data } = (await clinician.call('GET', '/sessions')).json<Page<WidgetSession>>()
    expect(data.map((session) => session.sessionId)).not.toContain(sessionId)
    expect(await listEvents(service, { tenantId: partner.partnerId }, sessionId)).toEqual([])
    expect((await clinician.call('POST', `/sessions/${partner.sessionId}/discard`)).statusCode).toBe(409)
  })

  it('every read is recorded with the clinician and the client', async () => {
    await clinician.call('GET', `/sessions/${partner.sessionId}/transcript`)
    const tenant = { tenantId: partner.partnerId }
    const subjects = await listSubjects(service, tenant, 'widget.readTranscript', partner.sessionId)
    expect(subjects).toEqual([[partner.sessionId, partner.clientId]])
  })

  it('404 for what has not been made', async () => {
    expect((await clinician.call('GET', `/sessions/${partner.sessionId}/mdm`)).statusCode).toBe(404)
  })
})
