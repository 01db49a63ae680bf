// What an hour of audio costs beside the engines: queueing, fetching, storing and the database. The whole way of a session
// through the job runner, on an embedded PostgreSQL with fsync on and a file server on loopback; only the engines answer
// at once. Recognizing is replaced by what it keeps: the recording is read, a chunk is saved for every minute and progress
// told every second of the six minutes that an hour takes.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, open, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeNoteChecker } from '../packages/server/dist/engines/checker/note-checker.js'
import { createClient } from '../packages/server/dist/features/clients/index.js'
import { createClinician } from '../packages/server/dist/features/clinicians/index.js'
import { provisionOrganization, provisionUnit } from '../packages/server/dist/features/organizations/index.js'
import { createPartner, newPartnerSecrets } from '../packages/server/dist/features/partners/index.js'
import { createSession, findSession } from '../packages/server/dist/features/sessions/index.js'
import { JobRunner } from '../packages/server/dist/jobs/job-runner.js'
import { makeFolderStore } from '../packages/server/dist/kernel/blobs/index.js'
import { openChange } from '../packages/server/dist/kernel/change-context.js'
import { systemClock } from '../packages/server/dist/kernel/clock.js'
import { Database } from '../packages/server/dist/kernel/db/database.js'
import { migrate } from '../packages/server/dist/kernel/db/migrate.js'
import { makeGuardedAgent } from '../packages/server/dist/kernel/guarded-fetch/guarded-agent.js'
import { makeLog } from '../packages/server/dist/kernel/log.js'
import { operator } from '../packages/server/dist/kernel/operator.js'
import { insertInstallation } from '../packages/server/dist/kernel/secrets/installation.sql.js'
import { MasterKeys } from '../packages/server/dist/kernel/secrets/master-keys.js'
import { readTenantKeys } from '../packages/server/dist/kernel/secrets/tenant-keys.js'
import {
  lockDataFolder,
  startEmbeddedPostgres,
} from '../packages/server/dist/main/embedded-postgres/index.js'
import { LANES, makeJobHandlers } from '../packages/server/dist/pipeline/pipeline.js'
import { makeStubReader, makeStubWriter, system, transcribeAtOnce } from './stub-engines.js'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
/** An hour at 64 kbit/s, twice what speech needs. */
const fileBytes = 28_800_000
/** Far beyond what it takes: a step that fails is tried again for an hour. */
const mostMs = 60_000
const noteType = /** @type {const} */ ('psychiatric_evaluation')
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

export async function reportOverhead(say) {
  const folder = await mkdtemp(join(tmpdir(), 'casenote-bench-'))
  await chmod(folder, 0o711)
  const lock = await lockDataFolder(folder, { command: 'bench' })
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: { info: () => {}, warn: () => {} } })
  const databases = []
  const files = await serveFile()
  try {
    await migrate({ ...postgres, report: () => {} })
    const parts = await openParts(folder, postgres, databases)
    await measure(say, folder, parts, postgres.databaseUrl, files.url)
    await parts.agents.sandbox.destroy()
    await parts.checker.close()
  } finally {
    await files.close()
    for (const database of databases) await database.end()
    await postgres.stop()
    await lock.release()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(say, folder, parts, listenUrl, fileUrl) {
  const spent = new Map()
  const runner = startRunner(parts, listenUrl, spent)
  const seen = []
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    const copySeconds = await copyPlainly(fileUrl, join(folder, 'plain'))
    spent.clear()
    const before = process.cpuUsage()
    const startedAt = performance.now()
    await passThrough(parts, fileUrl)
    const seconds = (performance.now() - startedAt) / 1000
    const { user, system: kernel } = process.cpuUsage(before)
    const cpuSeconds = (user + kernel) / 1e6
    if (round > 0) seen.push({ seconds, cpuSeconds, copySeconds, steps: new Map(spent) })
  }
  await runner.close()
  const kinds = [...seen[0].steps.keys()]
  const inSteps = ({ steps }) => [...steps.values()].reduce((sum, step) => sum + step, 0)
  const ms = (pick) => `${Math.round(1000 * median(seen.map(pick)))} ms`
  const each = kinds.map((kind) => `${kind} ${ms(({ steps }) => steps.get(kind))}`)
  say(
    `queueing, fetching, storing and database for an hour of audio: ${ms(({ seconds }) => seconds)} (goal 2000), ` +
      `most ${Math.round(1000 * Math.max(...seen.map(({ seconds }) => seconds)))} ms`,
  )
  say(`  ${each.join(', ')}, between the steps ${ms((one) => one.seconds - inSteps(one))}`)
  say(`  processor time of worker and file server ${ms(({ cpuSeconds }) => cpuSeconds)}`)
  say(`  the file copied over HTTP to a plain file: ${ms(({ copySeconds }) => copySeconds)}`)
}

/** The real steps, but for recognizing; the time that each takes. */
function startRunner(parts, listenUrl, spent) {
  const real = makeJobHandlers(parts)
  const run = async (job, signal) => {
    const startedAt = performance.now()
    await (job.kind === 'transcribe' ? transcribeAtOnce(parts, job) : real.run(job, signal))
    spent.set(job.kind, (performance.now() - startedAt) / 1000)
  }
  const handlers = { run, giveUp: (job, signal) => real.giveUp(job, signal) }
  const runner = new JobRunner({ db: parts.db, listenUrl, log: parts.log, lanes: LANES, handlers })
  runner.start()
  return runner
}

async function passThrough(parts, fileUrl) {
  const { tenant, clientId, db } = parts
  const context = await openChange(parts, tenant, system)
  const given = { fileUrl, noteType }
  const { sessionId } = await db.write(tenant, (tx) =>
    createSession(tx, context, 'sandbox', { clientId, given }),
  )
  const deadline = performance.now() + mostMs
  for (;;) {
    const { status } = await findSession(db, tenant, sessionId)
    if (status === 'completed') return
    if (status === 'failed') throw new Error('the session failed')
    if (performance.now() > deadline) throw new Error(`the session is ${status} after ${mostMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function openParts(folder, { databaseUrl, migrateUrl }, databases) {
  const connect = (url) =>
    new Database({ url, poolSize: 10, applicationName: 'bench', onConnectionError: () => {} })
  const [db, owner] = [connect(databaseUrl), connect(migrateUrl)]
  databases.push(db, owner)
  const masterKey = randomBytes(32)
  const masterKeys = new MasterKeys(() => [masterKey])
  await owner.throughDoor(insertInstallation(masterKeys.currentId))
  const { tenant, clientId } = await provision(owner, masterKeys)
  const ring = await readTenantKeys(db, masterKeys, tenant)
  const keys = { get: () => ring }
  const sandbox = makeGuardedAgent({ environment: 'sandbox' })
  const blobs = {
    db,
    keys,
    store: makeFolderStore(join(folder, 'blobs'), 'installation'),
    keepDays: 7,
    endedDays: 7,
  }
  const log = makeLog('warn', 'bench')
  const publicUrl = 'http://localhost'
  const engines = {
    writer: makeStubWriter(),
    fallbackWriter: null,
    reader: makeStubReader(),
    checker: makeNoteChecker(),
    agents: { sandbox, production: sandbox },
    isSandboxHome: () => true,
  }
  return { db, keys, clock: systemClock, publicUrl, log, blobs, ...engines, tenant, clientId }
}

async function provision(owner, masterKeys) {
  const secrets = newPartnerSecrets()
  let clientId = ''
  await createPartner(
    owner,
    masterKeys,
    { ...secrets, name: 'Bench', environment: 'sandbox' },
    async (tx) => {
      const organizationId = await provisionOrganization(tx, 'Bench')
      const clinicId = await provisionUnit(tx, 'clinics', { organizationId, name: 'Bench' })
      const person = { firstName: 'Bench', lastName: 'Bench', email: 'bench@example.com', externalId: null }
      const clinician = { ...person, clinicId, prescriber: true, defaultNoteType: null }
      const clinicianId = await createClinician(tx, clinician, operator)
      const client = { ...person, dateOfBirth: '1990-01-31', phoneNumber: null, clinicianId }
      clientId = await createClient(tx, client, operator)
    },
  )
  return { tenant: { tenantId: secrets.partnerId }, clientId }
}

async function serveFile() {
  const bytes = randomBytes(fileBytes)
  const headers = { 'content-length': bytes.length, etag: '"bench"' }
  const server = createServer((_request, response) => response.writeHead(200, headers).end(bytes))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${/** @type {any} */ (server.address()).port}/recording`, close }
}

/** The limit: what no way of fetching and keeping a file can be below. */
async function copyPlainly(url, path) {
  const startedAt = performance.now()
  const file = await open(path, 'w')
  for await (const chunk of (await fetch(url)).body) await file.write(chunk)
  await file.sync()
  await file.close()
  return (performance.now() - startedAt) / 1000
}
