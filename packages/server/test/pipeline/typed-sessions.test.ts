import { randomUUID } from 'node:crypto'
import type {
  CorrectedClient,
  PartnerApiError,
  ProgressNote,
  Session,
  Summary,
  Transcript,
  WidgetSession,
} from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/features/clients/index.js'
import { operator } from '../../src/kernel/operator.js'
import { runCasenote } from '../support/casenote-process.js'
import { listEvents } from '../support/outcomes.js'
import { addColleague, signIn, type SignedIn } from '../widget/widget-fixture.js'
import { openPipelineRun, type PipelineRun } from './pipeline-fixture.js'

let run: PipelineRun
let clinician: SignedIn

beforeAll(async () => {
  run = await openPipelineRun('start')
  clinician = await signIn(run.service, run.partner)
})
afterAll(() => run.close())

const text = `Client reports low mood since May, worse in the mornings.
Denies SI and HI when asked. Brother died by suicide in 2019.
Takes sertraline 50 mg in the morning.

Plan: sleep diary
back in one week`

const tenantOf = () => ({ tenantId: run.partner.partnerId })
const pathOf = (sessionId: string, what: string): string => `/sessions/${sessionId}/${what}`

const create = async (given: object): Promise<Session> => {
  const { status, body } = await run.call<Session>('POST', `/clients/${run.partner.clientId}/sessions`, given)
  expect(status).toBe(201)
  return body
}

const evidenceOf = ({ note }: ProgressNote) => note.flatMap(({ evidence }) => evidence)

describe('a session that its clinician typed', () => {
  let session: Session
  let sessionId: string

  beforeAll(async () => {
    session = await create({ text, sessionExternalId: 'visit-9' })
    sessionId = session.id
    await run.sessionEnded(sessionId)
  })

  it('is created as any other, and completed', async () => {
    expect(session).toMatchObject({ source: 'typed', status: 'fetching', fileUrl: null, progress: 0 })
    const { body } = await run.call<Session>('GET', `/sessions/${sessionId}`)
    expect(body).toMatchObject({ status: 'completed', source: 'typed' })
  })

  it('has their words as its transcript, line by line, marked as typed', async () => {
    const { body } = await run.call<Transcript>('GET', pathOf(sessionId, 'transcript'))
    expect(body.transcriptItems.map(({ transcript }) => transcript)).toEqual([
      'Client reports low mood since May, worse in the mornings.',
      'Denies SI and HI when asked. Brother died by suicide in 2019.',
      'Takes sertraline 50 mg in the morning.',
      'Plan: sleep diary',
      'back in one week',
    ])
    for (const item of body.transcriptItems)
      expect(item).toMatchObject({ speaker: 'clinician', source: 'typed', startTime: 0, endTime: 0 })
  })

  it('has a note of all of them, each once, as the clinician’s words and with its place', async () => {
    const { body } = await run.call<ProgressNote>('GET', pathOf(sessionId, 'progress-note'))
    const own = evidenceOf(body).filter(({ judgement }) => judgement === 'clinicians_words')
    expect(own.map(({ sentence, transcriptItems }) => [sentence, transcriptItems])).toEqual(
      expect.arrayContaining([
        ['Client reports low mood since May, worse in the mornings.', [0]],
        ['Denies SI and HI when asked.', [1]],
        ['Brother died by suicide in 2019.', [1]],
        ['Takes sertraline 50 mg in the morning.', [2]],
        ['sleep diary', [3]],
        ['back in one week', [4]],
      ]),
    )
    expect(own).toHaveLength(6)
    const plan = body.note.find(({ key }) => key === 'plan')
    expect(plan?.content).toBe('sleep diary\n\nback in one week')
    expect(body.review).toEqual([])
    expect(JSON.stringify(body.note)).not.toContain('not asked')
    const summary = await run.call<Summary>('GET', pathOf(sessionId, 'summary'))
    expect(summary.body.summary).toMatch(/Denies SI and HI when asked\.[^]*sleep diary/)
  })

  it('tells of it by the usual events in the usual order', async () => {
    const events = await listEvents(run.service, tenantOf(), sessionId)
    expect(events.map(({ eventType }) => eventType)).toEqual(['transcript_ready', 'progress_note_generated'])
    for (const { payload } of events) expect(payload).toMatchObject({ sessionExternalId: 'visit-9' })
    const history = await run.rows<{ toStatus: string }>(
      `select to_status as "toStatus" from casenote.session_status_history
        where tenant_id = $1 and session_id = $2 order by seq`,
      sessionId,
    )
    expect(history.map(({ toStatus }) => toStatus)).toEqual([
      'fetching',
      'transcribing',
      'generating',
      'completed',
    ])
  })

  it('is sealed, and has no speakers to correct', async () => {
    const kept = await run.rows<{ sealed: Buffer }>(
      'select sealed_text as sealed from casenote.session_texts where tenant_id = $1',
    )
    expect(kept.length).toBeGreaterThan(0)
    for (const { sealed } of kept) expect(sealed.includes('sertraline')).toBe(false)
    const given = { speakers: { clinician: 'client' } }
    expect((await run.call('PATCH', pathOf(sessionId, 'transcript'), given)).status).toBe(409)
  })
})

/** As if it had failed: what was made of it is not looked at. */
const markFailed = (sessionId: string): Promise<unknown> =>
  run.rows(
    `update casenote.sessions set status = 'failed', failure_code = 'processing_failed', progress = 0.5
      where tenant_id = $1 and session_id = $2 returning 1`,
    sessionId,
  )

const retryByOperator = async (sessionId: string, ...options: string[]): Promise<string> => {
  const { stdout, code } = await runCasenote(['session', 'retry', sessionId, '--json', ...options], {
    ...run.env,
    CASENOTE_MIGRATE_URL: run.service.database.migrateUrl,
  })
  expect(code).toBe(0)
  const [{ retryId }] = JSON.parse(stdout) as [{ retryId: string }]
  return retryId
}

describe('a typed session beside the others', () => {
  it('is one session however often the widget sends it, asks for no consent, and goes to the right client', async () => {
    const recordingId = randomUUID()
    const send = (clientId = run.partner.clientId, sent = text) =>
      clinician.call('POST', `/clients/${clientId}/typed-sessions`, {
        recordingId,
        text: sent,
        noteType: 'dap',
      })
    const first = await send()
    expect([first.statusCode, (await send()).statusCode]).toEqual([201, 201])
    const { sessionId, source } = first.json<WidgetSession>()
    expect([(await send()).json<WidgetSession>().sessionId, source]).toEqual([sessionId, 'typed'])
    // What was added after an answer that was lost is not taken for what is here.
    const added = await send(run.partner.clientId, `${text} One word more.`)
    expect([added.statusCode, added.body]).toEqual([409, expect.stringContaining('sent already')])
    const asRecording = `/clients/${run.partner.clientId}/sessions`
    expect((await clinician.call('POST', asRecording, { recordingId, noteType: 'dap' })).statusCode).toBe(409)
    await run.sessionEnded(sessionId)
    const putRight = await clinician.call('POST', pathOf(sessionId, 'transcript/corrections'), {
      item: 2,
      before: 'Takes sertraline 50 mg in the morning.',
      after: 'Takes sertraline 100 mg in the morning.',
    })
    expect(putRight.statusCode).toBe(200)
    const rightId = await run.service.db.write(tenantOf(), (tx) =>
      createClient(
        tx,
        {
          clinicianId: run.partner.clinicianId,
          firstName: 'Rose',
          lastName: 'Right',
          dateOfBirth: '1990-01-02',
          email: null,
          phoneNumber: null,
          externalId: null,
        },
        operator,
      ),
    )
    expect((await send(rightId)).statusCode).toBe(409)
    const path = `/sessions/${sessionId}/correct-client`
    const answer = await clinician.call('POST', path, { clientId: rightId })
    expect(answer.statusCode).toBe(200)
    const { session } = answer.json<CorrectedClient>()
    expect(session).toMatchObject({ client: { id: rightId }, source: 'typed', noteType: 'dap' })
    expect(await run.sessionEnded(session.sessionId)).toMatchObject({ status: 'completed' })
    const note = await run.noteAtRest(session.sessionId)
    expect(JSON.stringify(note.note)).toContain('sertraline 100 mg')
    const withdrawn = await clinician.call('GET', `/sessions/${sessionId}`)
    expect(withdrawn.json<WidgetSession>().failure).toBe(
      'The session was withdrawn: it was recorded or typed under the wrong client',
    )
    const gone = await run.call('GET', pathOf(sessionId, 'transcript'))
    expect(JSON.stringify(gone.body)).not.toContain('sertraline')
    expect(
      await run.rows(
        'select session_id as "sessionId" from casenote.session_texts where tenant_id = $1 and session_id = any($2)',
        [sessionId, session.sessionId],
      ),
    ).toEqual([{ sessionId: session.sessionId }])
  })

  it('gets no note in another language, is told so, and is written all the same on the clinician’s word', async () => {
    const spanish =
      'La paciente refiere tristeza desde la primavera y se despierta a las tres todas las noches. Niega ideas de muerte. Plan: diario de sueño.'
    const answer = await clinician.call('POST', `/clients/${run.partner.clientId}/typed-sessions`, {
      recordingId: randomUUID(),
      text: spanish,
    })
    const { sessionId } = answer.json<WidgetSession>()
    expect(await run.sessionEnded(sessionId)).toMatchObject({ status: 'failed' })
    const events = await listEvents(run.service, tenantOf(), sessionId)
    expect(events).toMatchObject([
      {
        eventType: 'session_transcript_error',
        payload: { error: 'The text is not in English, the one language that notes are written from' },
      },
    ])
    const { body } = await run.call<ProgressNote>('GET', pathOf(sessionId, 'progress-note'))
    expect(body).toMatchObject({ status: 'failed', note: [] })
    const seen = (await clinician.call('GET', `/sessions/${sessionId}`)).json<WidgetSession>()
    expect(seen).toMatchObject({ canWriteAnyway: true })
    const again = () => clinician.call('POST', `/sessions/${sessionId}/write-anyway`)
    const [first, second] = [await again(), await again()]
    expect([first.statusCode, second.statusCode]).toEqual([200, 200])
    const { sessionId: againId } = first.json<WidgetSession>()
    expect(second.json<WidgetSession>().sessionId).toBe(againId)
    expect(await run.sessionEnded(againId)).toMatchObject({ status: 'completed', retryOf: sessionId })
    expect((await clinician.call('POST', `/sessions/${againId}/write-anyway`)).statusCode).toBe(409)
    // A partner without the widget says it when it sends the text once more; the operator for both.
    const said = await create({ text: spanish, language: 'en' })
    expect(said).toMatchObject({ language: 'en', retryOf: null })
    expect(await run.sessionEnded(said.id)).toMatchObject({ status: 'completed' })
    const { id: unsaid, language } = await create({ text: spanish })
    expect([language, (await run.sessionEnded(unsaid)).status]).toEqual([null, 'failed'])
    const retried = await retryByOperator(unsaid, '--english')
    expect(await run.sessionEnded(retried)).toMatchObject({ status: 'completed', language: 'en' })
  })

  it('is tried again, or read to be typed on, by its clinician alone', async () => {
    const { id } = await create({ text })
    await run.sessionEnded(id)
    await markFailed(id)
    const other = await signIn(
      run.service,
      run.partner,
      (await addColleague(run.service, run.partner)).clinicianId,
    )
    for (const [method, way] of [
      ['POST', 'try-again'],
      ['GET', 'text'],
    ] as const)
      expect((await other.call(method, `/sessions/${id}/${way}`)).statusCode).toBe(404)
    expect((await clinician.call('GET', `/sessions/${id}/text`)).json()).toEqual({ text })
    const seen = (await clinician.call('GET', `/sessions/${id}`)).json<WidgetSession>()
    expect(seen).toMatchObject({ canBeTriedAgain: true, canWriteAnyway: false })
    expect((await clinician.call('POST', `/sessions/${id}/write-anyway`)).statusCode).toBe(409)
    const tryAgain = () => clinician.call('POST', `/sessions/${id}/try-again`)
    expect((await run.call('POST', `/clients/${run.partner.clientId}/archive`)).status).toBe(200)
    const refused = await tryAgain()
    expect([refused.statusCode, refused.json<PartnerApiError>().error.message]).toEqual([
      409,
      'The client is archived. Have the client made active again, then the session can be tried again.',
    ])
    expect((await run.call('POST', `/clients/${run.partner.clientId}/unarchive`)).status).toBe(200)
    const again = await tryAgain()
    const { sessionId } = again.json<WidgetSession>()
    expect(await run.sessionEnded(sessionId)).toMatchObject({ status: 'completed', retryOf: id })
    // It is the other session's by now.
    expect((await clinician.call('GET', `/sessions/${id}/text`)).json()).toEqual({ text: null })
    expect((await clinician.call('POST', `/sessions/${sessionId}/try-again`)).statusCode).toBe(409)
  })

  it('is signed by its clinician and co-signed by their supervisor, as a recorded one', async () => {
    const { clinicianId: supervisorId } = await addColleague(run.service, run.partner)
    const supervisor = await signIn(run.service, run.partner, supervisorId)
    const clinicianPath = `/clinicians/${run.partner.clinicianId}`
    expect((await run.call('PATCH', clinicianPath, { supervisorId })).status).toBe(200)
    const { id } = await create({ text })
    await run.sessionEnded(id)
    const sign = async (by: SignedIn) =>
      (await by.call('POST', `/sessions/${id}/progress-note/finalize`, {})).json<ProgressNote>()
    expect(await sign(clinician)).toMatchObject({ status: 'generated', coSignature: { state: 'awaited' } })
    expect((await supervisor.call('GET', `/sessions/${id}/transcript`)).statusCode).toBe(200)
    // What was typed is the clinician's; the supervisor reads the transcript that came of it.
    expect((await supervisor.call('GET', `/sessions/${id}/text`)).statusCode).toBe(404)
    const signed = await sign(supervisor)
    expect(signed).toMatchObject({ status: 'finalized', coSignedBy: { id: supervisorId } })
    await run.call('PATCH', clinicianPath, { supervisorId: null })
  })

  it('is tried again from the same text', async () => {
    const { id } = await create({ text })
    await run.sessionEnded(id)
    await markFailed(id)
    const retryId = await retryByOperator(id)
    expect(await run.sessionEnded(retryId)).toMatchObject({
      status: 'completed',
      source: 'typed',
      retryOf: id,
    })
    const { body } = await run.call<Transcript>('GET', pathOf(retryId, 'transcript'))
    expect(body.transcriptItems).toHaveLength(5)
  })
})
