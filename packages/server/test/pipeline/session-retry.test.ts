import type { CorrectedClient, Session } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eraseRows } from '../../src/features/erasure/erasure.sql.js'
import { requestErasure } from '../../src/features/erasure/index.js'
import { failSession } from '../../src/features/sessions/index.js'
import { receiveRecording } from '../../src/features/sessions/advance-session.js'
import { writeBlob } from '../../src/kernel/blobs/index.js'
import { operator } from '../../src/kernel/operator.js'
import { makeDataFolder, runCasenote } from '../support/casenote-process.js'
import { asPipeline } from '../support/clinical-record.js'
import { listEvents, listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { completeRecordingOf } from '../widget/complete-recording-of.js'
import { giveConsent, openRecording, signIn } from '../widget/widget-fixture.js'

let service: TestService
let partner: TestPartner
let tenant: { tenantId: string }
let env: Record<string, string>
let folder: { path: string; remove(): Promise<void> }

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  tenant = { tenantId: partner.partnerId }
  folder = await makeDataFolder()
  env = {
    CASENOTE_MIGRATE_URL: service.database.migrateUrl,
    ...service.settingsFor(folder.path),
    // The command runs on any machine, with any clock.
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${new URL('../support/shift-clock.mjs', import.meta.url).href}`,
    CLOCK_SHIFT_MS: String(365 * 86_400_000),
  }
})
afterAll(async () => {
  await service.close()
  await folder.remove()
})

async function createSession(): Promise<string> {
  const answer = await service.call({
    method: 'POST',
    url: `/v2/clients/${partner.clientId}/sessions`,
    headers: partner.headers,
    payload: { fileUrl: 'http://127.0.0.1:9/a.mp3', sessionExternalId: 'visit-7', noteType: 'dap' },
  })
  return answer.json<Session>().id
}

async function fail(sessionId: string, failure: 'processing_failed' | 'audio_damaged'): Promise<void> {
  const context = asPipeline(await service.keys.get(tenant))
  await service.db.write(tenant, (tx) => failSession(tx, context, { sessionId, failure }))
}

async function addClient(): Promise<string> {
  const answer = await service.ask(partner, 'POST', `/clinicians/${partner.clinicianId}/clients`, {
    firstName: 'Ben',
    lastName: 'Right',
    email: 'ben.right@example.com',
    dateOfBirth: '1985-05-05',
  })
  return answer.json<{ id: string }>().id
}

async function eraseSession(sessionId: string): Promise<void> {
  const asked = { kind: 'session', id: sessionId, askedBy: 'operator', withSignedNotes: false } as const
  const erasureId = await service.owner.write(tenant, (tx) => requestErasure(tx, operator, asked))
  const [erased] = await service.db.write(tenant, (tx) =>
    tx.run(eraseRows(tenant, { erasureId, root: 'session', subjectId: sessionId }, null)),
  )
  expect(erased).toEqual({ denial: null })
}

async function read(sessionId: string): Promise<Session> {
  const url = `/v2/sessions/${sessionId}`
  return (await service.call({ method: 'GET', url, headers: partner.headers })).json<Session>()
}

async function rows<Row extends Record<string, unknown>>(text: string, ...values: unknown[]): Promise<Row[]> {
  return (await service.db.read(tenant, { text, values: [tenant.tenantId, ...values] })) as Row[]
}

const retry = (...args: string[]) => runCasenote(['session', 'retry', ...args, '--json'], env)

interface Retried {
  sessionId: string
  retryId: string | null
  reason: string | null
}

async function retryOf(sessionId: string): Promise<string> {
  const { stdout, stderr, code } = await retry(sessionId)
  expect([code, stderr]).toEqual([0, ''])
  return (JSON.parse(stdout) as [Retried])[0].retryId as string
}

const jobsOf = (sessionId: string): Promise<{ kind: string; status: string }[]> =>
  rows(`select kind, status from casenote.jobs where tenant_id = $1 and subject_id = $2`, sessionId)

describe('casenote session retry', () => {
  it('makes a new session of a recording that is here; the failed one stays failed', async () => {
    const sessionId = await createSession()
    const { blobId } = await writeBlob({ ...service.blobs }, tenant, 'audio', toStream('sound'))
    await service.db.write(tenant, (tx) => receiveRecording(tx, { sessionId, blobId }))
    await fail(sessionId, 'processing_failed')
    await rows(
      `with soon as (update casenote.blobs set delete_after = now() + interval '1 hour'
         where tenant_id = $1 and blob_id = $2 returning 1) select count(*) from soon`,
      blobId,
    )
    const retryId = await retryOf(sessionId)
    const [failed, retried] = [await read(sessionId), await read(retryId)]
    expect(failed).toMatchObject({ status: 'failed', retryOf: null })
    expect(retried).toMatchObject({
      status: 'transcribing',
      retryOf: sessionId,
      sessionExternalId: 'visit-7',
      noteType: 'dap',
      clinicianId: failed.clinicianId,
    })
    expect(await jobsOf(retryId)).toEqual([{ kind: 'transcribe', status: 'waiting' }])
    expect(
      await rows(
        `select s.audio_blob_id as "blobId", s.created_at <= now() as "isOfNow",
           b.delete_after between now() + interval '300 days' and now() + interval '400 days' as "isKept"
         from casenote.sessions s join casenote.blobs b on b.tenant_id = $1 and b.blob_id = s.audio_blob_id
         where s.tenant_id = $1 and s.session_id = $2`,
        retryId,
      ),
    ).toEqual([{ blobId, isOfNow: true, isKept: true }])
    const again = await retry(sessionId)
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining(`tried again as ${retryId}`)])
  })

  it('takes over the segments that a widget sent', async () => {
    const clinician = await signIn(service, partner)
    const { sessionId } = await openRecording(clinician, partner.clientId)
    await completeRecordingOf(clinician, sessionId)
    await fail(sessionId, 'processing_failed')
    const retryId = await retryOf(sessionId)
    expect(await read(retryId)).toMatchObject({ status: 'fetching', retryOf: sessionId, fileUrl: null })
    expect(await jobsOf(retryId)).toEqual([{ kind: 'join_audio', status: 'waiting' }])
    expect(
      await rows('select status from casenote.uploads where tenant_id = $1 and session_id = $2', retryId),
    ).toEqual([{ status: 'used' }])
  })

  it('--failed-since takes what failed for want of something, once, and leaves what its recording decided', async () => {
    const [fetched, damaged] = [await createSession(), await createSession()]
    await fail(fetched, 'processing_failed')
    await fail(damaged, 'audio_damaged')
    const first = await retry('--failed-since', '2026-01-01T00:00Z')
    const retried = JSON.parse(first.stdout) as Retried[]
    expect(retried.map(({ sessionId }) => sessionId)).toContain(fetched)
    expect(retried.map(({ sessionId }) => sessionId)).not.toContain(damaged)
    const { retryId } = retried.find(({ sessionId }) => sessionId === fetched) as Retried
    expect(await read(retryId as string)).toMatchObject({ status: 'fetching', retryOf: fetched })
    expect(await jobsOf(retryId as string)).toEqual([{ kind: 'fetch_audio', status: 'waiting' }])
    expect(JSON.parse((await retry('--failed-since', '2026-01-01T00:00Z')).stdout)).toEqual([])
  })

  it('refuses what was withdrawn for another client, also once the other session was erased', async () => {
    const clinician = await signIn(service, partner)
    const clientId = await addClient()
    await giveConsent(clinician, clientId)
    const sessionId = await createSession()
    const { blobId } = await writeBlob({ ...service.blobs }, tenant, 'audio', toStream('sound'))
    await service.db.write(tenant, (tx) => receiveRecording(tx, { sessionId, blobId }))
    await fail(sessionId, 'processing_failed')
    const put = await clinician.call('POST', `/sessions/${sessionId}/correct-client`, { clientId })
    const { session } = put.json<CorrectedClient>()
    expect(session.correctionOf).toBe(sessionId)
    await fail(session.sessionId, 'processing_failed')
    await eraseSession(session.sessionId)
    const refused = await retry(sessionId)
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('it was withdrawn')])
    const since = await retry('--failed-since', '2026-01-01T00:00Z')
    expect(since.stdout).not.toContain(sessionId)
    expect(
      await rows('select 1 from casenote.sessions where tenant_id = $1 and retry_of = $2', sessionId),
    ).toEqual([])
    const again = await clinician.call('POST', `/sessions/${sessionId}/correct-client`, { clientId })
    expect(again.statusCode).toBe(409)
  })

  it('refuses what has not failed, what is not there, and a time without a zone', async () => {
    const running = await retry(await createSession())
    expect([running.code, running.stdout]).toEqual([1, expect.stringContaining('it has not failed')])
    const unknown = await retry('00000000-0000-4000-8000-000000000000')
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('there is no session')])
    const vague = await retry('--failed-since', '2026-01-01T09:00')
    expect([vague.code, vague.stderr]).toEqual([1, expect.stringContaining('with its zone')])
  })
})

async function* toStream(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

describe('why a session failed', () => {
  const call = (method: 'GET' | 'POST', path: string, headers = partner.headers) =>
    service.call({ method, url: `/v2${path}`, headers })

  it('is told with the session, with its event, and where its artifacts are asked for', async () => {
    const sessionId = await createSession()
    expect((await read(sessionId)).failure).toBeNull()
    const early = await call('GET', `/sessions/${sessionId}/summary`)
    expect(early.json()).not.toHaveProperty('failure')
    await fail(sessionId, 'audio_damaged')
    const failure = {
      code: 'audio_damaged',
      message: 'The recording is damaged and could not be read to its end',
      retryable: false,
    }
    expect((await read(sessionId)).failure).toEqual(failure)
    for (const artifact of ['transcript', 'mdm', 'summary']) {
      const answer = await call('GET', `/sessions/${sessionId}/${artifact}`)
      expect([answer.statusCode, answer.json()]).toEqual([
        200,
        expect.objectContaining({ failure, error: expect.objectContaining({ statusCode: 404 }) }),
      ])
    }
    expect(await listEvents(service, tenant, sessionId)).toMatchObject([
      { eventType: 'session_transcript_error', payload: { error: failure.message, failure } },
    ])
  })

  it('says whether the partner may have it tried again, once', async () => {
    const sessionId = await createSession()
    const path = `/sessions/${sessionId}/retry`
    expect((await call('POST', path)).statusCode).toBe(409)
    await fail(sessionId, 'processing_failed')
    expect((await read(sessionId)).failure).toMatchObject({ retryable: true })
    const [first, second] = await Promise.all([call('POST', path), call('POST', path)])
    expect([first.statusCode, second.statusCode]).toEqual([200, 200])
    const again = first.json<Session>()
    expect(again).toMatchObject({ retryOf: sessionId, sessionExternalId: 'visit-7', failure: null })
    expect(second.json<Session>().id).toBe(again.id)
    expect((await read(sessionId)).status).toBe('failed')
  })

  it('is not tried again for a clinician who is deactivated, and on record each time it is asked', async () => {
    const sessionId = await createSession()
    await fail(sessionId, 'processing_failed')
    const path = `/sessions/${sessionId}/retry`
    const clinician = `/clinicians/${partner.clinicianId}`
    expect((await call('POST', `${clinician}/deactivate`)).statusCode).toBe(200)
    expect((await call('POST', path)).statusCode).toBe(409)
    expect((await call('POST', `${clinician}/reactivate`)).statusCode).toBe(200)
    for (let times = 0; times < 2; times += 1) expect((await call('POST', path)).statusCode).toBe(200)
    // The refused one is recorded beside its answer.
    await expect.poll(() => listSubjects(service, tenant, 'session.retry', sessionId)).toHaveLength(3)
  })

  it('is not tried again where it would end the same way, or was withdrawn', async () => {
    const withdrawn = await createSession()
    await rows(
      `with ended as (update casenote.sessions set status = 'failed', failure_code = 'withdrawn'
         where tenant_id = $1 and session_id = $2 returning 1) select count(*) from ended`,
      withdrawn,
    )
    expect((await call('POST', `/sessions/${withdrawn}/retry`)).statusCode).toBe(409)
    const sessionId = await createSession()
    await fail(sessionId, 'audio_damaged')
    const refused = await call('POST', `/sessions/${sessionId}/retry`)
    expect([refused.statusCode, refused.json<{ error: { message: string } }>().error.message]).toEqual([
      409,
      'The session cannot be tried again',
    ])
  })
})
