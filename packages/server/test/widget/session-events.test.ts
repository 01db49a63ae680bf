import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { WidgetSession } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeRecordingOf } from './complete-recording-of.js'
import { createClient } from '../../src/features/clients/index.js'
import { recordProgress, startTranscribing } from '../../src/features/sessions/index.js'
import { completeTranscript } from '../../src/features/transcripts/index.js'
import { operator } from '../../src/kernel/operator.js'
import { signToken } from '../../src/kernel/secrets/signed-tokens.js'
import { waitUntil } from '../support/casenote-process.js'
import { asPipeline, someItems } from '../support/clinical-record.js'
import { listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague, giveConsent, openRecording, signIn, type SignedIn } from './widget-fixture.js'
import { makeWrittenSession } from './written-session.js'

let service: TestService
let partner: TestPartner
let clinician: SignedIn
let url: string

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  clinician = await signIn(service, partner)
  await service.api.app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(service.api.app.server.address() as AddressInfo).port}/widget/v1`
})
afterAll(() => service.close())

interface Opened {
  status: number
  type: string | null
  sessions: WidgetSession[]
  isEnded(): boolean
  stop(): void
}

/** Reads a stream of events as the frame does. */
async function watch(sessionId: string, headers = clinician.headers): Promise<Opened> {
  const controller = new AbortController()
  const answer = await fetch(`${url}/sessions/${sessionId}/events`, { headers, signal: controller.signal })
  const sessions: WidgetSession[] = []
  let isEnded = false
  const read = async (): Promise<void> => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(piece, { stream: true })
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const data = /^event: session\ndata: (.*)$/m.exec(text.slice(0, end))?.[1]
        if (data !== undefined) sessions.push(JSON.parse(data) as WidgetSession)
        text = text.slice(end + 2)
      }
    }
  }
  void read()
    .catch(() => {})
    .finally(() => (isEnded = true))
  const type = answer.headers.get('content-type')
  return { status: answer.status, type, sessions, isEnded: () => isEnded, stop: () => controller.abort() }
}

const tenantOf = () => ({ tenantId: partner.partnerId })

describe('GET /sessions/{sessionId}/events', () => {
  it('tells the session at once and at each change, also when another process made it', async () => {
    const { sessionId } = await openRecording(clinician, partner.clientId)
    const stream = await watch(sessionId)
    expect([stream.status, stream.type]).toEqual([200, 'text/event-stream; charset=utf-8'])
    await waitUntil(async () => stream.sessions.length === 1, 'the first event')
    await completeRecordingOf(clinician, sessionId)
    await waitUntil(async () => stream.sessions.at(-1)?.stage === 'preparing', 'preparing')
    const context = asPipeline(await service.keys.get(tenantOf()))
    await service.owner.write(tenantOf(), async (tx) => {
      await startTranscribing(tx, sessionId)
      await recordProgress(tx, sessionId, 0.4)
    })
    await waitUntil(async () => (stream.sessions.at(-1)?.stageProgress ?? 0) > 0.4, 'half transcribed')
    expect(stream.sessions.at(-1)).toMatchObject({ stage: 'transcribing', progress: 0.4 })
    await service.owner.write(tenantOf(), (tx) =>
      completeTranscript(tx, context, { sessionId, items: someItems, madeBy: 'test' }),
    )
    await waitUntil(async () => stream.sessions.at(-1)?.hasTranscript === true, 'the transcript')
    expect(stream.sessions.at(-1)).toMatchObject({ stage: 'writing', note: { isLoading: true } })
    expect(await listSubjects(service, tenantOf(), 'widget.watchSession', sessionId)).toHaveLength(1)
    stream.stop()
  })

  it('nothing is said when nothing that it shows has changed', async () => {
    const stream = await watch(partner.sessionId)
    const other = await openRecording(clinician, partner.clientId)
    const second = await watch(other.sessionId)
    await completeRecordingOf(clinician, other.sessionId)
    await waitUntil(async () => second.sessions.at(-1)?.stage === 'preparing', 'the other session')
    expect(stream.sessions).toHaveLength(1)
    stream.stop()
    second.stop()
  })

  it('tells of an addendum; and one that was withdrawn ends for the others, and holds up nobody', async () => {
    const wrong = await makeWrittenSession(service, partner, clinician)
    const { clinicianId } = await addColleague(service, partner)
    const colleague = await signIn(service, partner, clinicianId)
    await service.call({
      method: 'POST',
      url: `/v2/clients/${partner.clientId}/secondary-clinicians`,
      headers: partner.headers,
      payload: { clinicianIds: [clinicianId] },
    })
    const withdrawn = await watch(wrong, colleague.headers)
    const signed = await makeWrittenSession(service, partner, clinician)
    const other = await watch(signed)
    await waitUntil(async () => withdrawn.sessions.length + other.sessions.length === 2, 'the first events')
    const person = { firstName: 'Ben', lastName: 'Right', dateOfBirth: '1985-05-05' }
    const contact = { email: null, phoneNumber: null, externalId: null }
    const right = { ...person, ...contact, clinicianId: partner.clinicianId }
    const rightId = await service.owner.write(tenantOf(), (tx) => createClient(tx, right, operator))
    await giveConsent(clinician, rightId)
    const corrected = await clinician.call('POST', `/sessions/${wrong}/correct-client`, { clientId: rightId })
    expect(corrected.statusCode).toBe(200)
    await waitUntil(async () => withdrawn.isEnded(), 'the end')
    await clinician.call('POST', `/sessions/${signed}/progress-note/finalize`)
    await waitUntil(async () => other.sessions.at(-1)?.note.status === 'finalized', 'the signature')
    const before = other.sessions.at(-1)?.note.etag
    await clinician.call('POST', `/sessions/${signed}/progress-note/addenda`, { text: 'She called.' })
    await waitUntil(async () => other.sessions.at(-1)?.note.etag !== before, 'the addendum')
    other.stop()
  })

  it('ends with the access token', async () => {
    const claims = { sub: partner.clinicianId, wsid: await widgetSessionOf(clinician) }
    const ring = await service.keys.get(tenantOf())
    const short = signToken(ring, 'clinician', claims, { nowMs: Date.now(), seconds: 2 })
    const stream = await watch(partner.sessionId, { authorization: `Bearer ${short}` })
    await waitUntil(async () => stream.sessions.length === 1, 'the first event')
    await waitUntil(async () => stream.isEnded(), 'the end', 5_000)
  })

  it('ends when its browser session logs out, at the next change of any session', async () => {
    const other = await signIn(service, partner)
    const stream = await watch(partner.sessionId, other.headers)
    await waitUntil(async () => stream.sessions.length === 1, 'the first event')
    await other.call('POST', '/logout', {})
    await completeRecordingOf(clinician, (await openRecording(clinician, partner.clientId)).sessionId)
    await waitUntil(async () => stream.isEnded(), 'the end', 5_000)
  })

  it('404 for another clinician; 401 without a token', async () => {
    const { clinicianId } = await addColleague(service, partner)
    const colleague = await signIn(service, partner, clinicianId)
    expect((await watch(partner.sessionId, colleague.headers)).status).toBe(404)
    expect((await watch(partner.sessionId, { authorization: 'Bearer x' })).status).toBe(401)
    expect((await watch(randomUUID())).status).toBe(404)
  })

  it('429 beyond 20 streams of one clinician', async () => {
    const { clinicianId, clientId } = await addColleague(service, partner)
    const colleague = await signIn(service, partner, clinicianId)
    const { sessionId } = await openRecording(colleague, clientId)
    const streams: Opened[] = []
    for (let count = 0; count < 20; count += 1) streams.push(await watch(sessionId, colleague.headers))
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await watch(sessionId, colleague.headers)).status).toBe(429)
    streams[0]?.stop()
    await waitUntil(async () => {
      const next = await watch(sessionId, colleague.headers)
      next.stop()
      return next.status === 200
    }, 'there is room again')
    for (const stream of streams) stream.stop()
  })

  it('a process that stops ends its streams at once', async () => {
    const peer = await service.makePeer()
    await peer.api.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = peer.api.app.server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}/widget/v1/sessions/${partner.sessionId}/events`, {
      headers: clinician.headers,
    })
    const before = Date.now()
    await peer.close()
    expect(await answer.text()).toContain('event: session')
    expect(Date.now() - before).toBeLessThan(3_000)
  })
})

async function widgetSessionOf({ clinicianId }: SignedIn): Promise<string> {
  const [row] = await service.owner.write(tenantOf(), (tx) =>
    tx.run<{ id: string }>({
      text: `select widget_session_id as id from casenote.widget_sessions
        where tenant_id = $1 and clinician_id = $2 and ended_at is null limit 1`,
      values: [partner.partnerId, clinicianId],
    }),
  )
  return row?.id ?? ''
}
