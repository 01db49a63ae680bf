import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { buffer } from 'node:stream/consumers'
import type { ProgressNote, StruckStretch, Transcript } from '@casenote/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Decoder } from '../../src/engines/speech/audio/decoder/decoder.js'
import { SoundMissing } from '../../src/engines/speech/audio/join-recordings.js'
import { liftLegalHold, placeLegalHold } from '../../src/features/erasure/index.js'
import { enqueueJob } from '../../src/jobs/enqueue-job.js'
import { claimJob } from '../../src/jobs/jobs.sql.js'
import { openBlob, writeBlob } from '../../src/kernel/blobs/index.js'
import { operator } from '../../src/kernel/operator.js'
import { cutAudio } from '../../src/pipeline/cut-audio.js'
import type { PipelineParts } from '../../src/pipeline/pipeline-parts.js'
import { decoder, makeAudio } from '../engines/speech/speech-fixture.js'
import { CasenoteProcess, waitUntil } from '../support/casenote-process.js'
import { openEverything as openAll } from '../support/open-everything.js'
import { listEvents, listSubjects } from '../support/outcomes.js'
import {
  addColleague,
  openRecording,
  signIn,
  uploadSegment,
  type SignedIn,
} from '../widget/widget-fixture.js'
import { openPipelineRun, visit, type PipelineRun } from './pipeline-fixture.js'

let run: PipelineRun
let clinician: SignedIn
let worker: CasenoteProcess
let sessionId: string

beforeAll(async () => {
  run = await openPipelineRun(null)
  worker = new CasenoteProcess(['worker'], run.env)
  clinician = await signIn(run.service, run.partner)
  run.files.serve('/visit.ogg', visit('mood and doses'))
  sessionId = await run.createSession({ fileUrl: run.files.urlOf('/visit.ogg') })
  await run.sessionEnded(sessionId)
})
afterAll(async () => {
  await worker?.end('SIGKILL')
  await run?.close()
})

const tenantOf = () => ({ tenantId: run.partner.partnerId })
const readTranscript = async (id = sessionId): Promise<Transcript> =>
  (await run.call<Transcript>('GET', `/sessions/${id}/transcript`)).body
const strike = (body: unknown, id = sessionId) =>
  run.call<StruckStretch & { error: { message: unknown } }>('POST', `/sessions/${id}/strike`, body)

const openEverything = () => openAll(run.service, tenantOf())

const blobsOf = (id = sessionId) =>
  run.rows<{ blobId: string | null; uncut: number }>(
    `select audio_blob_id as "blobId", (select count(*)::int from casenote.session_gaps g
        where g.tenant_id = $1 and g.session_id = $2 and not g.is_cut) as uncut
      from casenote.sessions where tenant_id = $1 and session_id = $2`,
    id,
  )
const recordingOf = async (id = sessionId): Promise<string | null> => (await blobsOf(id))[0]?.blobId ?? null

async function listStored(): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of run.service.blobs.store.list()) names.push(name)
  return names.toSorted()
}

/** The loudest sample between two seconds of the session's recording. */
async function loudestBetween(blobId: string, from: number, to: number): Promise<number> {
  const bytes = await buffer(await openBlob(run.service.blobs, tenantOf(), blobId))
  expect(bytes.toString('latin1', 0, 4)).toBe('RIFF')
  const channelCount = bytes.readUInt16LE(22)
  let loudest = 0
  for (let at = Math.ceil(from * 16_000); at < Math.floor(to * 16_000); at += 1)
    loudest = Math.max(loudest, Math.abs(bytes.readInt16LE(44 + at * 2 * channelCount)))
  return loudest
}

/** As one that the system kills in the middle of its work. */
const breakingDecoder: Decoder = {
  name: decoder.name,
  cage: decoder.cage,
  alteredExitCode: decoder.alteredExitCode,
  nameInput: (kind) => decoder.nameInput(kind),
  start(args, input) {
    const child = decoder.start(args, input)
    let bytes = 0
    child.stdout?.on('data', (piece: Buffer) => {
      bytes += piece.length
      // Twelve seconds of sound: a first chunk is whole.
      if (bytes > 12 * 32_000) child.kill('SIGKILL')
    })
    return child
  },
  close: () => {},
}

/** The recording stays as it is, and nobody's, also when it is given up; then it is due again. */
async function cutWithBreakingDecoder(spokenBlobId: string): Promise<void> {
  const { db, keys, blobs } = run.service
  const [job] = await db.throughDoor(claimJob(['cut_audio'], 60_000))
  if (job?.subjectId !== sessionId) throw new Error('nothing is to be cut')
  const errors: unknown[] = []
  const log = { error: (facts: unknown) => void errors.push(facts) }
  const speech = { decoder: breakingDecoder, scratchFolder: tmpdir() }
  const parts = { db, keys, blobs, log, speech } as unknown as PipelineParts
  const { signal } = new AbortController()
  await expect(cutAudio.run(parts, job, signal)).rejects.toThrow(SoundMissing)
  await cutAudio.giveUp(parts, job, signal)
  expect(errors).toEqual([{ jobId: job.jobId, kind: 'cut_audio', subjectId: sessionId }])
  expect(await blobsOf()).toEqual([{ blobId: null, uncut: 1 }])
  const left = await run.rows(
    `select b.status from casenote.session_gaps g join casenote.blobs b on b.tenant_id = g.tenant_id and b.blob_id = g.blob_id
      where g.tenant_id = $1 and g.session_id = $2 and g.blob_id = $3`,
    sessionId,
    spokenBlobId,
  )
  expect(left).toEqual([{ status: 'complete' }])
  await run.service.owner.write(tenantOf(), (tx) => enqueueJob(tx, 'cut_audio', sessionId))
}

it('400 for no stretch, 409 for what may not go, and nothing is changed', async () => {
  const before = await readTranscript()
  expect(before.gaps).toBeUndefined()
  for (const body of [
    {},
    { start: 3 },
    { start: -1, end: 3 },
    { start: 5, end: 5 },
    { start: 5, end: 4 },
    { start: '1', end: 4 },
    { start: 0, end: 100_000 },
    { start: 0, end: 4, preview: 'yes' },
  ])
    expect([body, (await strike(body)).status]).toEqual([body, 400])
  expect(await strike({ start: 0, end: 80_000 })).toMatchObject({ status: 409 })
  const hold = await run.service.owner.write(tenantOf(), (tx) =>
    placeLegalHold(tx, operator, run.partner.clientId),
  )
  expect(hold).not.toBe('')
  const held = await strike({ start: 0, end: 1, dangerSeen: true })
  expect([held.status, held.body.error.message]).toEqual([
    409,
    'The client is under a legal hold: nothing is deleted',
  ])
  await run.service.owner.write(tenantOf(), (tx) => liftLegalHold(tx, operator, run.partner.clientId))
  // Not their session, though they treat the same client.
  const colleague = await signIn(
    run.service,
    run.partner,
    (await addColleague(run.service, run.partner)).clinicianId,
  )
  const theirs = await colleague.call('POST', `/sessions/${sessionId}/strike`, { start: 0, end: 1 })
  expect(theirs.statusCode).toBe(404)
  const early = await openRecording(clinician, run.partner.clientId)
  expect((await strike({ start: 0, end: 1 }, early.sessionId)).status).toBe(409)
  expect(await readTranscript()).toEqual(before)
})

it('words, sound and whatever rested on them are gone; the gap and who made it stay; the note is written anew', async () => {
  const before = await readTranscript()
  const noteBefore = (await run.call<ProgressNote>('GET', `/sessions/${sessionId}/progress-note`)).body
  const line = before.transcriptItems.findIndex(({ transcript }) => transcript.length > 40)
  const struck = before.transcriptItems[line]
  if (struck === undefined) throw new Error('nothing was said')
  // Corrected words hold the words of before; a later one moves with its line.
  const corrected = before.transcriptItems.length - 1
  for (const item of [line, corrected]) {
    const words = before.transcriptItems[item]?.transcript ?? ''
    const answer = await clinician.call('POST', `/sessions/${sessionId}/transcript/corrections`, {
      item,
      before: words,
      after: `${words} ${item === line ? 'I have thought about killing myself.' : 'Marked'}`,
    })
    expect(answer.statusCode).toBe(200)
  }
  const asked = { start: struck.startTime + 0.1, end: struck.endTime - 0.1 }
  // What was put right is read first: there may be danger in it.
  const early = await strike({ ...asked, preview: true })
  expect([early.status, early.body.error.message]).toEqual([409, 'The session is being processed'])
  await waitUntil(
    async () =>
      (
        await run.rows(
          `select 1 from casenote.jobs where tenant_id = $1 and subject_id = $2 and status in ('waiting', 'running')`,
          sessionId,
        )
      ).length === 0,
    'the corrected words are read',
    60_000,
  )
  await run.noteAtRest(sessionId)
  const canary = struck.transcript.slice(0, 30)
  expect(await openEverything()).toContain(canary)
  const spokenBlobId = (await recordingOf()) ?? ''
  const stored = await listStored()

  const preview = await strike({ ...asked, preview: true })
  expect(preview).toMatchObject({ status: 200, body: { lines: 1, isStruck: false } })
  expect(preview.body.danger).not.toEqual([])
  const unread = await strike(asked)
  expect([unread.status, unread.body.error.message]).toEqual([
    409,
    'Danger was said in the stretch: it is read before it goes',
  ])
  expect((await readTranscript()).transcriptItems).toHaveLength(before.transcriptItems.length)

  const done = await clinician.call('POST', `/sessions/${sessionId}/strike`, { ...asked, dangerSeen: true })
  // Answers are kept for whoever repeats a call: this one names nothing of what is gone.
  expect([done.statusCode, done.json()]).toEqual([200, { ...preview.body, danger: [], isStruck: true }])
  const { start, end } = preview.body
  // From the answer on: nobody reads or hears it, whatever is still to be done.
  expect(await openEverything()).not.toContain(canary)
  expect(await openEverything()).not.toContain('killing myself')
  expect(await openEverything()).toContain('Marked')
  expect(await recordingOf()).not.toBe(spokenBlobId)
  const after = await readTranscript()
  expect(after.transcriptItems).toHaveLength(before.transcriptItems.length - 1)
  expect(after.gaps).toEqual([
    {
      id: expect.any(String),
      kind: 'struck',
      start,
      end,
      seconds: Math.round((end - start) * 1_000) / 1_000,
      by: { kind: 'clinician', id: run.partner.clinicianId },
      at: expect.any(String),
    },
  ])
  const corrections = await clinician.call('GET', `/sessions/${sessionId}/transcript/corrections`)
  expect(corrections.json<{ items: { item: number }[] }>().items.map(({ item }) => item)).toEqual([
    corrected - 1,
  ])

  await waitUntil(async () => (await recordingOf()) !== null, 'the recording is cut', 60_000)
  const note = await run.noteAtRest(sessionId)
  expect(note).toMatchObject({ status: 'regenerated' })
  expect(note.progressNoteId).not.toBe(noteBefore.progressNoteId)
  expect(JSON.stringify(note.note)).not.toContain(canary)
  await waitUntil(
    async () => 'summary' in (await run.call<object>('GET', `/sessions/${sessionId}/summary`)).body,
    'the summary is made anew',
    60_000,
  )
  const cutBlobId = (await recordingOf()) ?? ''
  expect(cutBlobId).not.toBe(spokenBlobId)
  expect(await loudestBetween(cutBlobId, start, end)).toBe(0)
  expect(await loudestBetween(cutBlobId, end, end + 5)).toBeGreaterThan(500)
  const left = await listStored()
  expect(left.filter((name) => stored.includes(name))).toEqual([])
  expect(await openEverything()).not.toContain(canary)
  const events = await listEvents(run.service, tenantOf(), sessionId)
  expect(events.map(({ eventType }) => eventType)).toEqual([
    'transcript_ready',
    'progress_note_generated',
    'progress_note_regenerated',
  ])
  const [gap] = after.gaps ?? []
  expect(await listSubjects(run.service, tenantOf(), 'session.strike', sessionId)).toContainEqual(
    expect.arrayContaining([sessionId, run.partner.clientId, gap?.id]),
  )
})

it(
  'kill -9 of a worker that cuts a recording leaves nothing of what was struck',
  { timeout: 300_000 },
  async () => {
    // Ten minutes, of which the first part is 131 s: enough to be killed in.
    const tone = ['-f', 'lavfi', '-i', 'sine=frequency=300:sample_rate=16000:duration=600', '-f', 'wav']
    const { blobs } = run.service
    const former = (await recordingOf()) ?? ''
    const { blobId } = await writeBlob(blobs, tenantOf(), 'audio', [makeAudio(...tone)] as never)
    await run.rows(
      'update casenote.sessions set audio_blob_id = $3 where tenant_id = $1 and session_id = $2',
      sessionId,
      blobId,
    )
    await worker.end('SIGKILL')
    const [first] = (await readTranscript()).transcriptItems
    const asked = { start: first?.startTime ?? 0, end: first?.endTime ?? 0, dangerSeen: true }
    const { body } = await strike(asked)
    expect(body.isStruck).toBe(true)
    await cutWithBreakingDecoder(blobId)
    const begun = async (): Promise<{ blobId?: string; status?: string; parts?: number }> => {
      const [row] = await run.rows<{ blobId: string; status: string; parts: number }>(
        `select b.blob_id as "blobId", b.status, (select count(*)::int from casenote.blob_parts p
            where p.tenant_id = b.tenant_id and p.blob_id = b.blob_id) as parts
          from casenote.session_gaps g join casenote.blobs b on b.tenant_id = g.tenant_id and b.blob_id = g.begun_blob_id
          where g.tenant_id = $1 and g.session_id = $2`,
        sessionId,
      )
      return row ?? {}
    }
    const killAt = async (isThere: () => Promise<boolean>, what: string): Promise<void> => {
      await run.rows(
        `update casenote.jobs set leased_until = now() - interval '1 second' where tenant_id = $1 and status = 'running'`,
      )
      worker = new CasenoteProcess(['worker'], run.env)
      await waitUntil(isThere, what, 90_000)
      await worker.end('SIGKILL')
    }
    await killAt(async () => ((await begun()).parts ?? 0) >= 1, 'a part is written')
    expect(await recordingOf()).toBeNull()
    const dropped = (await begun()).blobId
    await run.service.owner.write(tenantOf(), async (tx) => {
      await tx.run({
        text: 'select 1 from casenote.sessions where tenant_id = $1 and session_id = $2 for update',
        values: [run.partner.partnerId, sessionId],
      })
      await killAt(async () => {
        const now = await begun()
        return now.blobId !== dropped && now.status === 'complete'
      }, 'it is whole')
    })
    expect(await recordingOf()).toBeNull()
    await killAt(async () => (await recordingOf()) !== null, 'it is in its place')
    const cut = (await recordingOf()) ?? ''
    expect(await loudestBetween(cut, body.start, body.end)).toBe(0)
    expect(await loudestBetween(cut, body.end, body.end + 1)).toBeGreaterThan(500)
    worker = new CasenoteProcess(['worker'], run.env)
    await waitUntil(
      async () =>
        (await run.rows('select 1 from casenote.blob_parts where tenant_id = $1 and blob_id = $2', blobId))
          .length === 0,
      'the recording of before is gone',
      60_000,
    )
    const kept = await run.rows<{ blobId: string }>(
      `select blob_id as "blobId" from casenote.blobs where tenant_id = $1 and status in ('open', 'complete') and kind = 'audio'`,
    )
    // The one that this test took out of its place is nobody's.
    expect(kept.map((one) => one.blobId).toSorted()).toEqual([former, cut].toSorted())
    await run.noteAtRest(sessionId)
  },
)

it('409 once the note is signed', async () => {
  const { body: note } = await run.call<ProgressNote>('GET', `/sessions/${sessionId}/progress-note`)
  const signed = await run.call('POST', `/progress-notes/${note.progressNoteId}/finalize`)
  expect(signed.status).toBe(200)
  const [item] = (await readTranscript()).transcriptItems
  const asked = { start: item?.startTime ?? 0, end: item?.endTime ?? 1, dangerSeen: true }
  const { status, body } = await strike(asked)
  expect([status, body.error.message]).toEqual([409, 'The note of the session is signed'])
  expect((await strike({ ...asked, preview: true })).status).toBe(409)
})

it('what is struck while it is recorded is in no recording and no transcript, and its segment is deleted', async () => {
  const { sessionId: recordedId } = await openRecording(clinician, run.partner.clientId)
  const gaps = `/sessions/${recordedId}/gaps`
  const at = new Date().toISOString()
  const off = { id: randomUUID(), start: 3, end: 3, seconds: 75, at }
  const struck = { id: randomUUID(), start: 0, end: 5, seconds: 5, at }
  for (const body of [
    {},
    { ...off, id: 'x' },
    { ...off, start: -1 },
    { ...struck, end: -1 },
    { ...off, start: 9 },
  ])
    expect([body, (await clinician.call('POST', gaps, body)).statusCode]).toEqual([body, 400])
  const colleague = await signIn(
    run.service,
    run.partner,
    (await addColleague(run.service, run.partner)).clinicianId,
  )
  expect((await colleague.call('POST', gaps, off)).statusCode).toBe(404)
  await run.service.owner.write(tenantOf(), (tx) => placeLegalHold(tx, operator, run.partner.clientId))
  const held = await clinician.call('POST', gaps, struck)
  expect([held.statusCode, held.json<{ error: { message: string } }>().error.message]).toEqual([
    409,
    'The client is under a legal hold: nothing is deleted',
  ])
  await run.service.owner.write(tenantOf(), (tx) => liftLegalHold(tx, operator, run.partner.clientId))
  // Twice: an answer may be lost.
  for (const gap of [off, struck, struck, off])
    expect((await clinician.call('POST', gaps, gap)).statusCode).toBe(204)
  const uploadId = await uploadSegment(clinician, recordedId, visit('missed doses', 'webm'))
  await clinician.call('POST', `/sessions/${recordedId}/recording`, { uploadIds: [uploadId] })
  expect((await clinician.call('POST', gaps, { ...off, id: randomUUID() })).statusCode).toBe(409)
  expect((await run.sessionEnded(recordedId)).status).toBe('completed')
  const { transcriptItems, gaps: told } = await readTranscript(recordedId)
  expect(transcriptItems.every(({ startTime }) => startTime >= 4.5)).toBe(true)
  expect(told?.map(({ kind, start, end, seconds }) => ({ kind, start, end, seconds }))).toEqual([
    { kind: 'struck', start: 0, end: 5, seconds: 5 },
    { kind: 'off_record', start: 3, end: 3, seconds: 75 },
  ])
  const cut = (await recordingOf(recordedId)) ?? ''
  expect(await loudestBetween(cut, 0, 5)).toBe(0)
  expect(await loudestBetween(cut, 5, 10)).toBeGreaterThan(500)
  expect(
    await run.rows(
      `select b.status from casenote.uploads u join casenote.blobs b on b.tenant_id = u.tenant_id and b.blob_id = u.blob_id
          where u.tenant_id = $1 and u.session_id = $2`,
      recordedId,
    ),
  ).toEqual([{ status: 'deleted' }])
})
