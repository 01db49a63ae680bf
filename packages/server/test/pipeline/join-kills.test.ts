import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { joinRecordings } from '../../src/engines/speech/audio/join-recordings.js'
import { openBlob, sweepOrphans } from '../../src/kernel/blobs/index.js'
import { decoder, makeAudio, opens } from '../engines/speech/speech-fixture.js'
import { CasenoteProcess, waitUntil } from '../support/casenote-process.js'
import { openRecording, signIn, uploadSegment } from '../widget/widget-fixture.js'
import { openPipelineRun, type PipelineRun } from './pipeline-fixture.js'

/** Together five parts of 4 MiB, once they are joined. */
const segmentSeconds = [400, 240]

let run: PipelineRun
let worker: CasenoteProcess | null = null

beforeAll(async () => {
  run = await openPipelineRun(null)
})
afterAll(async () => {
  await worker?.end('SIGKILL')
  await run.close()
})

const tone = (pitch: number, seconds: number): Buffer =>
  makeAudio('-f', 'lavfi', '-i', `sine=frequency=${pitch}:sample_rate=8000:duration=${seconds}`, '-f', 'wav')

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** As one worker makes it that nobody kills. */
async function joinHere(segments: readonly Buffer[]): Promise<Buffer> {
  const opened = segments.map((bytes) => ({ openAudio: opens(bytes), sizeBytes: bytes.length }))
  const { signal } = new AbortController()
  const options = { decoder, scratchFolder: run.env.CASENOTE_DATA_DIR ?? '', signal }
  return buffer(joinRecordings(opened, options))
}

interface MadeBlob {
  blobId: string
  status: string
  parts: number
}

/** All that was made of the segments so far, the newest last. */
const listMade = (): Promise<MadeBlob[]> =>
  run.rows<MadeBlob>(
    `select b.blob_id as "blobId", b.status, (select count(*)::int from casenote.blob_parts p
        where p.tenant_id = b.tenant_id and p.blob_id = b.blob_id) as parts
      from casenote.blobs b where b.tenant_id = $1 and b.kind = 'audio' and not exists (select from casenote.uploads u
        where u.tenant_id = b.tenant_id and u.blob_id = b.blob_id) order by b.created_at`,
  )

const newest = async (): Promise<Partial<MadeBlob>> => (await listMade()).at(-1) ?? {}

async function killAt(isThere: () => Promise<boolean>, what: string): Promise<void> {
  // Instead of waiting for 20 s until the lease of the one before is over.
  await run.rows(
    `update casenote.jobs set leased_until = now() - interval '1 second' where tenant_id = $1 and status = 'running'`,
  )
  worker = new CasenoteProcess(['worker'], run.env)
  // A heartbeat on its way when the one before was killed renews the lease once more.
  await waitUntil(isThere, what, 90_000)
  await worker.end('SIGKILL')
}

const recordingOf = async (sessionId: string): Promise<string | null> => {
  const [row] = await run.rows<{ blobId: string | null }>(
    'select audio_blob_id as "blobId" from casenote.sessions where tenant_id = $1 and session_id = $2',
    sessionId,
  )
  return row?.blobId ?? null
}

it(
  'kill -9 of a worker that joins segments leaves one recording, whole, and nothing beside it',
  { timeout: 300_000 },
  async () => {
    const { service, partner } = run
    const tenant = { tenantId: partner.partnerId }
    const { blobs } = service
    const segments = segmentSeconds.map((seconds, index) => tone(300 * (index + 1), seconds))
    const clinician = await signIn(service, partner)
    const { sessionId } = await openRecording(clinician, partner.clientId)
    const uploadIds: string[] = []
    for (const [index, bytes] of segments.entries())
      uploadIds.push(await uploadSegment(clinician, sessionId, bytes, index))
    await clinician.call('POST', `/sessions/${sessionId}/recording`, { uploadIds })

    for (const parts of [1, 3]) {
      const before = (await newest()).blobId
      const isThere = async (): Promise<boolean> => {
        const made = await newest()
        return made.blobId !== before && (made.parts ?? 0) >= parts
      }
      await killAt(isThere, `${parts} parts are sealed`)
    }
    // Whole, and not in its place: whoever puts it there waits for the session's row.
    await service.owner.write(tenant, async (tx) => {
      await tx.run({
        text: 'select 1 from casenote.sessions where tenant_id = $1 and session_id = $2 for update',
        values: [tenant.tenantId, sessionId],
      })
      await killAt(async () => (await newest()).status === 'complete', 'it is whole')
    })
    const whole = (await newest()).blobId
    await killAt(async () => (await recordingOf(sessionId)) !== null, 'it is in its place')

    expect(await recordingOf(sessionId)).toBe(whole)
    const kept = await openBlob(blobs, tenant, whole ?? '')
    expect(hash(await buffer(kept))).toBe(hash(await joinHere(segments)))
    const left = (await listMade()).filter(({ blobId }) => blobId !== whole)
    expect(left).toHaveLength(2)
    expect(left.map(({ status, parts }) => [status, parts])).toEqual(left.map(() => ['deleted', 0]))
    expect(await run.rows('select 1 from casenote.recording_downloads where tenant_id = $1')).toEqual([])
    // What was written and not committed is the sweep's.
    await sweepOrphans(blobs, Date.now() + 2 * 86_400_000)
    const names: string[] = []
    for await (const { name } of blobs.store.list()) names.push(name)
    const known = await run.rows<{ name: string }>(
      'select stored_name as name from casenote.blob_parts where tenant_id = $1',
    )
    expect(names.toSorted()).toEqual(known.map(({ name }) => name).toSorted())
  },
)
