import { randomBytes, randomUUID } from 'node:crypto'
import { request as sendRequest, type ClientRequest } from 'node:http'
import { join } from 'node:path'
import type { ProgressNote, Transcript, WidgetSession } from '@casenote/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setQuotas } from '../../src/features/partners/index.js'
import { makeFolderStore, purgeBlobs } from '../../src/kernel/blobs/index.js'
import { openPipelineRun, visit, type PipelineRun } from '../pipeline/pipeline-fixture.js'
import { CasenoteProcess, freePort, startCasenote, waitUntil } from '../support/casenote-process.js'
import { listSubjects } from '../support/outcomes.js'
import {
  creationHeaders,
  openRecording,
  patchHeaders,
  readStored,
  signIn,
  type SignedIn,
} from './widget-fixture.js'

let run: PipelineRun
let clinician: SignedIn
let program: CasenoteProcess
let url: string

const tenantOf = () => ({ tenantId: run.partner.partnerId })

const start = async (): Promise<void> => {
  const port = url === undefined ? String(await freePort()) : new URL(url).port
  const started = await startCasenote({ ...run.env, PORT: port })
  program = started.process
  url = started.url
}

beforeAll(async () => {
  run = await openPipelineRun(null)
  clinician = await signIn(run.service, run.partner)
  await start()
})
// Each test finds it running, one that is tried again, too.
beforeEach(async () => {
  if (program.hasEnded) await start()
})
afterAll(async () => {
  await program.end('SIGTERM')
  await run.close()
})

/** The program itself, over the wire. */
const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/widget/v1${path}`, {
    method,
    headers: {
      ...clinician.headers,
      ...(Buffer.isBuffer(body) || body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
  })

const offsetOf = async (uploadId: string): Promise<number> => {
  const answer = await call('HEAD', `/uploads/${uploadId}`, undefined, { 'tus-resumable': '1.0.0' })
  return Number(answer.headers.get('upload-offset') ?? Number.NaN)
}

/** A PATCH that stays open: what is written to it is on its way. */
function openPatch(uploadId: string, offset: number): ClientRequest {
  const patch = sendRequest(`${url}/widget/v1/uploads/${uploadId}`, {
    method: 'PATCH',
    headers: { ...clinician.headers, ...patchHeaders(offset) },
  })
  patch.on('error', () => {}) // The server is killed under it.
  return patch
}

async function upload(sessionId: string, bytes: Buffer, segment = 0): Promise<string> {
  const uploadId = randomUUID()
  await call('POST', `/sessions/${sessionId}/uploads`, undefined, creationHeaders(uploadId, { segment }))
  const sent = await call('PATCH', `/uploads/${uploadId}`, bytes, patchHeaders(0, bytes.length))
  expect(sent.status).toBe(204)
  return uploadId
}

/** By this process, from the folder of the one that was killed. */
function readKept(sessionId: string): Promise<Buffer[]> {
  const store = makeFolderStore(join(run.env.CASENOTE_DATA_DIR ?? '', 'blobs'), 'installation')
  const { db, blobs } = run.service
  return readStored({ db, blobs: { ...blobs, store } }, tenantOf(), sessionId)
}

describe('an upload', () => {
  it('killed with the server in the middle of a PATCH goes on from what was committed, byte for byte', async () => {
    const bytes = randomBytes(5_000_000)
    const { sessionId } = await openRecording(clinician, run.partner.clientId)
    const uploadId = randomUUID()
    await call('POST', `/sessions/${sessionId}/uploads`, undefined, creationHeaders(uploadId))
    let offset = 0
    for (const killAt of [1_500_000, 3_200_000]) {
      const patch = openPatch(uploadId, offset)
      patch.write(bytes.subarray(offset, killAt))
      const before = offset
      await waitUntil(async () => (await offsetOf(uploadId)) > before, 'some of it is committed')
      await program.end('SIGKILL')
      patch.destroy()
      await start()
      offset = await offsetOf(uploadId)
      expect(offset).toBeGreaterThan(before)
      expect(offset).toBeLessThanOrEqual(killAt)
    }
    const last = await call(
      'PATCH',
      `/uploads/${uploadId}`,
      bytes.subarray(offset),
      patchHeaders(offset, bytes.length),
    )
    expect(last.status).toBe(204)
    const completed = await call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [uploadId] })
    expect(completed.status).toBe(200)
    const [stored] = await readKept(sessionId)
    expect(stored?.equals(bytes)).toBe(true)
  })

  it('whose line breaks goes on from where HEAD says', async () => {
    const bytes = randomBytes(1_500_000)
    const { sessionId } = await openRecording(clinician, run.partner.clientId)
    const uploadId = randomUUID()
    await call('POST', `/sessions/${sessionId}/uploads`, undefined, creationHeaders(uploadId))
    const patch = openPatch(uploadId, 0)
    patch.write(bytes.subarray(0, 1_400_000))
    await waitUntil(async () => (await offsetOf(uploadId)) > 0, 'some of it is committed')
    patch.destroy()
    // What was read when the line broke is committed meanwhile: then the first try stands at another offset.
    let offset = 0
    await waitUntil(async () => {
      offset = await offsetOf(uploadId)
      const rest = bytes.subarray(offset)
      const sent = await call('PATCH', `/uploads/${uploadId}`, rest, patchHeaders(offset, bytes.length))
      return sent.status === 204
    }, 'the rest is taken')
    await call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [uploadId] })
    const [stored] = await readKept(sessionId)
    expect(stored?.equals(bytes)).toBe(true)
  })
})

describe('the bytes stored of a partner, at their quota', () => {
  /** As they are counted, and as the rows say. */
  const countBytes = async (): Promise<{ counted: number; recounted: number }> => {
    const [row] = await run.rows<{ counted: number; recounted: number }>(
      `select stored_bytes as counted, (select coalesce(sum(size_bytes), 0) from casenote.blob_parts
          where tenant_id = $1)::float8 as recounted
        from casenote.tenant_usage where tenant_id = $1`,
    )
    return row ?? { counted: Number.NaN, recounted: Number.NaN }
  }

  const listStored = async (): Promise<string[]> => {
    const names: string[] = []
    for await (const { name } of run.service.blobs.store.list()) names.push(name)
    return names
  }

  /** Kills it in the transaction that counts: whoever counts waits for the row that is held here. */
  const killWhileCounting = (begin: () => CasenoteProcess): Promise<void> =>
    run.service.owner.write(tenantOf(), async (tx) => {
      const held = `select 1 from casenote.tenant_usage where tenant_id = $1 for update`
      await tx.run({ text: held, values: [tenantOf().tenantId] })
      const killed = begin()
      const blocked = `select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`
      const isCounting = async () => (await tx.run({ text: blocked, values: [] })).length > 0
      await waitUntil(isCounting, 'it counts')
      await killed.end('SIGKILL')
    })

  it('are neither lost nor freed twice by kill -9 in the middle of a part, and of its deletion', async () => {
    const { sessionId } = await openRecording(clinician, run.partner.clientId)
    const uploadId = randomUUID()
    await call('POST', `/sessions/${sessionId}/uploads`, undefined, creationHeaders(uploadId))
    const bytes = randomBytes(1_500_000)
    const before = await countBytes()
    const storedBefore = (await listStored()).length
    const quota = before.counted + bytes.length
    await setQuotas(run.service.owner, tenantOf(), { storedBytes: quota })

    await killWhileCounting(() => {
      openPatch(uploadId, 0).end(bytes.subarray(0, 1_400_000))
      return program
    })
    // The bytes lay in the store, and nobody had been told so.
    expect(await listStored()).toHaveLength(storedBefore + 1)
    expect(await countBytes()).toEqual(before)
    await start()
    expect(await offsetOf(uploadId)).toBe(0)
    const patch = async (from: number, to: number): Promise<number> => {
      const piece = bytes.length < to ? randomBytes(to - from) : bytes.subarray(from, to)
      return (await call('PATCH', `/uploads/${uploadId}`, piece, patchHeaders(from))).status
    }
    expect(await patch(0, 1_400_000)).toBe(204)
    expect(await patch(1_400_000, 1_500_001)).toBe(507)
    expect(await patch(1_400_000, 1_500_000)).toBe(204)
    expect(await countBytes()).toEqual({ counted: quota, recounted: quota })

    await call('POST', `/sessions/${sessionId}/discard`)
    // All of it was sent at once, so the server may end it without whoever asked for it.
    await killWhileCounting(() => new CasenoteProcess(['worker'], run.env))
    const between = await countBytes()
    expect(between.counted).toBe(between.recounted)
    for (let times = 0; times < 2; times += 1) {
      await purgeBlobs(run.service.blobs)
      expect(await countBytes()).toEqual(before)
    }
    await setQuotas(run.service.owner, tenantOf(), { storedBytes: 1e12 })
  })
})

it('segments become one recording, in order, with its transcript, its note and its sound', async () => {
  const { sessionId } = await openRecording(clinician, run.partner.clientId)
  const first = visit('mood and doses', 'webm')
  const uploadIds = [
    await upload(sessionId, first, 0),
    // A recorder that died before its first second.
    await upload(sessionId, first.subarray(0, 200), 1),
    await upload(sessionId, visit('a higher dose', 'webm'), 2),
  ]
  const completed = await call('POST', `/sessions/${sessionId}/recording`, { uploadIds })
  expect(completed.status).toBe(200)
  const read = async (): Promise<WidgetSession> =>
    (await call('GET', `/sessions/${sessionId}`)).json() as Promise<WidgetSession>
  await waitUntil(
    async () => ['done', 'failed'].includes((await read()).stage),
    'the session has ended',
    400_000,
  )
  expect(await read()).toMatchObject({ stage: 'done', hasAudio: true, hasTranscript: true, failure: null })
  const transcript = (await (await call('GET', `/sessions/${sessionId}/transcript`)).json()) as Transcript
  const early = transcript.transcriptItems.filter(({ startTime }) => startTime < 30)
  const late = transcript.transcriptItems.filter(({ startTime }) => startTime > 30.2)
  expect(early.length).toBeGreaterThan(1)
  expect(late.length).toBeGreaterThan(1)
  expect(Math.max(...late.map(({ endTime }) => endTime))).toBeLessThan(56.5)
  const note = (await (await call('GET', `/sessions/${sessionId}/progress-note`)).json()) as ProgressNote
  expect(note.note.length).toBeGreaterThan(1)
  const clip = await call('GET', `/sessions/${sessionId}/audio?from=28&seconds=5`)
  expect([clip.status, clip.headers.get('content-type')]).toEqual([200, 'audio/wav'])
  const clipSeconds = ((await clip.arrayBuffer()).byteLength - 44) / 32_000
  expect(Math.abs(clipSeconds - 5)).toBeLessThan(0.1)
  const last = await call('GET', `/sessions/${sessionId}/audio?from=55&seconds=60`)
  expect((await last.arrayBuffer()).byteLength).toBeLessThan(44 + 3 * 32_000)
  for (const [query, status] of [
    ['from=500&seconds=5', 400],
    ['from=0&seconds=61', 400],
    ['from=-1', 400],
  ] as const)
    expect((await call('GET', `/sessions/${sessionId}/audio?${query}`)).status).toBe(status)
  expect(await listSubjects(run.service, tenantOf(), 'widget.playAudio', sessionId)).toHaveLength(2)
}, 500_000)

it('a file that is no recording fails its session with a sentence for the clinician', async () => {
  const { sessionId } = await openRecording(clinician, run.partner.clientId)
  const uploadId = await upload(sessionId, randomBytes(50_000))
  await call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [uploadId] })
  const read = async () => (await (await call('GET', `/sessions/${sessionId}`)).json()) as WidgetSession
  await waitUntil(async () => (await read()).stage === 'failed', 'the session has failed')
  expect((await read()).failure).toBe('The file is not a recording that can be read')
})

it('SIGTERM ends the process soon, with an upload under way and a stream open', async () => {
  const { sessionId } = await openRecording(clinician, run.partner.clientId)
  const uploadId = randomUUID()
  await call('POST', `/sessions/${sessionId}/uploads`, undefined, creationHeaders(uploadId))
  const events = await call('GET', `/sessions/${sessionId}/events`)
  expect(events.status).toBe(200)
  const patch = openPatch(uploadId, 0)
  patch.write(randomBytes(1_200_000))
  await waitUntil(async () => (await offsetOf(uploadId)) > 0, 'some of it is committed')
  const before = Date.now()
  await program.stop()
  // Well before the upload and the stream would end by themselves; the rest is for a busy machine.
  expect(Date.now() - before).toBeLessThan(40_000)
  patch.destroy()
  await start()
  expect(await offsetOf(uploadId)).toBe(1_200_000)
})
