import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertGap, listUncut, noPlace } from '../../src/features/session-gaps/index.js'
import {
  createSession,
  findSession,
  receiveRecording,
  recordDownload,
} from '../../src/features/sessions/index.js'
import { enqueueJob } from '../../src/jobs/enqueue-job.js'
import { claimJob, type JobOf } from '../../src/jobs/jobs.sql.js'
import { completeBlob, createBlob, partSizeBytesMax } from '../../src/kernel/blobs/index.js'
import { PIPELINE } from '../../src/pipeline/pipeline.js'
import { decoder } from '../engines/speech/speech-fixture.js'
import { openNoteParts, type NoteParts } from '../pipeline/note-parts.js'
import { waitUntil } from '../support/casenote-process.js'
import { asPipeline } from '../support/clinical-record.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { findDelayMs, loopDelayMaxMs } from '../support/watch-loop.js'
import { creationHeaders, openRecording, signIn } from '../widget/widget-fixture.js'
import { largestTranscript } from './largest-record.js'
import {
  clipsPerSecond,
  keepParts,
  makeRecordingStore,
  makeTracks,
  makeWav,
  openQuickSpeech,
  type RecordingStore,
} from './largest-recordings.js'
import { measureAgain } from './measure-again.js'

const never = new AbortController().signal
const transcript = largestTranscript()

let service: TestService
let partner: TestPartner
let stage: NoteParts
let folder: string
let store: RecordingStore
let speech: Awaited<ReturnType<typeof openQuickSpeech>>

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  stage = openNoteParts(service)
  folder = await mkdtemp(join(tmpdir(), 'casenote-hearing-'))
  store = makeRecordingStore()
  speech = await openQuickSpeech(folder, (clip) => transcript[clip]?.transcript ?? '')
}, 300_000)
afterAll(async () => {
  await speech.pool.close()
  await rm(folder, { recursive: true })
  await stage.close()
  await service.close()
})

/** So many words as three hours of the densest talk have. */
const denseSeconds = transcript.length / clipsPerSecond
/** As many as are kept, each a track: until the second chunk is whole, which has a minute of each in memory. */
const tracksSeconds = 85

const tenantOf = () => ({ tenantId: partner.partnerId })
const blobs = () => ({ ...service.blobs, store })
const parts = () =>
  stage.partsWith({
    blobs: blobs(),
    speech: { ...speech, openVoices: async () => speech.voices, decoder, scratchFolder: folder },
  })

type Kind = 'cut_audio' | 'hear_live' | 'hear_download'

async function claim(subjectId: string, kind: Kind): Promise<JobOf<Kind>> {
  await service.owner.write(tenantOf(), (tx) => enqueueJob(tx, kind, subjectId))
  const [job] = await service.db.throughDoor(claimJob([kind], 600_000))
  if (job?.subjectId !== subjectId) throw new Error('something else was due')
  if (job.kind !== 'cut_audio' && job.kind !== 'hear_live' && job.kind !== 'hear_download')
    throw new Error('a job of another kind was claimed')
  return job
}

async function keepBlob(bytes: Buffer): Promise<string> {
  const ring = await service.keys.get(tenantOf())
  const blobId = await createBlob(blobs(), tenantOf(), 'audio')
  await keepParts(service, partner.partnerId, { store, ring }, { blobId, bytes, partBytes: partSizeBytesMax })
  await completeBlob(blobs(), tenantOf(), blobId)
  return blobId
}

async function addSession(): Promise<string> {
  const context = asPipeline(await service.keys.get(tenantOf()))
  const given = { fileUrl: 'https://recordings.example.com/a.mp3' }
  const { clientId } = partner
  const { sessionId } = await service.db.write(tenantOf(), (tx) =>
    createSession(tx, context, 'sandbox', { clientId, given }),
  )
  return sessionId
}

/** With as many stretches as may be struck, a second each. */
async function measureCutting(bytes: Buffer, seconds: number): Promise<number> {
  const sessionId = await addSession()
  const blobId = await keepBlob(bytes)
  const every = (seconds * 1_000) / gapsCount
  await service.db.write(tenantOf(), async (tx) => {
    await receiveRecording(tx, { sessionId, blobId })
    for (let at = 0; at < gapsCount; at += 1)
      await tx.run(
        insertGap(tx.tenant, sessionId, {
          gapId: randomUUID(),
          kind: 'struck',
          startMs: Math.floor(at * every),
          endMs: Math.floor((at + 0.5) * every),
          lastedMs: Math.floor(every / 2),
          byKind: 'clinician',
          byId: partner.clinicianId,
          beganAt: new Date(),
          isCut: false,
          blobId,
          ...noPlace,
        }),
      )
  })
  const job = await claim(sessionId, 'cut_audio')
  const delayMs = await findDelayMs(Infinity, () => PIPELINE.cut_audio.run(parts(), job, never))
  expect(await listUncut(service.db, tenantOf(), sessionId)).toEqual([])
  const { audioBlobId = null } = (await findSession(service.db, tenantOf(), sessionId)) ?? {}
  expect([null, blobId]).not.toContain(audioBlobId)
  return delayMs
}
const gapsCount = 100

/** How far a recording was heard, and in how many chunks that are kept. */
async function readHeard(sessionId: string): Promise<{ seconds: number; chunks: number }> {
  const [row] = (await service.owner.read(tenantOf(), {
    text: `select coalesce((select heard_ms / 1000 from casenote.live_transcripts where tenant_id = $1 and session_id = $2), 0)::float as seconds,
        (select count(*)::int from casenote.transcription_chunks where tenant_id = $1 and session_id = $2) as chunks`,
    values: [partner.partnerId, sessionId],
  })) as { seconds: number; chunks: number }[]
  return row ?? { seconds: 0, chunks: 0 }
}

/** All of it is there when it is begun: it is followed as fast as it is decoded, and ends when it was heard. */
async function addRecording(bytes: Buffer): Promise<{ sessionId: string; end: () => Promise<void> }> {
  const clinician = await signIn(service, partner)
  const { sessionId } = await openRecording(clinician, partner.clientId)
  const uploadId = randomUUID()
  const path = `/sessions/${sessionId}/uploads`
  await clinician.call('POST', path, undefined, creationHeaders(uploadId, { lengthBytes: bytes.length }))
  const change = async (set: string): Promise<string> => {
    const [row] = await service.owner.write(tenantOf(), (tx) =>
      tx.run<{ blobId: string }>({
        text: `update casenote.uploads set ${set} where tenant_id = $1 and upload_id = $2 returning blob_id as "blobId"`,
        values: [partner.partnerId, uploadId],
      }),
    )
    return row?.blobId ?? ''
  }
  const blobId = await change('offset_bytes = length_bytes')
  const ring = await service.keys.get(tenantOf())
  const kept = { blobId, bytes, partBytes: livePartBytes }
  const partCount = await keepParts(service, partner.partnerId, { store, ring }, kept)
  await change(`part_count = ${partCount}`)
  return { sessionId, end: async () => void (await change(`status = 'used', position = 0`)) }
}
/** As the widget sends. */
const livePartBytes = 60_000

async function measureLive(bytes: Buffer, seconds: number): Promise<number> {
  const { sessionId, end } = await addRecording(bytes)
  const job = await claim(sessionId, 'hear_live')
  const delayMs = await findDelayMs(Infinity, async () => {
    const heard = PIPELINE.hear_live.run(parts(), job, never)
    const isHeard = async (): Promise<boolean> => (await readHeard(sessionId)).seconds >= seconds - 1
    await waitUntil(isHeard, 'all of it is heard', 240_000)
    await end()
    await heard
  })
  expect((await readHeard(sessionId)).chunks).toBeGreaterThan(seconds / 60)
  return delayMs
}

/** And again, as another worker goes on with it: all that was kept is opened first. */
async function measureDownload(bytes: Buffer, seconds: number): Promise<number> {
  const sessionId = await addSession()
  const blobId = await keepBlob(bytes)
  const ring = await service.keys.get(tenantOf())
  await service.db.write(tenantOf(), (tx) =>
    recordDownload(tx, ring, {
      sessionId,
      clientId: partner.clientId,
      blobId,
      state: { receivedBytes: bytes.length, spentMs: 0, delayMs: 0 } as never,
    }),
  )
  const follow = async (): Promise<number> => {
    const job = await claim(sessionId, 'hear_download')
    return findDelayMs(Infinity, () => PIPELINE.hear_download.run(parts(), job, never))
  }
  const delayMs = await follow()
  expect((await readHeard(sessionId)).chunks).toBeGreaterThan(seconds / 60)
  return Math.max(delayMs, await follow())
}

const recordings: [string, () => Buffer, number][] = [
  ['the densest talk', () => makeWav(denseSeconds), denseSeconds],
  ['eight tracks', () => makeTracks(tracksSeconds), tracksSeconds],
]

describe.each(recordings)('%s leave the loop to the others', (_name, make, seconds) => {
  const timeout = 600_000
  let bytes: Buffer
  beforeAll(() => {
    bytes = make()
  })

  it.each([
    ['it is heard as it is recorded', measureLive],
    ['it is heard as it is downloaded, and when another worker goes on', measureDownload],
    ['struck stretches are cut out of it', measureCutting],
  ])('while %s', { timeout }, async (_, measure) => {
    const delayMs = await measureAgain(() => measure(bytes, seconds))
    expect(delayMs).toBeLessThan(loopDelayMaxMs)
  })
})
