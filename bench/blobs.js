// A recording into the blob store and out of it again, against copying and reading a plain file of the same size on
// the same disk: interleaved rounds, median of the ratios. The database is the embedded one, with fsync on.
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createPartner, newPartnerSecrets } from '../packages/server/dist/features/partners/index.js'
import { makeFolderStore, openBlob, writeBlob } from '../packages/server/dist/kernel/blobs/index.js'
import { Database } from '../packages/server/dist/kernel/db/database.js'
import { migrate } from '../packages/server/dist/kernel/db/migrate.js'
import { insertInstallation } from '../packages/server/dist/kernel/secrets/installation.sql.js'
import { MasterKeys } from '../packages/server/dist/kernel/secrets/master-keys.js'
import { readTenantKeys } from '../packages/server/dist/kernel/secrets/tenant-keys.js'
import {
  lockDataFolder,
  startEmbeddedPostgres,
} from '../packages/server/dist/main/embedded-postgres/index.js'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const sizeBytes = Number(process.env.BENCH_MB ?? 256) * 1e6
/** As large as a part: both sides make equally many calls. */
const highWaterMark = 4 * 1024 * 1024

const say = (line) => process.stdout.write(`${line}\n`)

export async function run() {
  const folder = await mkdtemp(join(tmpdir(), 'casenote-bench-'))
  await chmod(folder, 0o711)
  const lock = await lockDataFolder(folder, { command: 'bench' })
  const log = { info: () => {}, warn: () => {} }
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log })
  const databases = []
  try {
    await migrate({ ...postgres, report: () => {} })
    await measure(folder, await openParts(folder, postgres, databases))
  } finally {
    for (const database of databases) await database.end()
    await postgres.stop()
    await lock.release()
    await rm(folder, { recursive: true, force: true })
  }
}

async function openParts(folder, { databaseUrl, migrateUrl }, databases) {
  const connect = (url) =>
    new Database({ url, poolSize: 4, applicationName: 'bench', onConnectionError: () => {} })
  const [db, owner] = [connect(databaseUrl), connect(migrateUrl)]
  databases.push(db, owner)
  const masterKey = randomBytes(32)
  const masterKeys = new MasterKeys(() => [masterKey])
  await owner.throughDoor(insertInstallation(masterKeys.currentId))
  const secrets = newPartnerSecrets()
  await createPartner(owner, masterKeys, { ...secrets, name: 'Bench', environment: 'sandbox' })
  const tenant = { tenantId: secrets.partnerId }
  const ring = await readTenantKeys(db, masterKeys, tenant)
  const store = makeFolderStore(join(folder, 'blobs'), 'installation')
  return { tenant, parts: { db, keys: { get: () => ring }, store, keepDays: 7, endedDays: 7 } }
}

async function measure(folder, { tenant, parts }) {
  const source = join(folder, 'recording')
  await makeFile(source)
  say(`${rounds} rounds, a recording of ${sizeBytes / 1e6} MB`)
  const results = { write: [], read: [] }
  for (let round = 0; round <= rounds; round += 1) {
    const copy = join(folder, `copy-${round}`)
    const plainWrite = await time(() => copyFile(source, copy))
    const sealedWrite = await time(() =>
      writeBlob(parts, tenant, 'audio', createReadStream(source, { highWaterMark })),
    )
    const { blobId } = sealedWrite.result
    const plainRead = await time(() => drain(createReadStream(copy, { highWaterMark })))
    const sealedRead = await time(async () => drain(await openBlob(parts, tenant, blobId)))
    await rm(copy)
    await rm(join(folder, 'blobs', tenant.tenantId, blobId), { recursive: true })
    // The first round warms up.
    if (round === 0) continue
    results.write.push({ plain: plainWrite, sealed: sealedWrite })
    results.read.push({ plain: plainRead, sealed: sealedRead })
  }
  for (const [name, measured] of Object.entries(results)) {
    const of = (pick) => median(measured.map(pick)).toFixed(2)
    say(
      `${name}: plain ${of(({ plain }) => plain.mbPerSecond)} MB/s, sealed ${of(({ sealed }) => sealed.mbPerSecond)} MB/s, ` +
        `ratio ${of(({ plain, sealed }) => sealed.mbPerSecond / plain.mbPerSecond)}; processor time for 100 MB: ` +
        `plain ${of(({ plain }) => plain.cpuMs)} ms, sealed ${of(({ sealed }) => sealed.cpuMs)} ms`,
    )
  }
  say(`memory of this process: ${Math.round(process.memoryUsage().rss / 1e6)} MB`)
}

async function makeFile(path) {
  const file = await open(path, 'w')
  const block = randomBytes(1e6)
  for (let written = 0; written < sizeBytes; written += block.length) await file.write(block)
  await file.sync()
  await file.close()
}

/** Durable at the end, as a blob is. */
async function copyFile(from, to) {
  await pipeline(
    createReadStream(from, { highWaterMark }),
    createWriteStream(to, { flush: true, highWaterMark }),
  )
}

const drain = (stream) =>
  pipeline(stream, new Writable({ highWaterMark, write: (_chunk, _encoding, done) => done() }))

/** Processor time beside the clock's: on a busy machine only that is worth comparing. */
async function time(work) {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  const cpuMs = (user + system) / 1e3 / (sizeBytes / 1e8)
  return { result, mbPerSecond: sizeBytes / 1e3 / (performance.now() - startedAt), cpuMs }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
