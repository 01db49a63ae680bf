import { randomUUID } from 'node:crypto'
import type {
  CorrectedClient,
  PartnerApiError,
  ProgressNote,
  Session,
  Transcript,
  WidgetSession,
} from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/features/clients/index.js'
import { setRequiresConsent } from '../../src/features/partners/index.js'
import { operator } from '../../src/kernel/operator.js'
import { listEvents, listSubjects } from '../support/outcomes.js'
import { creationHeaders, patchHeaders, signIn, type SignedIn } from '../widget/widget-fixture.js'
import { openPipelineRun, visit, type PipelineRun } from './pipeline-fixture.js'

let run: PipelineRun
let clinician: SignedIn

/** The partner asks for consent, and this client never agreed to be recorded. */
beforeAll(async () => {
  run = await openPipelineRun('start')
  clinician = await signIn(run.service, run.partner)
  await setRequiresConsent(run.service.owner, tenantOf(), true)
  // Two people speak in it: whoever calls that a dictation says that both are the clinician.
  run.files.serve('/dictation.ogg', visit('mood and doses'))
})
afterAll(() => run.close())

const tenantOf = () => ({ tenantId: run.partner.partnerId })
const create = (given: object) =>
  run.call<Session & PartnerApiError>('POST', `/clients/${run.partner.clientId}/sessions`, given)
const read = async <Body>(sessionId: string, what: string): Promise<Body> =>
  (await run.call<Body>('GET', `/sessions/${sessionId}/${what}`)).body
const codeOf = (answer: { statusCode: number; headers: object }): unknown[] => [
  answer.statusCode,
  (answer.headers as Record<string, string>)['casenote-error-code'],
]

const expectDictated = ({ transcriptItems, speakers, isOneVoice }: Transcript): void => {
  expect(transcriptItems.length).toBeGreaterThan(0)
  for (const item of transcriptItems) {
    expect(item).toMatchObject({ speaker: 'clinician', source: 'dictated' })
    expect(item).not.toHaveProperty('voice')
  }
  expect(transcriptItems.at(-1)?.endTime).toBeGreaterThan(10)
  expect([speakers, isOneVoice]).toEqual([undefined, undefined])
}

const addClient = (): Promise<string> =>
  run.service.owner.write(tenantOf(), (tx) =>
    createClient(
      tx,
      {
        firstName: 'Robin',
        lastName: 'Right',
        dateOfBirth: '1985-05-05',
        email: null,
        phoneNumber: null,
        externalId: null,
        clinicianId: run.partner.clinicianId,
      },
      operator,
    ),
  )

describe('a dictation behind a fileUrl', () => {
  let sessionId: string

  it('needs no consent where a recording does', async () => {
    const fileUrl = run.files.urlOf('/dictation.ogg')
    expect((await create({ fileUrl })).status).toBe(409)
    expect((await create({ fileUrl, dictated: false })).status).toBe(409)
    const { status, body } = await create({ fileUrl, dictated: true, sessionExternalId: 'visit-7' })
    expect([status, body.source, body.fileUrl]).toEqual([201, 'dictated', fileUrl])
    sessionId = body.id
    expect((await run.sessionEnded(sessionId)).status).toBe('completed')
  })

  it('is the clinician’s words, whoever is heard in it, and told by the usual events', async () => {
    expectDictated(await read<Transcript>(sessionId, 'transcript'))
    const events = await listEvents(run.service, tenantOf(), sessionId)
    expect(events.map(({ eventType }) => eventType)).toEqual(['transcript_ready', 'progress_note_generated'])
  })

  it('has a note of their sentences, each as their own and with its place', async () => {
    const { transcriptItems } = await read<Transcript>(sessionId, 'transcript')
    const { note } = await read<ProgressNote>(sessionId, 'progress-note')
    const evidence = note.flatMap((section) => section.evidence)
    const own = evidence.filter(({ judgement }) => judgement === 'clinicians_words')
    expect(own.length).toBeGreaterThan(0)
    for (const { sentence, transcriptItems: places } of own) {
      const said = places.map((at) => transcriptItems[at]?.transcript ?? '').join(' ')
      expect(said).toContain(sentence)
    }
    const all = note.map(({ content }) => content).join('\n')
    for (const { transcript } of transcriptItems) expect(all).toContain(transcript.split(/(?<=[.?!]) /)[0])
    expect(all).not.toMatch(/not asked|was typed|clinician typed/)
  })

  it('stands in the audit log with who said that it is one, and has no speakers to correct', async () => {
    expect(await listSubjects(run.service, tenantOf(), 'session.dictate', sessionId)).toHaveLength(1)
    const patch = await run.call<PartnerApiError>('PATCH', `/sessions/${sessionId}/transcript`, {
      speakers: { clinician: 'client' },
    })
    expect([patch.status, patch.body.error.message]).toEqual([
      409,
      'The transcript was dictated by the clinician: it has no speakers to correct',
    ])
  })

  it('is refused with a text, and where it is neither true nor false', async () => {
    const refused = await create({ text: 'Denies SI.', dictated: true })
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining('dictated must not be given together with text'),
    ])
    expect((await create({ fileUrl: run.files.urlOf('/dictation.ogg'), dictated: 'yes' })).status).toBe(400)
    expect((await create({ dictated: true })).status).toBe(400)
    expect((await create({ text: 'Denies SI.', dictated: false })).status).toBe(201)
  })

  it('stays one, and asks for no consent, when it is tried again and when it goes to the right client', async () => {
    await run.rows(
      `update casenote.sessions set status = 'failed', failure_code = 'processing_failed', progress = 0.5
        where tenant_id = $1 and session_id = $2 returning 1`,
      sessionId,
    )
    const again = await clinician.call('POST', `/sessions/${sessionId}/try-again`)
    const retried = again.json<WidgetSession>()
    expect([again.statusCode, retried.source]).toEqual([200, 'dictated'])
    await run.sessionEnded(retried.sessionId)
    const clientId = await addClient()
    const corrected = await clinician.call('POST', `/sessions/${retried.sessionId}/correct-client`, {
      clientId,
    })
    const { session } = corrected.json<CorrectedClient>()
    expect([corrected.statusCode, session.source, session.client.id]).toEqual([200, 'dictated', clientId])
    await run.sessionEnded(session.sessionId)
    expectDictated(await read<Transcript>(session.sessionId, 'transcript'))
  })
})

describe('a dictation of the widget', () => {
  it('is one session however often it is begun, and never one that is recorded', async () => {
    const recordingId = randomUUID()
    const at = (kind: string) =>
      clinician.call('POST', `/clients/${run.partner.clientId}/${kind}`, { recordingId })
    expect(codeOf(await at('sessions'))).toEqual([409, 'consent_missing'])
    const begun = await at('dictated-sessions')
    const { sessionId, source } = begun.json<WidgetSession>()
    expect([begun.statusCode, source]).toEqual([201, 'dictated'])
    expect((await at('dictated-sessions')).json<WidgetSession>().sessionId).toBe(sessionId)
    expect(codeOf(await at('sessions'))).toEqual([409, 'session_made_otherwise'])
    expect(await listSubjects(run.service, tenantOf(), 'session.dictate', sessionId)).toHaveLength(1)
    // Nor does a recording become a dictation once somebody withdrew.
    const clientId = await addClient()
    const say = (given: boolean) =>
      clinician.call('POST', `/clients/${clientId}/consent`, { textVersion: '2026-11', given })
    await say(true)
    const other = { recordingId: randomUUID() }
    expect((await clinician.call('POST', `/clients/${clientId}/sessions`, other)).statusCode).toBe(201)
    await say(false)
    expect(codeOf(await clinician.call('POST', `/clients/${clientId}/dictated-sessions`, other))).toEqual([
      409,
      'session_made_otherwise',
    ])
  })

  it('goes on when the client says no, and is heard to its end', async () => {
    const clientId = await addClient()
    const path = `/clients/${clientId}`
    const begun = await clinician.call('POST', `${path}/dictated-sessions`, {
      recordingId: randomUUID(),
      startedAt: new Date().toISOString(),
      sentAt: new Date().toISOString(),
    })
    const { sessionId } = begun.json<WidgetSession>()
    const uploadId = randomUUID()
    const sound = visit('mood and doses', 'webm')
    const half = Math.floor(sound.length / 2)
    const uploads = `/sessions/${sessionId}/uploads`
    expect((await clinician.call('POST', uploads, undefined, creationHeaders(uploadId))).statusCode).toBe(201)
    const send = (bytes: Buffer, from: number, whole?: number) =>
      clinician.call('PATCH', `/uploads/${uploadId}`, bytes, patchHeaders(from, whole))
    expect((await send(sound.subarray(0, half), 0)).statusCode).toBe(204)
    await clinician.call('POST', `${path}/consent`, { textVersion: '2026-11', given: true })
    await clinician.call('POST', `${path}/consent`, { textVersion: '2026-11', given: false })
    const rest = await send(sound.subarray(half), half, sound.length)
    expect([rest.statusCode, rest.headers['casenote-recording-consent']]).toEqual([204, undefined])
    const whole = await clinician.call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [uploadId] })
    expect(whole.statusCode).toBe(200)
    expect((await run.sessionEnded(sessionId)).status).toBe('completed')
    expectDictated(await read<Transcript>(sessionId, 'transcript'))
  })
})
