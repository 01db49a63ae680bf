import type { StruckStretch, Transcript, WidgetSession } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failSession } from '../../src/features/sessions/index.js'
import type { ChangeContext } from '../../src/kernel/change-context.js'
import { asPipeline, someItems } from '../support/clinical-record.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague, signIn, type SignedIn } from './widget-fixture.js'
import { makeWrittenSession } from './written-session.js'

let service: TestService
let partner: TestPartner
let clinician: SignedIn
let context: ChangeContext

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  clinician = await signIn(service, partner)
  context = asPipeline(await service.keys.get(tenantOf()))
})
afterAll(() => service.close())

const tenantOf = () => ({ tenantId: partner.partnerId })
const rows = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await service.owner.read(tenantOf(), { text, values: [partner.partnerId, ...values] })) as Row[]

const fail = (sessionId: string) =>
  service.db.write(tenantOf(), (tx) => failSession(tx, context, { sessionId, failure: 'processing_failed' }))

/** As where a step beside the note failed: `fail` has no way out of `completed`. */
async function makeFailed(): Promise<string> {
  const sessionId = await makeWrittenSession(service, partner, clinician)
  await service.owner.write(tenantOf(), (tx) =>
    tx.run({
      text: `update casenote.sessions set status = 'generating', progress = 0.9 where tenant_id = $1 and session_id = $2`,
      values: [partner.partnerId, sessionId],
    }),
  )
  await fail(sessionId)
  return sessionId
}

async function tryAgain(sessionId: string): Promise<string> {
  const answer = await clinician.call('POST', `/sessions/${sessionId}/try-again`)
  expect(answer.statusCode).toBe(200)
  return answer.json<WidgetSession>().sessionId
}

const view = async (sessionId: string): Promise<WidgetSession> =>
  (await clinician.call('GET', `/sessions/${sessionId}`)).json<WidgetSession>()
const strike = (sessionId: string) =>
  clinician.call('POST', `/sessions/${sessionId}/strike`, { start: 3, end: 4, dangerSeen: true })
const refusalOf = (answer: Awaited<ReturnType<typeof strike>>) => [
  answer.statusCode,
  answer.headers['casenote-error-code'],
]
const transcriptOf = async (sessionId: string): Promise<Transcript> =>
  (await clinician.call('GET', `/sessions/${sessionId}/transcript`)).json<Transcript>()
const gapsOf = (sessionId: string) =>
  rows<{ id: string; blobId: string | null; isCut: boolean }>(
    `select gap_id as id, blob_id as "blobId", is_cut as "isCut" from casenote.session_gaps
      where tenant_id = $1 and session_id = $2`,
    sessionId,
  )
const recordingOf = async (sessionId: string): Promise<string | null> =>
  (
    await rows<{ blobId: string | null }>(
      `select audio_blob_id as "blobId" from casenote.sessions where tenant_id = $1 and session_id = $2`,
      sessionId,
    )
  )[0]?.blobId ?? null

/** As `cutAudio` does it. */
const cut = (sessionId: string, blobId: string) =>
  service.owner.write(tenantOf(), async (tx) => {
    await tx.run({
      text: `update casenote.session_gaps set is_cut = true, blob_id = null where tenant_id = $1 and session_id = $2`,
      values: [partner.partnerId, sessionId],
    })
    await tx.run({
      text: 'update casenote.sessions set audio_blob_id = $3 where tenant_id = $1 and session_id = $2',
      values: [partner.partnerId, sessionId, blobId],
    })
  })

describe('a session that was tried again, and whose newer try failed before its transcript', () => {
  it('is struck where its words are; the recording of the newer try loses the stretch, and every later one has the gap', async () => {
    const older = await makeFailed()
    const newer = await tryAgain(older)
    // Its words may be there in a moment.
    expect(refusalOf(await strike(older))).toEqual([409, 'session_retried'])
    expect((await view(older)).hasWordsOfTries).toBe(false)
    await fail(newer)
    const last = await tryAgain(newer)
    const recording = await recordingOf(last)
    expect(recording).not.toBeNull()
    expect(refusalOf(await strike(older))).toEqual([409, 'session_retried'])
    await fail(last)

    expect((await view(older)).hasWordsOfTries).toBe(true)
    expect(refusalOf(await strike(last))).toEqual([409, 'transcript_missing'])
    const answer = await strike(older)
    expect([answer.statusCode, answer.json<StruckStretch>().lines]).toEqual([200, 1])
    const { transcriptItems, gaps = [] } = await transcriptOf(older)
    expect(transcriptItems.map(({ transcript }) => transcript)).toEqual([someItems[0]?.transcript])
    const gapId = gaps[0]?.id
    expect(gaps.map(({ kind }) => kind)).toEqual(['struck'])
    for (const one of [older, newer])
      expect(await gapsOf(one)).toEqual([{ id: gapId, blobId: null, isCut: true }])
    expect(await gapsOf(last)).toEqual([{ id: gapId, blobId: recording, isCut: false }])
    expect(await recordingOf(last)).toBeNull()
    const jobs = await rows<{ sessionId: string }>(
      `select subject_id as "sessionId" from casenote.jobs where tenant_id = $1 and kind = 'cut_audio' and status = 'waiting'`,
    )
    expect(jobs).toEqual([{ sessionId: last }])

    const early = await clinician.call('POST', `/sessions/${last}/try-again`)
    expect(refusalOf(early)).toEqual([409, 'session_processing'])
    await cut(last, recording ?? '')
    const again = await tryAgain(last)
    expect(await gapsOf(again)).toEqual([{ id: gapId, blobId: null, isCut: true }])
    expect(await recordingOf(again)).toBe(recording)
  })

  it('not where a newer one is another client’s by now', async () => {
    const older = await makeFailed()
    const newer = await tryAgain(older)
    await fail(newer)
    const { clientId } = await addColleague(service, partner)
    await service.owner.write(tenantOf(), (tx) =>
      tx.run({
        text: 'update casenote.sessions set client_id = $3 where tenant_id = $1 and session_id = $2',
        values: [partner.partnerId, newer, clientId],
      }),
    )
    expect(refusalOf(await strike(older))).toEqual([409, 'session_retried'])
    expect((await view(older)).hasWordsOfTries).toBe(false)
  })
})
