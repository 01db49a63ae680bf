// Stands for a process that a test kills: writes the parts of one blob, says the number of each that is acknowledged.
import { createHash } from 'node:crypto'
import { appendPart, makeFolderStore } from '../../dist/kernel/blobs/index.js'
import { Database } from '../../dist/kernel/db/database.js'
import { MasterKeys } from '../../dist/kernel/secrets/master-keys.js'
import { readTenantKeys } from '../../dist/kernel/secrets/tenant-keys.js'

const { root, databaseUrl, masterKey, tenantId, blobId, first, last } = JSON.parse(process.argv[2])
const tenant = { tenantId }
const db = new Database({
  url: databaseUrl,
  poolSize: 4,
  applicationName: 'test',
  onConnectionError: () => {},
})
const masterKeys = new MasterKeys(() => [Buffer.from(masterKey, 'hex')])
const ring = await readTenantKeys(db, masterKeys, tenant)
const parts = { db, keys: { get: () => ring }, store: makeFolderStore(root), keepDays: 7, endedDays: 7 }

/** The same bytes for a number, in every process and in the test. */
function makePart(number) {
  const seed = createHash('sha256').update(`${blobId}/${number}`).digest()
  return Buffer.alloc(20_000 + seed.readUInt16BE(0) * 8, seed)
}

let next = first
async function writeOneAfterAnother() {
  while (next <= last) {
    const number = next
    next += 1
    await appendPart(parts, tenant, blobId, number, makePart(number))
    process.stdout.write(`${number}\n`)
  }
}
process.stdout.write('0\n')
await Promise.all([writeOneAfterAnother(), writeOneAfterAnother()])
await db.end()
