import { randomUUID } from 'node:crypto'
import type {
  ClientExport,
  CorrectedClient,
  OpenDanger,
  Page,
  ProgressNote,
  Session,
  WidgetSession,
  WithdrawnSession,
} from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/features/clients/index.js'
import { liftLegalHold, placeLegalHold } from '../../src/features/erasure/index.js'
import { failGeneration, findNoteOfSession, magicEditNote } from '../../src/features/progress-notes/index.js'
import { failSession, receiveRecording } from '../../src/features/sessions/index.js'
import { fileUrlPlace } from '../../src/features/sessions/describe-session.js'
import { saveSummary } from '../../src/features/summaries/index.js'
import { completeTranscript, saveReading } from '../../src/features/transcripts/index.js'
import { writeBlob } from '../../src/kernel/blobs/index.js'
import { operator } from '../../src/kernel/operator.js'
import { sealJson } from '../../src/kernel/secrets/sealed-json.js'
import { dangerOf, readAs } from '../engines/session-fixtures.js'
import { asPipeline, someItems } from '../support/clinical-record.js'
import { listEvents, listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { completeRecordingOf } from './complete-recording-of.js'
import { addColleague, giveConsent, openRecording, signIn, type SignedIn } from './widget-fixture.js'
import { makeWrittenSession } from './written-session.js'

let service: TestService
let partner: TestPartner
let clinician: SignedIn
let colleague: { clinicianId: string; clientId: string }
/** The clinician's own, who agreed to be recorded. */
let rightId: string

const tenantOf = () => ({ tenantId: partner.partnerId })
const openContext = async () => asPipeline(await service.keys.get(tenantOf()))

const addClient = (lastName: string): Promise<string> =>
  service.owner.write(tenantOf(), (tx) => {
    const person = { firstName: 'Ben', lastName, dateOfBirth: '1985-05-05' }
    const contact = { email: null, phoneNumber: null, externalId: null }
    return createClient(tx, { ...person, ...contact, clinicianId: partner.clinicianId }, operator)
  })

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  clinician = await signIn(service, partner)
  colleague = await addColleague(service, partner)
  rightId = await addClient('Right')
  await giveConsent(clinician, rightId)
})
afterAll(() => service.close())

const makeWritten = () =>
  makeWrittenSession(service, partner, clinician, { sessionExternalId: 'visit-wrong' })

async function magicEditAndFail(sessionId: string): Promise<void> {
  const context = await openContext()
  const note = await findNoteOfSession(service.db, tenantOf(), sessionId)
  await service.db.write(tenantOf(), async (tx) => {
    const row = await magicEditNote(tx, context, note?.noteId ?? '', 'Make it shorter')
    await failGeneration(tx, context, { generationId: row.activeGenerationId ?? '', reason: 'x' })
  })
}

const correct = (sessionId: string, body: object, by = clinician) =>
  by.call('POST', `/sessions/${sessionId}/correct-client`, body)

const copy = (sessionId: string, body: object) =>
  clinician.call('POST', `/sessions/${sessionId}/progress-note/copies`, body)

const ask = async <Answer>(path: string): Promise<Answer> =>
  (await service.ask(partner, 'GET', path)).json<Answer>()

const rows = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await service.db.read(tenantOf(), { text, values: [partner.partnerId, ...values] })) as Row[]

const readNote = (sessionId: string) => ask<ProgressNote>(`/sessions/${sessionId}/progress-note`)

/** As where a step beside the note failed: `fail` has no way out of `completed`. */
async function makeFailedAfterTranscript(): Promise<string> {
  const sessionId = await makeWritten()
  await service.owner.write(tenantOf(), (tx) =>
    tx.run({
      text: `update casenote.sessions set status = 'generating', progress = 0.9 where tenant_id = $1 and session_id = $2`,
      values: [partner.partnerId, sessionId],
    }),
  )
  const context = await openContext()
  await service.db.write(tenantOf(), (tx) => failSession(tx, context, { sessionId, failure: 'no_room' }))
  return sessionId
}

describe('a recording under the wrong client', () => {
  it('becomes a session of the right one; the wrong one is withdrawn with its note, and its copies are named', async () => {
    const wrong = await makeWritten()
    const { progressNoteId } = await readNote(wrong)
    expect((await copy(wrong, { to: 'page', chartClientId: partner.clientId })).statusCode).toBe(204)
    expect((await copy(wrong, { to: 'clipboard', chartClientId: randomUUID() })).statusCode).toBe(204)
    expect((await clinician.call('POST', `/sessions/${wrong}/progress-note/prints`)).statusCode).toBe(204)
    const answer = await correct(wrong, { clientId: rightId, sessionExternalId: 'visit-right' })
    expect(answer.statusCode).toBe(200)
    const { session, withdrawn } = answer.json<CorrectedClient>()
    expect(session).toMatchObject({
      client: { id: rightId },
      sessionExternalId: 'visit-right',
      stage: 'transcribing',
      hasAudio: true,
      correctionOf: wrong,
    })
    expect(withdrawn).toMatchObject({
      sessionId: wrong,
      clientId: partner.clientId,
      sessionExternalId: 'visit-wrong',
      progressNoteIds: [progressNoteId],
    })
    expect(withdrawn.copies.map(({ to, chartClientId }) => [to, chartClientId])).toEqual([
      ['clipboard', null],
      ['page', partner.clientId],
    ])
    // Paper names its client by itself; that there is some is on record.
    const printed = await rows(
      `select 1 from casenote.audit_pending where tenant_id = $1 and operation = 'widget.printNote'
        and subject_ids @> array[$2::uuid, $3::uuid, $4::uuid]`,
      progressNoteId,
      wrong,
      partner.clientId,
    )
    expect(printed).toHaveLength(1)
    expect(await ask<Session>(`/sessions/${wrong}`)).toMatchObject({ status: 'failed', sessionId: wrong })
    expect(await ask<Session>(`/sessions/${session.sessionId}`)).toMatchObject({ retryOf: wrong })
    // The newer session is another client's: whoever has the wrong one tried again is not led to it.
    for (const way of ['try-again', 'write-anyway'])
      expect((await clinician.call('POST', `/sessions/${wrong}/${way}`)).statusCode).toBe(409)
    const jobs = await rows<{ kind: string }>(
      `select kind from casenote.jobs where tenant_id = $1 and subject_id = $2`,
      session.sessionId,
    )
    expect(jobs).toEqual([{ kind: 'transcribe' }])
  })

  it('leaves nothing of what was said under the wrong client, but to the clinician who wrote it', async () => {
    const wrong = await makeWritten()
    const { progressNoteId } = await readNote(wrong)
    const asked = await service.call({
      method: 'POST',
      url: `/v2/clients/${partner.clientId}/exports`,
      headers: partner.headers,
    })
    const { id: exportId } = asked.json<ClientExport>()
    const { ring } = await openContext()
    const reading = readAs(dangerOf(someItems, 1))
    const read = { sessionId: wrong, transcript: someItems, reading }
    await service.db.write(tenantOf(), (tx) => saveReading(tx, ring, read))
    const listOpen = async (clientId: string): Promise<OpenDanger['items']> =>
      (await clinician.call('GET', `/clients/${clientId}/danger`)).json<OpenDanger>().items
    const [item] = await listOpen(partner.clientId)
    const seen = { itemIds: [item?.id] }
    await clinician.call('POST', `/clients/${partner.clientId}/danger/seen`, seen)
    await magicEditAndFail(wrong)
    const { session } = (await correct(wrong, { clientId: rightId })).json<CorrectedClient>()
    expect(await listOpen(partner.clientId)).toEqual([])
    expect(await ask<ClientExport>(`/client-exports/${exportId}`)).toMatchObject({ status: 'failed' })
    // Somebody has to answer for it, also if the recording cannot be heard a second time.
    const moved = { id: item?.id, sessionId: session.sessionId, seenAt: expect.any(String) }
    expect(await listOpen(rightId)).toMatchObject([moved])
    const edits = await ask<Page<{ sessionId: string }>>(`/clinicians/${partner.clinicianId}/magic-edit`)
    expect([edits.data.map(({ sessionId }) => sessionId), edits.meta.totalItems]).toEqual([[], 0])
    expect(await readNote(wrong)).toMatchObject({ status: 'failed', isLoading: false, note: [] })
    expect(await ask(`/progress-notes/${progressNoteId}`)).toMatchObject({ status: 'failed', note: [] })
    expect((await ask<Page<unknown>>(`/progress-notes/${progressNoteId}/versions`)).data).toEqual([])
    for (const artifact of ['transcript', 'summary']) {
      expect(await ask(`/sessions/${wrong}/${artifact}`)).toMatchObject({ error: { statusCode: 404 } })
    }
    const regenerated = await clinician.call('POST', `/sessions/${wrong}/progress-note/regenerate`, {})
    expect(regenerated.statusCode).toBe(409)
    const listed = await clinician.call('GET', `/clients/${partner.clientId}/sessions`)
    expect(listed.json<Page<WidgetSession>>().data.map(({ sessionId }) => sessionId)).not.toContain(wrong)
    const own = await clinician.call('GET', `/sessions/${wrong}/progress-note/versions`)
    expect(own.json<Page<{ note: unknown[] }>>().data[0]?.note).toHaveLength(2)
  })

  it('under a legal hold what was made of it stays where nobody reads it, and goes once the hold is lifted', async () => {
    const wrong = await makeWritten()
    const { blobId } = await writeBlob(
      service.blobs,
      tenantOf(),
      'export',
      (async function* () {
        yield Buffer.from('all')
      })(),
    )
    const exportId = randomUUID()
    await service.owner.write(tenantOf(), (tx) =>
      tx.run({
        text: `insert into casenote.client_exports (tenant_id, export_id, client_id, status, blob_id, size_bytes, ended_at, expires_at)
          values ($1, $2, $3, 'ready', $4, 3, now() - interval '1 minute', now() + interval '1 day')`,
        values: [partner.partnerId, exportId, partner.clientId, blobId],
      }),
    )
    await service.owner.write(tenantOf(), (tx) => placeLegalHold(tx, operator, partner.clientId))
    const kept = () =>
      rows<{ transcripts: number; summaries: number }>(
        `select (select count(*)::int from casenote.transcripts where tenant_id = $1 and session_id = $2) as transcripts,
          (select count(*)::int from casenote.summaries where tenant_id = $1 and session_id = $2) as summaries`,
        wrong,
      )
    expect((await correct(wrong, { clientId: rightId })).statusCode).toBe(200)
    expect(await kept()).toEqual([{ transcripts: 1, summaries: 1 }])
    for (const artifact of ['transcript', 'summary'])
      expect(await ask(`/sessions/${wrong}/${artifact}`)).toMatchObject({ error: { statusCode: 404 } })
    const seen = await clinician.call('GET', `/sessions/${wrong}`)
    expect(seen.json<WidgetSession>()).toMatchObject({
      hasTranscript: false,
      hasSummary: false,
      hasMdm: false,
    })
    expect(await ask<ClientExport>(`/client-exports/${exportId}`)).toMatchObject({ status: 'expired' })
    const [file] = await rows<{ status: string }>(
      'select status from casenote.blobs where tenant_id = $1 and blob_id = $2',
      blobId,
    )
    expect(file?.status).toBe('complete')
    await service.owner.write(tenantOf(), (tx) => liftLegalHold(tx, operator, partner.clientId))
    expect(await kept()).toEqual([{ transcripts: 0, summaries: 0 }])
  })

  it('is refused where the recording was fetched once and is gone, and nothing is taken away', async () => {
    const wrong = await makeWritten()
    const context = await openContext()
    const sealed = sealJson(context.ring, fileUrlPlace(wrong), 'https://recordings.example.com/a.mp3')
    await service.owner.write(tenantOf(), async (tx) => {
      await tx.run({
        text: `update casenote.sessions set sealed_file_url = $3 where tenant_id = $1 and session_id = $2`,
        values: [partner.partnerId, wrong, sealed],
      })
      await tx.run({
        text: `update casenote.blobs b set status = 'deleting', deletion_reason = 'expired' from casenote.sessions s
          where b.tenant_id = $1 and s.tenant_id = $1 and s.session_id = $2 and b.blob_id = s.audio_blob_id`,
        values: [partner.partnerId, wrong],
      })
    })
    const refused = await correct(wrong, { clientId: rightId })
    expect([refused.statusCode, refused.body]).toEqual([409, expect.stringContaining('no longer kept')])
    expect(await readNote(wrong)).toMatchObject({ status: 'generated' })
    expect(await ask(`/sessions/${wrong}/transcript`)).toMatchObject({ transcriptItems: expect.any(Array) })
  })

  it('another clinician who treats the wrong client cannot open the withdrawn session', async () => {
    const wrong = await makeWritten()
    const other = await signIn(service, partner, colleague.clinicianId)
    await service.call({
      method: 'POST',
      url: `/v2/clients/${partner.clientId}/secondary-clinicians`,
      headers: partner.headers,
      payload: { clinicianIds: [colleague.clinicianId] },
    })
    expect((await other.call('GET', `/sessions/${wrong}`)).statusCode).toBe(200)
    expect((await correct(wrong, { clientId: colleague.clientId }, other)).statusCode).toBe(404)
    await correct(wrong, { clientId: rightId })
    expect((await other.call('GET', `/sessions/${wrong}`)).statusCode).toBe(404)
    expect((await clinician.call('GET', `/sessions/${wrong}`)).json()).toMatchObject({
      stage: 'failed',
      correctedBy: expect.any(String),
    })
  })

  it('what must be taken out is told again to its clinician; nobody is led to a client whom they do not treat', async () => {
    const [wrong, movedTo] = [await makeWritten(), await addClient('Moved')]
    await giveConsent(clinician, movedTo)
    await copy(wrong, { to: 'clipboard' })
    expect((await clinician.call('GET', `/sessions/${wrong}/withdrawn`)).statusCode).toBe(404)
    const corrected = (await correct(wrong, { clientId: movedTo })).json<CorrectedClient>()
    const readAgain = async () =>
      (await clinician.call('GET', `/sessions/${wrong}/withdrawn`)).json<WithdrawnSession>()
    const { sessionId } = corrected.session
    expect(await readAgain()).toMatchObject({ session: { sessionId }, withdrawn: corrected.withdrawn })
    await service.owner.write(tenantOf(), (tx) =>
      tx.run({
        text: 'update casenote.clients set clinician_id = $3 where tenant_id = $1 and client_id = $2',
        values: [partner.partnerId, movedTo, colleague.clinicianId],
      }),
    )
    expect(await readAgain()).toEqual({ session: null, withdrawn: corrected.withdrawn })
    expect((await clinician.call('GET', `/sessions/${wrong}`)).json()).toMatchObject({
      isWithdrawn: true,
      correctedBy: null,
    })
    const other = await signIn(service, partner, colleague.clinicianId)
    expect((await other.call('GET', `/sessions/${wrong}/withdrawn`)).statusCode).toBe(404)
  })

  it('asked twice it is one session; the event, the history and the audit log each have it once', async () => {
    const wrong = await makeWritten()
    const { progressNoteId } = await readNote(wrong)
    const once = (await correct(wrong, { clientId: rightId })).json<CorrectedClient>()
    const [first, second] = await Promise.all([
      correct(wrong, { clientId: rightId }),
      correct(wrong, { clientId: rightId }),
    ])
    for (const again of [first, second]) {
      expect(again.json<CorrectedClient>().session.sessionId).toBe(once.session.sessionId)
    }
    const events = await listEvents(service, tenantOf(), wrong)
    expect(events.map(({ eventType }) => eventType)).toEqual([
      'transcript_ready',
      'progress_note_generated',
      'session_transcript_error',
    ])
    const subjects = await listSubjects(service, tenantOf(), 'session.withdraw', wrong)
    expect(subjects).toEqual([
      expect.arrayContaining([wrong, partner.clientId, progressNoteId, once.session.sessionId, rightId]),
    ])
    expect(
      await rows(
        `select action, from_status as "from", to_status as "to" from casenote.session_status_history
         where tenant_id = $1 and session_id = $2 order by seq desc limit 1`,
        wrong,
      ),
    ).toEqual([{ action: 'withdraw', from: 'completed', to: 'failed' }])
    const otherwise = await correct(wrong, { clientId: await addClient('Third') })
    expect(otherwise.statusCode).toBe(409)
  })

  it('two at once for different clients: one is made, the other is told', async () => {
    const wrong = await makeWritten()
    const other = await addClient('Fourth')
    await giveConsent(clinician, other)
    const answers = await Promise.all([
      correct(wrong, { clientId: rightId }),
      correct(wrong, { clientId: other }),
    ])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  it('is refused once signed, for a stranger, the same, an archived and an unasked client, and before it is all here', async () => {
    const signed = await makeWritten()
    await clinician.call('POST', `/sessions/${signed}/progress-note/finalize`)
    const locked = await correct(signed, { clientId: rightId })
    expect([locked.statusCode, locked.body]).toEqual([
      403,
      expect.stringContaining('Progress note is locked'),
    ])
    expect((await readNote(signed)).status).toBe('finalized')
    const wrong = await makeWritten()
    for (const clientId of [colleague.clientId, randomUUID(), partner.clientId]) {
      const answer = await correct(wrong, { clientId })
      expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('clientId')])
    }
    const unasked = await addClient('Unasked')
    expect((await correct(wrong, { clientId: unasked })).body).toContain('consent')
    const archived = await addClient('Archived')
    const url = `/v2/clients/${archived}/archive`
    await service.call({ method: 'POST', url, headers: partner.headers })
    expect((await correct(wrong, { clientId: archived })).body).toContain('archived')
    expect(await readNote(wrong)).toMatchObject({ status: 'generated' })
    const { sessionId: early } = await openRecording(clinician, partner.clientId)
    expect((await correct(early, { clientId: rightId })).statusCode).toBe(409)
  })

  it('that failed after its transcript becomes a session of the right client all the same, and only once', async () => {
    const wrong = await makeFailedAfterTranscript()
    const seen = (await clinician.call('GET', `/sessions/${wrong}`)).json<WidgetSession>()
    expect(seen).toMatchObject({
      stage: 'failed',
      hasTranscript: true,
      canBeTriedAgain: true,
      triedAgainAs: null,
    })
    const { session } = (await correct(wrong, { clientId: rightId })).json<CorrectedClient>()
    expect(session).toMatchObject({ client: { id: rightId }, correctionOf: wrong, stage: 'transcribing' })
    expect(await ask(`/sessions/${wrong}/transcript`)).toMatchObject({ error: { statusCode: 404 } })
    const events = await listEvents(service, tenantOf(), wrong)
    expect(events.at(-1)).toMatchObject({ eventType: 'session_transcript_error' })
    expect((await correct(wrong, { clientId: rightId })).json<CorrectedClient>().session.sessionId).toBe(
      session.sessionId,
    )
  })

  it('that was tried again keeps its words until the newer one has its own, though the recording is the newer one’s', async () => {
    const older = await makeFailedAfterTranscript()
    const context = await openContext()
    const again = await clinician.call('POST', `/sessions/${older}/try-again`)
    const { sessionId, hasAudio } = again.json<WidgetSession>()
    expect([again.statusCode, hasAudio]).toEqual([200, true])
    const words = () =>
      rows(`select 1 from casenote.transcripts where tenant_id = $1 and session_id = $2`, older)
    expect(await words()).toHaveLength(1)
    const heard = { sessionId, items: someItems, madeBy: 'test' }
    expect(await service.db.write(tenantOf(), (tx) => completeTranscript(tx, context, heard))).not.toBeNull()
    expect(await words()).toEqual([])
  })

  it('that was tried again is put right where its recording is now', async () => {
    const { sessionId: wrong } = await openRecording(clinician, partner.clientId)
    await completeRecordingOf(clinician, wrong)
    const context = await openContext()
    const failed = { sessionId: wrong, failure: 'processing_failed' } as const
    await service.db.write(tenantOf(), (tx) => failSession(tx, context, failed))
    const again = await clinician.call('POST', `/sessions/${wrong}/try-again`)
    expect(again.statusCode).toBe(200)
    const { sessionId } = again.json<WidgetSession>()
    const twice = await clinician.call('POST', `/sessions/${wrong}/try-again`)
    expect(twice.json<WidgetSession>().sessionId).toBe(sessionId)
    const seen = await clinician.call('GET', `/sessions/${wrong}`)
    expect(seen.json<WidgetSession>().triedAgainAs).toBe(sessionId)
    const refused = await correct(wrong, { clientId: rightId })
    expect([refused.statusCode, refused.body]).toEqual([409, expect.stringContaining('tried again')])
    expect((await correct(sessionId, { clientId: rightId })).statusCode).toBe(200)
  })

  it('while it is being worked on: its jobs end, and what comes of it later is kept nowhere', async () => {
    const { sessionId: wrong } = await openRecording(clinician, partner.clientId)
    await completeRecordingOf(clinician, wrong)
    const { session } = (await correct(wrong, { clientId: rightId })).json<CorrectedClient>()
    expect(session).toMatchObject({ stage: 'preparing', client: { id: rightId } })
    const jobs = await rows(
      `select kind, status from casenote.jobs where tenant_id = $1 and subject_id = $2 order by kind`,
      wrong,
    )
    expect(jobs).toEqual([
      { kind: 'hear_live', status: 'done' },
      { kind: 'join_audio', status: 'done' },
    ])
    const context = await openContext()
    await service.db.write(tenantOf(), async (tx) => {
      expect(await receiveRecording(tx, { sessionId: wrong, blobId: randomUUID() })).toBe(false)
      const late = { sessionId: wrong, items: someItems, madeBy: 'test' }
      expect(await completeTranscript(tx, context, late)).toBeNull()
      expect(
        await saveSummary(tx, context, { sessionId: wrong, summary: 'Late.', madeBy: 'test' }),
      ).toBeNull()
    })
    const kept = await rows<{ count: number }>(
      `select count(*)::int as count from casenote.summaries where tenant_id = $1 and session_id = $2`,
      wrong,
    )
    expect(kept).toEqual([{ count: 0 }])
  })
})
