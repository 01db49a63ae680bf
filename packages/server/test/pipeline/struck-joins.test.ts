import { randomBytes, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { buffer } from 'node:stream/consumers'
import type { CorrectedClient, NewGap, Session } from '@casenote/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '../../src/features/clients/index.js'
import { liftLegalHold, placeLegalHold } from '../../src/features/erasure/index.js'
import { keepDraft } from '../../src/features/live-transcripts/index.js'
import type { Decoder } from '../../src/engines/speech/audio/decoder/decoder.js'
import { SoundMissing } from '../../src/engines/speech/audio/join-recordings.js'
import { enqueueJob } from '../../src/jobs/enqueue-job.js'
import { claimJob, type JobOf } from '../../src/jobs/jobs.sql.js'
import { openBlob, purgeBlobs } from '../../src/kernel/blobs/index.js'
import { systemClock } from '../../src/kernel/clock.js'
import { operator } from '../../src/kernel/operator.js'
import { cutAudio } from '../../src/pipeline/cut-audio.js'
import { joinAudio } from '../../src/pipeline/join-audio.js'
import type { PipelineParts } from '../../src/pipeline/pipeline-parts.js'
import { decoder, makeAudio } from '../engines/speech/speech-fixture.js'
import { giveConsent, openRecording, signIn, uploadSegment, type SignedIn } from '../widget/widget-fixture.js'
import { openPipelineRun, type PipelineRun } from './pipeline-fixture.js'

let run: PipelineRun
let clinician: SignedIn
let parts: PipelineParts

beforeAll(async () => {
  run = await openPipelineRun(null)
  clinician = await signIn(run.service, run.partner)
  const { db, keys, blobs } = run.service
  const log = { error: () => {}, info: () => {}, warn: () => {} }
  const speech = { decoder, scratchFolder: tmpdir() }
  const publicUrl = 'https://notes.example.com'
  parts = { db, keys, blobs, log, speech, clock: systemClock, publicUrl } as unknown as PipelineParts
})
afterAll(() => run?.close())

const tenantOf = () => ({ tenantId: run.partner.partnerId })

const tone = (seconds: number): Buffer =>
  makeAudio('-f', 'lavfi', '-i', `sine=frequency=300:sample_rate=16000:duration=${seconds}`, '-f', 'wav')

const at = new Date().toISOString()
const newGap = (given: Partial<NewGap>): NewGap => ({
  id: randomUUID(),
  start: 0,
  end: 1,
  seconds: 1,
  at,
  ...given,
})

/** A recording that is complete, with what was struck of it, and the job that joins it. */
async function record(
  segments: readonly Buffer[],
  gaps: readonly NewGap[],
): Promise<{ sessionId: string; job: JobOf<'join_audio'> }> {
  const { sessionId } = await openRecording(clinician, run.partner.clientId)
  const uploadIds: string[] = []
  for (const [index, bytes] of segments.entries())
    uploadIds.push(await uploadSegment(clinician, sessionId, bytes, index))
  for (const gap of gaps)
    expect((await clinician.call('POST', `/sessions/${sessionId}/gaps`, gap)).statusCode).toBe(204)
  const whole = await clinician.call('POST', `/sessions/${sessionId}/recording`, { uploadIds })
  expect(whole.statusCode).toBe(200)
  return { sessionId, job: await claimJoin(sessionId) }
}

async function claimJoin(sessionId: string): Promise<JobOf<'join_audio'>> {
  const [job] = await run.service.db.throughDoor(claimJob(['join_audio'], 60_000))
  if (job?.subjectId !== sessionId) throw new Error('nothing is to be joined')
  return job
}

const join = (job: JobOf<'join_audio'>): Promise<void> =>
  joinAudio.run(parts, job, new AbortController().signal)

const segmentsOf = async (sessionId: string): Promise<string[]> =>
  (
    await run.rows<{ status: string }>(
      `select b.status from casenote.uploads u join casenote.blobs b on b.tenant_id = u.tenant_id and b.blob_id = u.blob_id
        where u.tenant_id = $1 and u.session_id = $2 order by u.segment`,
      sessionId,
    )
  ).map(({ status }) => status)

/** Which seconds of the session's recording are silent. */
async function findSilent(sessionId: string): Promise<number[]> {
  const [row] = await run.rows<{ blobId: string }>(
    'select audio_blob_id as "blobId" from casenote.sessions where tenant_id = $1 and session_id = $2',
    sessionId,
  )
  const wav = await buffer(await openBlob(run.service.blobs, tenantOf(), row?.blobId ?? ''))
  const samples = Array.from({ length: (wav.length - 44) >> 1 }, (_, index) =>
    wav.readInt16LE(44 + index * 2),
  )
  const seconds = Array.from({ length: Math.floor(samples.length / 16_000) }, (_, second) => second)
  return seconds.filter((second) =>
    samples.slice(second * 16_000, (second + 1) * 16_000).every((sample) => sample === 0),
  )
}

const gapsOf = (sessionId: string) =>
  run.rows(
    `select start_ms::int as start, end_ms::int as end, is_cut as "isCut" from casenote.session_gaps
      where tenant_id = $1 and session_id = $2 order by start_ms`,
    sessionId,
  )

it('silences the place that the recorder counted in its segment, not where its clock was', async () => {
  const placed = { from: { segment: 1, seconds: 1 }, to: { segment: 1, seconds: 2 } }
  const gaps = [newGap({ start: 12, end: 13, ...placed }), newGap({ start: 0, end: 1 })]
  const { sessionId, job } = await record([tone(3), tone(3)], gaps)
  await join(job)
  expect(await findSilent(sessionId)).toEqual([0, 4])
  expect(await gapsOf(sessionId)).toEqual([
    { start: 0, end: 1_000, isCut: true },
    { start: 4_000, end: 5_000, isCut: true },
  ])
  expect(await segmentsOf(sessionId)).toEqual(['deleted', 'deleted'])
})

it('one that was whole when its worker was killed is joined anew: its places went with the worker', async () => {
  const placed = { from: { segment: 1, seconds: 1 }, to: { segment: 1, seconds: 2 } }
  const { sessionId, job } = await record([tone(3), tone(3)], [newGap({ start: 12, end: 13, ...placed })])
  const { db } = parts
  const killed = {
    ...parts,
    db: {
      read: (...of: Parameters<typeof db.read>) => db.read(...of),
      write: () => Promise.reject(new Error('killed')),
    },
  } as unknown as PipelineParts
  await expect(joinAudio.run(killed, job, new AbortController().signal)).rejects.toThrow('killed')
  await join(job)
  expect(await findSilent(sessionId)).toEqual([4])
  expect(await gapsOf(sessionId)).toEqual([{ start: 4_000, end: 5_000, isCut: true }])
})

it('a hold that is placed after a strike keeps the segments until it is lifted, and nobody hears them', async () => {
  const { sessionId, job } = await record([tone(3)], [newGap({ start: 1, end: 2 })])
  const { clientId } = run.partner
  await run.service.owner.write(tenantOf(), (tx) => placeLegalHold(tx, operator, clientId))
  await join(job)
  expect(await findSilent(sessionId)).toEqual([1])
  expect(await segmentsOf(sessionId)).toEqual(['complete'])
  await run.service.owner.write(tenantOf(), (tx) => liftLegalHold(tx, operator, clientId))
  expect(await segmentsOf(sessionId)).toEqual(['deleting'])
  expect(await gapsOf(sessionId)).toEqual([{ start: 1_000, end: 2_000, isCut: true }])
})

const read = async (id: string) => (await run.call<Session>('GET', `/sessions/${id}`)).body

/** In how many days each segment goes. */
const daysLeftOf = async (sessionId: string): Promise<number[]> =>
  (
    await run.rows<{ days: number }>(
      `select round(extract(epoch from b.delete_after - now()) / 86400)::int as days from casenote.uploads u
        join casenote.blobs b on b.tenant_id = u.tenant_id and b.blob_id = u.blob_id
        where u.tenant_id = $1 and u.session_id = $2 order by u.segment`,
      sessionId,
    )
  ).map(({ days }) => days)

it('one that is given up stays unheard for three days, in which it may be tried again', async () => {
  const left = await record([tone(3), tone(3)], [newGap({})])
  await joinAudio.giveUp(parts, left.job, new AbortController().signal)
  expect(await read(left.sessionId)).toMatchObject({
    status: 'failed',
    failure: { code: 'processing_failed' },
  })
  expect(await segmentsOf(left.sessionId)).toEqual(['complete', 'complete'])
  expect(await daysLeftOf(left.sessionId)).toEqual([3, 3])
  const { clientId } = run.partner
  await run.service.owner.write(tenantOf(), (tx) => placeLegalHold(tx, operator, clientId))
  await run.service.owner.write(tenantOf(), (tx) => liftLegalHold(tx, operator, clientId))
  expect(await segmentsOf(left.sessionId)).toEqual(['complete', 'complete'])

  const again = await run.call<Session>('POST', `/sessions/${left.sessionId}/retry`, {})
  expect(again.status).toBe(200)
  const { sessionId } = again.body
  expect((await daysLeftOf(sessionId))[0]).toBeGreaterThan(3)
  await join(await claimJoin(sessionId))
  expect(await findSilent(sessionId)).toEqual([0])
  expect(await segmentsOf(sessionId)).toEqual(['deleted', 'deleted'])
  // Nothing is off the record here: it stays as long as any recording.
  const plain = await record([tone(3), tone(3)], [])
  await joinAudio.giveUp(parts, plain.job, new AbortController().signal)
  expect((await daysLeftOf(plain.sessionId))[0]).toBeGreaterThan(3)
})

it('what does not sound is tried three times, then left out where another segment sounds', async () => {
  const noise = randomBytes(40_000)
  const one = await record([noise, tone(3)], [newGap({ start: 1, end: 2 })])
  await expect(join(one.job)).rejects.toThrow('not a recording')
  await join({ ...one.job, attempts: 3 })
  expect(await findSilent(one.sessionId)).toEqual([1])

  const none = await record([noise], [newGap({})])
  await expect(join(none.job)).rejects.toThrow('not a recording')
  await join({ ...none.job, attempts: 3 })
  expect(await read(none.sessionId)).toMatchObject({ status: 'failed' })
  expect(await segmentsOf(none.sessionId)).toEqual(['complete'])
})

it('a decoder that is killed never ends a struck recording', async () => {
  const killedDecoder: Decoder = {
    name: decoder.name,
    cage: decoder.cage,
    alteredExitCode: decoder.alteredExitCode,
    nameInput: (kind) => decoder.nameInput(kind),
    start(args, input) {
      const child = decoder.start(args, input)
      // The probe writes no sound: it is killed as it begins; else in the middle of the sound.
      if (probesAreKilled) child.kill('SIGKILL')
      else child.stdout?.once('data', () => child.kill('SIGKILL'))
      return child
    },
    close: () => {},
  }
  let probesAreKilled = true
  const { sessionId, job } = await record([tone(3), tone(60)], [newGap({})])
  const killing = { ...parts, speech: { ...parts.speech, decoder: killedDecoder } }
  const signal = new AbortController().signal
  await expect(joinAudio.run(killing, { ...job, attempts: 5 }, signal)).rejects.toThrow()
  probesAreKilled = false
  await expect(joinAudio.run(killing, { ...job, attempts: 5 }, signal)).rejects.toThrow(SoundMissing)
  expect(await read(sessionId)).toMatchObject({ status: 'fetching' })
  expect(await segmentsOf(sessionId)).toEqual(['complete', 'complete'])
  await join(job)
  expect(await findSilent(sessionId)).toEqual([0])
})

/** As a strike leaves it until it is cut. */
async function strikeWhole(sessionId: string): Promise<void> {
  await run.rows(
    `insert into casenote.session_gaps (tenant_id, session_id, gap_id, kind, start_ms, end_ms, lasted_ms, by_kind, by_id, began_at, is_cut, blob_id)
      select $1, $2, gen_random_uuid(), 'struck', 2000, 3000, 1000, 'clinician', $3, now(), false, s.audio_blob_id
      from casenote.sessions s where s.tenant_id = $1 and s.session_id = $2`,
    sessionId,
    run.partner.clinicianId,
  )
  await run.rows(
    'update casenote.sessions set audio_blob_id = null where tenant_id = $1 and session_id = $2',
    sessionId,
  )
}

it('a hold that is placed and lifted leaves the recording that waits to be cut', async () => {
  const { sessionId, job } = await record([tone(3)], [])
  await join(job)
  await strikeWhole(sessionId)
  const { clientId } = run.partner
  await run.service.owner.write(tenantOf(), (tx) => placeLegalHold(tx, operator, clientId))
  await run.service.owner.write(tenantOf(), (tx) => liftLegalHold(tx, operator, clientId))
  expect(await segmentsOf(sessionId)).toEqual(['complete'])
  expect(await gapsOf(sessionId)).toEqual([{ start: 2_000, end: 3_000, isCut: false }])
})

it('under a hold what waits to be cut outlives its days, and goes by them once that is lifted', async () => {
  const { sessionId, job } = await record([tone(3), tone(3)], [])
  await join(job)
  await strikeWhole(sessionId)
  const { clientId } = run.partner
  await run.service.owner.write(tenantOf(), (tx) => placeLegalHold(tx, operator, clientId))
  const struck = `(select g.blob_id from casenote.session_gaps g where g.tenant_id = $1 and g.session_id = $2)`
  const pass = async (): Promise<unknown> => {
    await run.rows(
      `update casenote.blobs set delete_after = now() - interval '1 minute' where tenant_id = $1 and blob_id in ${struck}`,
      sessionId,
    )
    await purgeBlobs(run.service.blobs)
    const [blob] = await run.rows<{ status: string }>(
      `select status from casenote.blobs where tenant_id = $1 and blob_id in ${struck}`,
      sessionId,
    )
    return blob?.status
  }
  expect(await pass()).toBe('complete')
  await run.service.owner.write(tenantOf(), (tx) => liftLegalHold(tx, operator, clientId))
  expect(await pass()).not.toBe('complete')
})

it('joined under a hold it is put right for another client without what was struck, and cut once the hold is lifted', async () => {
  const { clientId, clinicianId } = run.partner
  const one = await record([tone(3), tone(3)], [newGap({})])
  const other = await record([tone(3), tone(3)], [newGap({})])
  await run.service.owner.write(tenantOf(), (tx) => placeLegalHold(tx, operator, clientId))
  await join(one.job)
  await join(other.job)
  await strikeWhole(one.sessionId)
  await run.service.owner.write(tenantOf(), (tx) => enqueueJob(tx, 'cut_audio', one.sessionId))
  const cutNext = async (): Promise<void> => {
    const [job] = await run.service.db.throughDoor(claimJob(['cut_audio'], 60_000))
    if (job === undefined) throw new Error('nothing is to be cut')
    await cutAudio.run(parts, job, new AbortController().signal)
  }
  const uncutOf = () =>
    run.rows(
      `select b.status from casenote.session_gaps g join casenote.blobs b on b.tenant_id = g.tenant_id and b.blob_id = g.blob_id
        where g.tenant_id = $1 and g.session_id = $2 and not g.is_cut`,
      one.sessionId,
    )
  await cutNext()
  expect(await uncutOf()).toEqual([{ status: 'complete' }])

  const rightId = await run.service.owner.write(tenantOf(), (tx) => {
    const person = { firstName: 'Ben', lastName: 'Right', dateOfBirth: '1985-05-05', clinicianId }
    return createClient(tx, { ...person, email: null, phoneNumber: null, externalId: null }, operator)
  })
  await giveConsent(clinician, rightId)
  const path = `/sessions/${other.sessionId}/correct-client`
  const corrected = await clinician.call('POST', path, { clientId: rightId })
  expect(corrected.statusCode).toBe(200)
  const { sessionId } = corrected.json<CorrectedClient>().session
  expect(await segmentsOf(sessionId)).toEqual(['deleting', 'deleting'])
  expect(await gapsOf(sessionId)).toEqual([{ start: 0, end: 1_000, isCut: true }])
  expect(await findSilent(sessionId)).toEqual([0])
  await run.service.owner.write(tenantOf(), (tx) => liftLegalHold(tx, operator, clientId))
  // Other sessions of the client wait for it, too.
  while ((await uncutOf()).length > 0) await cutNext()
  expect(await findSilent(one.sessionId)).toEqual([0, 2])
})

it('of a stretch with a place only that stays which was certainly heard before it, and nothing counts as heard', async () => {
  const { sessionId } = await openRecording(clinician, run.partner.clientId)
  await run.rows(
    `insert into casenote.transcription_chunks (tenant_id, session_id, chunk, sealed_chunk)
      select $1, $2, chunk, ''::bytea from generate_series(0, 40) chunk`,
    sessionId,
  )
  const countHeard = async () =>
    (
      await run.rows(
        'select 1 from casenote.transcription_chunks where tenant_id = $1 and session_id = $2',
        sessionId,
      )
    ).length
  const strike = (given: Partial<NewGap>) =>
    clinician.call('POST', `/sessions/${sessionId}/gaps`, newGap({ start: 600, end: 660, ...given }))
  expect((await strike({})).statusCode).toBe(204)
  expect(await countHeard()).toBeGreaterThan(0)
  const fedOf = () =>
    run.rows(
      `select fed_bytes::int as fed, heard_ms::int as heard, sealed_draft as draft from casenote.live_transcripts
        where tenant_id = $1 and session_id = $2`,
      sessionId,
    )
  await run.rows(
    `insert into casenote.live_transcripts (tenant_id, session_id, fed_bytes, heard_ms, sealed_draft)
      values ($1, $2, 3000000, 700000, ''::bytea)`,
    sessionId,
  )
  // The recorder’s clock was at 600 s; 320 s of sound were recorded in its first segment by then.
  const first = { from: { segment: 0, seconds: 320 }, to: { segment: 0, seconds: 380 } }
  expect((await strike(first)).statusCode).toBe(204)
  // One of 20 s and five of 50 s end before 319 s.
  expect(await countHeard()).toBe(6)
  expect(await fedOf()).toEqual([{ fed: 0, heard: 0, draft: null }])
  const placed = { from: { segment: 1, seconds: 1 }, to: { segment: 1, seconds: 61 } }
  expect((await strike(placed)).statusCode).toBe(204)
  expect(await countHeard()).toBe(0)
})

it('one that a crash cut off ends where its sound ends, from the third attempt on', async () => {
  const cutOff = tone(30).subarray(0, 400_000)
  const { sessionId, job } = await record([cutOff, tone(3)], [newGap({ start: 1, end: 2 })])
  await join({ ...job, attempts: 3 })
  expect(await findSilent(sessionId)).toEqual([1])
})

it('what is cut already does not count where a recording is heard as it comes in', async () => {
  const { sessionId } = await openRecording(clinician, run.partner.clientId)
  await run.rows(
    `insert into casenote.session_gaps (tenant_id, session_id, gap_id, kind, start_ms, end_ms, lasted_ms, by_kind, by_id, began_at, is_cut)
      values ($1, $2, gen_random_uuid(), 'struck', 0, 1000, 1000, 'clinician', $3, now(), true)`,
    sessionId,
    run.partner.clinicianId,
  )
  const ring = await run.service.keys.get(tenantOf())
  await keepDraft(run.service.db, ring, {
    sessionId,
    fedBytes: 1,
    heardSeconds: 2,
    draft: [],
    struckCount: 0,
  })
  const kept = await run.rows(
    'select 1 from casenote.live_transcripts where tenant_id = $1 and session_id = $2',
    sessionId,
  )
  expect(kept).toHaveLength(1)
})
