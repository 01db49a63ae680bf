import { join } from 'node:path'
import { makeHealth, type Health } from '../http/health.js'
import { listen } from '../http/listen.js'
import { observeBuild, observeDisks, observeVitals } from '../http/process-metrics.js'
import type { Config } from '../kernel/config.js'
import { endDespiteHangingFiles, endWithoutFiles } from '../kernel/end-process.js'
import { isErrno } from '../kernel/errno.js'
import { fileThreads } from '../kernel/file-threads.js'
import type { Log } from '../kernel/log.js'
import { readOwnCommit, readOwnVersion } from '../kernel/own-files.js'
import type { Vital } from '../kernel/vital.js'
import { makeApi, type Api } from './api.js'
import { clearStrays } from './clear-strays.js'
import { openDatabase, openDatabaseForService, type DatabaseSource } from './database-source.js'
import { mountDemo } from './demo/mount-demo.js'
import { startDispatcher } from './dispatcher.js'
import { openBlobs, startBlobPulse } from './open-blobs.js'
import { openConfiguredDecoder } from './open-decoder.js'
import { openLog } from './open-log.js'
import { namesModel } from './open-writer.js'
import { openServiceParts, type OpenedParts, type Role, type SharedKeys } from './parts.js'
import { prepareDatabase } from './prepare-database.js'
import { credentialsFile } from './sandbox.js'
import { suggestModel } from './models/suggest-model.js'
import { serveAdmin, type AdminPort } from './serve-admin.js'
import { hearsHangUp } from './watch-master-keys.js'
import { startWorker } from './worker.js'

/** SIGTERM must end the process within 15 s; a connection that will not close does not decide that. */
const closeWithinMs = 14_000

/** What of a stop waits for a folder that hangs waits no longer; the rest of the stop has some seconds more. */
const filesWithinMs = 8_000

/** A start that is nearly over comes to its end, and everything is closed in order. */
const finishOpeningWithinMs = 3_000

/** Connections of the roles beside the API: a handful of loops, not a crowd of requests. */
const backgroundPoolSize = 5

/**
 * How often it is looked whether a role that closes waits for a database that is gone, and when it is taken to be: two
 * beats late. Sooner than readiness says so, for whoever waits that long has little left of the 15 s.
 */
const hurryEveryMs = 500
const goneAfterMs = 5_000

/** One running role. */
interface Running {
  /** Whether it has begun to do all that it does. */
  hasBegun(): boolean
  vitals: readonly Vital[]
  /** While it closes: waits for the database no longer if that is out of reach. */
  hurry(): void
  close(): Promise<void>
}

interface Context {
  config: Config
  source: DatabaseSource
  log: Log
  /** The health of the whole process. */
  health: Health
  /** Null: there is no admin port. */
  admin: AdminPort | null
  /** Whether this process serves the API, with this role or another. */
  listens: boolean
  shared: SharedKeys
  /** The example EHR signs in whoever asks: never beside production roles. */
  hasDemo: boolean
}

const openers: Record<Role, (context: Context) => Promise<Running>> = {
  api: openApi,
  worker: openWorker,
  dispatcher: openDispatcher,
}

const rolesOf = {
  start: ['worker', 'dispatcher', 'api'],
  api: ['api'],
  worker: ['worker'],
  dispatcher: ['dispatcher'],
} as const

/** Runs one role, or with `start` all of them, until the process is told to stop. */
export async function runService(config: Config, command: Role | 'start'): Promise<void> {
  const log = openLog(config, command)
  for (const variable of config.unknownVariables) log.warn({ variable }, 'there is no such setting')
  const stopped = waitForSignal()
  const opened: Opened = { running: [], others: [] }
  const opening = openAll(opened, config, command, log)
  // Thrown where it is awaited; after a signal nobody may come to that.
  opening.catch(() => {})
  let isCutShort = false
  try {
    const signal = await Promise.race([opening, stopped])
    if (signal !== undefined) {
      isCutShort = !(await endsSoon(opening, signal, log))
      return
    }
    if (command === 'start') greet(config)
    log.info('running')
    log.info({ signal: await stopped }, 'stopping')
  } finally {
    await closeAll(opened, log)
    if (isCutShort) {
      await endDespiteHangingFiles(0)
      process.exit(0)
    }
  }
}

/** What there is to close: the roles first, all at once, then the rest in the reverse order of opening. */
interface Opened {
  running: Running[]
  others: { close(): Promise<void> }[]
}

async function openAll(opened: Opened, config: Config, command: Role | 'start', log: Log): Promise<void> {
  const { running, others } = opened
  const listVitals = (): Vital[] => running.flatMap(({ vitals }) => [...vitals])
  const health = makeHealth(
    () => running.length === rolesOf[command].length && running.every((one) => one.hasBegun()),
    listVitals,
  )
  observeVitals(listVitals)
  observeBuild({ version: readOwnVersion(), commit: readOwnCommit(), role: command })
  observeDisks(log, foldersOf(config))
  if (config.otlp !== null) {
    // Loaded where it is on, and before the roles: they look once whether they are traced.
    const { openTelemetry } = await import('./telemetry/open-telemetry.js')
    others.push(openTelemetry(config.otlp, { role: command, log }))
  }
  const { adminPort, adminHost } = config
  const admin = adminPort === null ? null : await serveAdmin({ host: adminHost, port: adminPort }, health)
  if (admin !== null) others.push(admin)
  const source = await openDatabaseForService(config, log)
  others.push(source)
  await clearStrays(config.dataDir, log)
  if (command === 'start' || source.isEmbedded) await prepareDatabase(config, source, log)
  const shared: SharedKeys = { masterKeys: null }
  for (const role of rolesOf[command]) {
    const listens = (rolesOf[command] as readonly Role[]).includes('api')
    running.push(
      await openers[role]({
        config,
        source,
        log,
        health,
        admin,
        listens,
        shared,
        hasDemo: hasDemo(config, command),
      }),
    )
  }
}

/** Those that fill up. Recordings in an S3-compatible store are on no disk of ours. */
const foldersOf = ({ dataDir, s3 }: Config): Record<string, string> => ({
  data: dataDir,
  ...(s3 === null ? { recordings: join(dataDir, 'blobs') } : {}),
})

/**
 * A start that waits, for a migration elsewhere or a server that recovers, must not keep a process from stopping. What it
 * is in the middle of is left as a kill would leave it, which every step of it survives.
 */
async function endsSoon(opening: Promise<void>, signal: string, log: Log): Promise<boolean> {
  log.info({ signal }, 'stopping before the start was over')
  const late = new Promise<false>((resolve) => {
    setTimeout(() => resolve(false), finishOpeningWithinMs).unref()
  })
  return Promise.race([
    opening.then(
      () => true,
      () => true,
    ),
    late,
  ])
}

const hasDemo = ({ isSandboxHome }: Config, command: Role | 'start'): boolean =>
  command === 'start' && isSandboxHome

async function openApi(context: Context): Promise<Running> {
  const { config, source, log, health } = context
  const parts = await openServiceParts(config, 'api', source, context)
  return closingOnFailure(parts, async () => {
    const blobs = await openBlobs(parts)
    const decoding = await openConfiguredDecoder(config)
    const api = makeApi({ ...parts, blobs, decoding, hasModel: await namesModel(config) }, health)
    if (context.hasDemo) mountDemo(api.app, config, () => parts.watch.isSandboxHome())
    const listening = await listenOn(api, config)
    const operators = await openOperators(api, context)
    const blobPulse = startBlobPulse(blobs.store, log)
    const close = async (): Promise<void> => {
      api.stopStreams()
      await operators?.close()
      await listening.close()
      // Every connection has ended: who still brings something to the store has nobody to answer, and would hold the process.
      blobs.store.abandon()
      await api.close()
      decoding.decoder.close()
      await blobPulse.stop()
      await parts.close()
    }
    return { hasBegun: () => true, vitals: [...parts.vitals, blobPulse.vital], hurry: hurryOf(parts), close }
  })
}

/** Connections as the owner, for the few who operate. */
const ownerPoolSize = 3

/** Only where there is an admin port, and the owner of the schema is known: what operators do, they do as the owner. */
async function openOperators(
  api: Api,
  { admin, source: { migrateUrl }, log }: Context,
): Promise<{ close(): Promise<void> } | null> {
  if (admin === null || migrateUrl === null) return null
  const owner = openDatabase(migrateUrl, 'console', ownerPoolSize, log)
  const opened = api.makeOperatorConsole(owner)
  await opened.ready()
  admin.serveConsole(opened)
  return {
    close: async () => {
      admin.serveConsole(null)
      await opened.close()
      await owner.end()
    },
  }
}

async function listenOn(api: Api, config: Config): Promise<{ close(): Promise<void> }> {
  try {
    return await listen(api.app, config)
  } catch (error) {
    await api.close()
    if (!isErrno(error, 'EADDRINUSE')) throw error
    throw new Error(`port ${config.port} is taken: set PORT to a free one`, { cause: error })
  }
}

async function openWorker(context: Context): Promise<Running> {
  const small = { ...context.config, databasePoolSize: backgroundPoolSize }
  const parts = await openServiceParts(small, 'worker', context.source, context)
  return closingOnFailure(parts, async () => {
    const worker = await startWorker(parts)
    const close = async (): Promise<void> => {
      await worker.close()
      await parts.close()
    }
    const vitals = [...parts.vitals, ...worker.vitals]
    const hurry = hurryOf(parts, () => worker.abandon())
    return { hasBegun: () => worker.isPolling(), vitals, hurry, close }
  })
}

async function openDispatcher(context: Context): Promise<Running> {
  const { source } = context
  const small = { ...context.config, databasePoolSize: backgroundPoolSize }
  const parts = await openServiceParts(small, 'dispatcher', source, context)
  return closingOnFailure(parts, async () => {
    const dispatcher = startDispatcher(parts, source.dispatcherUrl)
    const close = async (): Promise<void> => {
      await dispatcher.close()
      await parts.close()
    }
    const vitals = [...parts.vitals, ...dispatcher.vitals]
    return { hasBegun: () => dispatcher.isPolling(), vitals, hurry: hurryOf(parts), close }
  })
}

/** A role that cannot open leaves no connection behind, which would keep the process alive. */
async function closingOnFailure(parts: OpenedParts, open: () => Promise<Running>): Promise<Running> {
  try {
    return await open()
  } catch (error) {
    await parts.close()
    throw error
  }
}

const hurryOf =
  ({ vitals, db }: OpenedParts, abandonOthers = (): void => {}) =>
  (): void => {
    if (vitals.every((vital) => vital.ageMs() <= goneAfterMs)) return
    db.abandon()
    abandonOthers()
  }

/** Kept for as long as it takes: Ctrl-C under npm comes twice, and the second must not cut off what the first began. */
function waitForSignal(): Promise<string> {
  // From the first moment on: `systemctl reload` may come before anybody looks for keys, and without a listener it ends a process.
  if (hearsHangUp()) process.on('SIGHUP', () => {})
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal))
  })
}

async function closeAll({ running, others }: Opened, log: Log): Promise<void> {
  // Not cleared in the end, for something that was forgotten may hold the process as well; by itself it holds nothing.
  setTimeout(() => {
    log.error('closing took too long')
    // Whatever it is that did not end, `process.exit` may wait for it, too.
    endWithoutFiles({ isOrderly: false })
  }, closeWithinMs).unref()
  setTimeout(() => fileThreads.abandon(), filesWithinMs).unref()
  const hurrying = setInterval(() => running.forEach((one) => one.hurry()), hurryEveryMs).unref()
  await Promise.all(running.map((one) => one.close()))
  clearInterval(hurrying)
  for (const one of others.toReversed()) await one.close()
}

function greet(config: Config): void {
  const { publicUrl, dataDir } = config
  const sandbox = hasDemo(config, 'start')
    ? `  Try the widget       ${publicUrl}/demo\n  Sandbox credentials  ${credentialsFile(dataDir)}\n`
    : ''
  process.stdout.write(
    `\nCasenote is running.\n` +
      `  Partner API          ${publicUrl}/v2\n` +
      `  Documentation        ${publicUrl}/docs\n` +
      sandbox +
      `  Stop with Ctrl-C\n\n`,
  )
  // Who named an engine knows; who did not is told once how notes become prose.
  if (config.writer.engine === 'chosen') {
    suggestModel(dataDir, {
      ownPorts: [config.port, ...(config.adminPort === null ? [] : [config.adminPort])],
      write: (line) => process.stdout.write(`${line}\n`),
    })
  }
}
