import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeFolderStore, openBlob } from '../../src/kernel/blobs/index.js'
import { CasenoteProcess, waitUntil } from '../support/casenote-process.js'
import { countFile, makeFile } from './fetch-fixture.js'
import { openPipelineRun, type PipelineRun } from './pipeline-fixture.js'

const partBytes = 4 * 1_024 * 1_024
const fileBytes = 40_000_000

let run: PipelineRun
const workers: CasenoteProcess[] = []

beforeAll(async () => {
  run = await openPipelineRun(null)
})
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.end('SIGKILL')))
  await run.close()
})

function startWorker(): CasenoteProcess {
  const worker = new CasenoteProcess(['worker'], run.env)
  workers.push(worker)
  return worker
}

const countParts = async (): Promise<number> => {
  const [row] = await run.rows<{ count: number }>(
    'select count(*)::int as count from casenote.blob_parts where tenant_id = $1',
  )
  return row?.count ?? 0
}

/** Instead of waiting for 20 s. */
const endLeases = (): Promise<unknown> =>
  run.rows(
    `update casenote.jobs set leased_until = now() - interval '1 second' where tenant_id = $1 and status = 'running'`,
  )

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

it('kill -9 of a worker costs a download the part that was on its way, and no more, again and again', async () => {
  const bytes = makeFile(fileBytes)
  const file = countFile(bytes)
  run.files.serve('/recording', file.listener)
  const fileUrl = run.files.urlOf('/recording')
  const sessionId = await run.createSession({ fileUrl })
  let sentBytes = 0
  let fromByte = 0
  for (const sealedParts of [3, 6]) {
    const heldAt = sealedParts * partBytes + 1_500_000
    sentBytes += heldAt - fromByte
    fromByte = sealedParts * partBytes
    file.stallAt(heldAt)
    const worker = startWorker()
    const standsStill = async (): Promise<boolean> =>
      file.sentBytes() === sentBytes && (await countParts()) === sealedParts
    await waitUntil(standsStill, `${sealedParts} parts are sealed`, 20_000)
    await worker.end('SIGKILL')
    await endLeases()
  }
  file.stallAt(Infinity)
  startWorker()
  const recordingOf = async (): Promise<string | null> => {
    const [row] = await run.rows<{ blobId: string | null }>(
      'select audio_blob_id as "blobId" from casenote.sessions where tenant_id = $1 and session_id = $2',
      sessionId,
    )
    return row?.blobId ?? null
  }
  await waitUntil(async () => (await recordingOf()) !== null, 'the recording is here', 20_000)
  expect(file.asked).toEqual([null, 3 * partBytes, 6 * partBytes])
  expect(file.sentBytes()).toBe(sentBytes + fileBytes - fromByte)
  const { db, keys } = run.service
  const store = makeFolderStore(join(run.env.CASENOTE_DATA_DIR ?? '', 'blobs'), 'installation')
  const tenant = { tenantId: run.partner.partnerId }
  const kept = await openBlob(
    { db, keys, store, keepDays: 1, endedDays: 1 },
    tenant,
    (await recordingOf()) ?? '',
  )
  expect(hash(await buffer(kept))).toBe(hash(bytes))
})
