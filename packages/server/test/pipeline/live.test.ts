import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { LiveLines, Transcript } from '@casenote/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepDraft } from '../../src/features/live-transcripts/index.js'
import { makeAudio } from '../engines/speech/speech-fixture.js'
import { CasenoteProcess, waitUntil } from '../support/casenote-process.js'
import { listEvents, listSubjects } from '../support/outcomes.js'
import {
  addColleague,
  creationHeaders,
  openRecording,
  patchHeaders,
  signIn,
  type SignedIn,
} from '../widget/widget-fixture.js'
import { openPipelineRun, type PipelineRun } from './pipeline-fixture.js'

const sample = fileURLToPath(new URL('../../samples/medication-management.ogg', import.meta.url))

/** For what hangs: beside other tests on two cores the engine takes many times what it takes alone. */
const heardWithinMs = 200_000

/** The first chunk is settled when 40.5 s are there. */
const recorded = (): Buffer =>
  makeAudio(
    '-ss',
    '22.2',
    '-t',
    '46',
    '-i',
    sample,
    '-ac',
    '1',
    '-c:a',
    'libopus',
    '-b:a',
    '32k',
    '-f',
    'webm',
  )

let run: PipelineRun
let clinician: SignedIn
let worker: CasenoteProcess
const bytes = recorded()

beforeAll(async () => {
  run = await openPipelineRun(null)
  worker = new CasenoteProcess(['worker'], run.env)
  clinician = await signIn(run.service, run.partner)
})
afterAll(async () => {
  await worker.end('SIGTERM')
  await run.close()
})

async function readLines(sessionId: string, after = 0, by = clinician): Promise<LiveLines> {
  const answer = await by.call('GET', `/sessions/${sessionId}/live-lines?after=${after}`)
  expect(answer.statusCode).toBe(200)
  return answer.json<LiveLines>()
}

const countRows = async (table: string, sessionId: string): Promise<number> => {
  const [row] = await run.rows<{ count: number }>(
    `select count(*)::int as count from casenote.${table} where tenant_id = $1 and session_id = $2`,
    sessionId,
  )
  return row?.count ?? 0
}

/** As the widget does: some seconds at a time. */
async function send(uploadId: string, from: number, to: number, isLast: boolean): Promise<void> {
  for (let at = from; at < to; at += 20_000) {
    const piece = bytes.subarray(at, Math.min(to, at + 20_000))
    const length = isLast && at + piece.length === to ? to : undefined
    const answer = await clinician.call('PATCH', `/uploads/${uploadId}`, piece, patchHeaders(at, length))
    expect(answer.statusCode).toBe(204)
  }
}

/** From a server that sends the end of the file only when its first chunk was heard; the session, completed. */
async function hearSlowFile(): Promise<string> {
  let isLetGo = false
  run.files.serve('/slow.webm', (_, response) => {
    response.writeHead(200, { 'content-length': bytes.length, etag: '"one"' })
    const end = bytes.length - 4_096
    response.write(bytes.subarray(0, end))
    let at = end
    const trickle = setInterval(() => {
      const to = isLetGo ? bytes.length : Math.min(at + 16, bytes.length - 1)
      response.write(bytes.subarray(at, to))
      at = to
      if (!isLetGo) return
      clearInterval(trickle)
      response.end()
    }, 500)
  })
  const sessionId = await run.createSession({ fileUrl: run.files.urlOf('/slow.webm') })
  await waitUntil(
    async () => (await countRows('transcription_chunks', sessionId)) > 0,
    'a chunk of a file that is not here yet is heard',
    heardWithinMs,
  )
  expect((await run.call('GET', `/sessions/${sessionId}`)).body).toMatchObject({ status: 'fetching' })
  isLetGo = true
  expect((await run.sessionEnded(sessionId)).status).toBe('completed')
  return sessionId
}

it('is heard while it is recorded, through a kill of the worker, and ends in the transcript of its file, as one that downloads slowly', async () => {
  const { sessionId } = await openRecording(clinician, run.partner.clientId)
  const uploadId = randomUUID()
  await clinician.call('POST', `/sessions/${sessionId}/uploads`, undefined, creationHeaders(uploadId))
  await send(uploadId, 0, 60_000, false)
  // Words that may still change, long before the first chunk is whole.
  await waitUntil(async () => (await readLines(sessionId)).draft.length > 0, 'lines appear', heardWithinMs)
  expect(await readLines(sessionId)).toMatchObject({ state: 'live', lines: [], after: 0, hasMore: false })

  // To the partner nothing is there yet.
  const notReady = { error: { message: 'Transcript has not been generated' } }
  expect(await run.call('GET', `/sessions/${sessionId}/transcript`)).toMatchObject({ body: notReady })
  expect(await listEvents(run.service, { tenantId: run.partner.partnerId }, sessionId)).toEqual([])

  await worker.end('SIGKILL')
  worker = new CasenoteProcess(['worker'], run.env)
  await send(uploadId, 60_000, bytes.length, true)
  await waitUntil(
    async () => (await readLines(sessionId)).lines.length > 0,
    'a chunk is settled',
    heardWithinMs,
  )
  const { lines, after } = await readLines(sessionId)
  expect(after).toBe(1)
  expect((await readLines(sessionId, after)).lines).toEqual([])
  expect(
    await listSubjects(run.service, { tenantId: run.partner.partnerId }, 'widget.watchLines', sessionId),
  ).toHaveLength(1)

  await clinician.call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [uploadId] })
  expect(await readLines(sessionId)).toMatchObject({ state: 'ended', lines: [], draft: [] })
  expect((await run.sessionEnded(sessionId)).status).toBe('completed')
  const jobs = await run.rows<{ kind: string }>(
    `select kind from casenote.jobs where tenant_id = $1 and subject_id = $2 and kind like '%live' order by kind`,
    sessionId,
  )
  expect(jobs.map(({ kind }) => kind)).toEqual(['finish_live', 'hear_live'])
  expect([
    await countRows('transcription_chunks', sessionId),
    await countRows('live_transcripts', sessionId),
  ]).toEqual([0, 0])

  run.files.serve('/same.webm', bytes)
  const fileSession = await run.createSession({ fileUrl: run.files.urlOf('/same.webm') })
  expect((await run.sessionEnded(fileSession)).status).toBe('completed')
  const slowSession = await hearSlowFile()
  const [live, file, slow] = await Promise.all(
    [sessionId, fileSession, slowSession].map(
      async (id) => (await run.call<Transcript>('GET', `/sessions/${id}/transcript`)).body.transcriptItems,
    ),
  )
  expect(live).toEqual(file)
  expect(slow).toEqual(file)
  const words = live?.map(({ transcript }) => transcript).join(' ') ?? ''
  expect(lines.every(({ text }) => words.includes(text.split(' ').slice(1, 3).join(' ')))).toBe(true)
  const events = await listEvents(run.service, { tenantId: run.partner.partnerId }, sessionId)
  expect(events.filter(({ eventType }) => eventType === 'transcript_ready')).toHaveLength(1)
}, 900_000)

it('leaves nothing of a recording that is thrown away', async () => {
  const { sessionId } = await openRecording(clinician, run.partner.clientId)
  const uploadId = randomUUID()
  await clinician.call('POST', `/sessions/${sessionId}/uploads`, undefined, creationHeaders(uploadId))
  await send(uploadId, 0, bytes.length, false)
  await waitUntil(async () => (await readLines(sessionId)).draft.length > 0, 'lines appear', heardWithinMs)
  await clinician.call('POST', `/sessions/${sessionId}/discard`)
  expect([
    await countRows('transcription_chunks', sessionId),
    await countRows('live_transcripts', sessionId),
  ]).toEqual([0, 0])
  await waitUntil(async () => (await readHearing(sessionId)) === 'done', 'nobody hears it any more')
  expect(await countRows('live_transcripts', sessionId)).toBe(0)
})

/** How the job that hears it stands. */
async function readHearing(sessionId: string): Promise<string | undefined> {
  const [job] = await run.rows<{ status: string }>(
    `select status from casenote.jobs where tenant_id = $1 and subject_id = $2 and kind = 'hear_live'`,
    sessionId,
  )
  return job?.status
}

async function sendWhole(): Promise<{ sessionId: string; uploadId: string }> {
  const { sessionId } = await openRecording(clinician, run.partner.clientId)
  const uploadId = randomUUID()
  await clinician.call('POST', `/sessions/${sessionId}/uploads`, undefined, creationHeaders(uploadId))
  await send(uploadId, 0, bytes.length, true)
  return { sessionId, uploadId }
}

it('is heard no longer once it is complete, whatever had piled up, and its draft is gone at once', async () => {
  await worker.end('SIGTERM')
  const { sessionId, uploadId } = await sendWhole()
  const discarded = await sendWhole()
  expect(await readHearing(discarded.sessionId)).toBe('waiting')
  await clinician.call('POST', `/sessions/${discarded.sessionId}/discard`)
  expect(await readHearing(discarded.sessionId)).toBe('done')

  const ring = await run.service.keys.get({ tenantId: run.partner.partnerId })
  const draft = [{ startSeconds: 1, endSeconds: 2, text: 'I sleep better.' }]
  await keepDraft(run.service.db, ring, { sessionId, fedBytes: 1, heardSeconds: 2, draft, struckCount: 0 })
  worker = new CasenoteProcess(['worker'], run.env)
  await waitUntil(async () => (await readHearing(sessionId)) === 'running', 'it is being heard')
  await clinician.call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [uploadId] })
  const kept = await run.rows<{ isErased: boolean }>(
    'select sealed_draft is null as "isErased" from casenote.live_transcripts where tenant_id = $1 and session_id = $2',
    sessionId,
  )
  expect(kept).toEqual([{ isErased: true }])
  await waitUntil(async () => (await readHearing(sessionId)) === 'done', 'nobody hears it any more', 10_000)
})

it('is heard no longer within 5 s of a withdrawal', async () => {
  const { sessionId } = await sendWhole()
  await waitUntil(async () => (await readHearing(sessionId)) === 'running', 'it is being heard')
  const no = { given: false, textVersion: 'en-1' }
  await clinician.call('POST', `/clients/${run.partner.clientId}/consent`, no)
  await waitUntil(async () => (await readHearing(sessionId)) === 'done', 'nobody hears it any more', 5_000)
  expect((await readLines(sessionId)).draft).toEqual([])
})

it('shows its lines to nobody but the clinician who records', async () => {
  const { sessionId } = await openRecording(clinician, run.partner.clientId)
  const colleague = await signIn(
    run.service,
    run.partner,
    (await addColleague(run.service, run.partner)).clinicianId,
  )
  expect((await colleague.call('GET', `/sessions/${sessionId}/live-lines`)).statusCode).toBe(404)
  for (const after of ['-1', '1.5', 'x', '10001'])
    expect((await clinician.call('GET', `/sessions/${sessionId}/live-lines?after=${after}`)).statusCode).toBe(
      400,
    )
})
