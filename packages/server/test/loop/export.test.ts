import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeTypesetter, type Typesetter } from '../../src/engines/typeset/make-typesetter.js'
import { makeBuiltInCatalogue } from '../../src/features/assessments/index.js'
import { makeExportHandlers } from '../../src/features/client-exports/index.js'
import { findExport } from '../../src/features/client-exports/read-export.js'
import { requestExport } from '../../src/features/client-exports/request-export.js'
import { sealItem } from '../../src/features/danger/danger-item.js'
import { insertAnsweredItem } from '../../src/features/danger/danger.sql.js'
import { claimJob } from '../../src/jobs/jobs.sql.js'
import { completeBlob, createBlob, partSizeBytesMax } from '../../src/kernel/blobs/index.js'
import { makeLog } from '../../src/kernel/log.js'
import { operator } from '../../src/kernel/operator.js'
import { wordOperation } from '../../src/main/audit-report/operation-words.js'
import { openSuperuser } from '../support/test-database.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { findDelayMs, loopDelayMaxMs } from '../support/watch-loop.js'
import { makeWav, keepParts, makeRecordingStore, type RecordingStore } from './largest-recordings.js'
import { makeLargestRecord, type LargestRecord } from './largest-record.js'
import { addEntries, copyRow, freshId } from './largest-tenants.js'
import { measureAgain } from './measure-again.js'

let service: TestService
let partner: TestPartner
let store: RecordingStore
let typesetter: Typesetter
let largest: LargestRecord

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  store = makeRecordingStore()
  typesetter = makeTypesetter()
  largest = await makeLargestRecord(service, partner)
  await addRecording()
  await addDanger()
  await addRows()
}, 300_000)
afterAll(async () => {
  await typesetter.close()
  await service.close()
})

const tenantOf = () => ({ tenantId: partner.partnerId })
const blobs = () => ({ ...service.blobs, store })

/** In parts of the largest size: how many there are changes nothing. */
const recordingSeconds = 16_000

async function addRecording(): Promise<void> {
  const ring = (await service.keys.get(tenantOf())).forClient(largest.clientId)
  const blobId = await createBlob(blobs(), tenantOf(), 'audio')
  const kept = { blobId, bytes: makeWav(recordingSeconds), partBytes: partSizeBytesMax }
  await keepParts(service, partner.partnerId, { store, ring }, kept)
  await completeBlob(blobs(), tenantOf(), blobId)
  await service.owner.write(tenantOf(), (tx) =>
    tx.run({
      text: 'update casenote.sessions set audio_blob_id = $3 where tenant_id = $1 and session_id = $2',
      values: [partner.partnerId, largest.sessionId, blobId],
    }),
  )
}

const dangerCount = 500

/** Pages of what a client answered. */
async function addDanger(): Promise<void> {
  const ring = await service.keys.get(tenantOf())
  const words = 'I think about it at times, and then I do not. '.repeat(8)
  const said = { label: 'PHQ-9', question: words, words, questionKey: 'q9', value: 1 }
  await service.owner.write(tenantOf(), async (tx) => {
    for (let count = 0; count < dangerCount; count += 1) {
      const itemId = randomUUID()
      const sealedItem = sealItem(ring, itemId, { ...said, transcriptItems: [], findingIds: [] })
      const { clientId } = largest
      const { assignmentId } = partner
      await tx.run(
        insertAnsweredItem(tx.tenant, { itemId, clientId, assignmentId, sealedItem, occurredAt: new Date() }),
      )
    }
  })
}

/** Of a client who came every week for ten years, and of whom every list was read. How many there are changes no turn. */
const sessionsCount = 500

async function addRows(): Promise<void> {
  const client = await openSuperuser(service.database)
  try {
    await client.query('set session_replication_role = replica')
    const where = `t.session_id = '${largest.otherSessionId}'`
    await client.query(
      copyRow('sessions', sessionsCount, where, { session_id: freshId, sealed_file_url: 'null' }),
    )
    await addEntries((text) => client.query(text), { ...partner, ...largest })
  } finally {
    await client.end()
  }
}

async function measureExport(): Promise<number> {
  const { db, keys } = service
  const { exportId } = await db.write(tenantOf(), (tx) => requestExport(tx, largest.clientId, operator))
  const [job] = await db.throughDoor(claimJob(['export_client'], 600_000))
  if (job?.subjectId !== exportId) throw new Error('something else was due')
  const instruments = { get: () => makeBuiltInCatalogue() }
  const log = makeLog('silent', 'test')
  const handlers = makeExportHandlers({
    db,
    keys,
    blobs: blobs(),
    instruments,
    typesetter,
    wordOperation,
    log,
  })
  const delayMs = await findDelayMs(Infinity, () => handlers.run(job, new AbortController().signal))
  const made = await findExport(db, tenantOf(), exportId)
  expect(made).toMatchObject({ status: 'ready' })
  expect(made?.sizeBytes).toBeGreaterThan(3 * partSizeBytesMax)
  return delayMs
}

it('the export of the densest client leaves the loop to the others', { timeout: 900_000 }, async () => {
  expect(await measureAgain(measureExport)).toBeLessThan(loopDelayMaxMs)
})
