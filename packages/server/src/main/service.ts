import { listen } from '../http/listen.js'
import type { Config } from '../kernel/config.js'
import { makeLog, type Log } from '../kernel/log.js'
import { makeApi } from './api.js'
import { openDatabaseForService, type DatabaseSource } from './database-source.js'
import { mountDemo } from './demo/mount-demo.js'
import { startDispatcher } from './dispatcher.js'
import { openBlobs } from './open-blobs.js'
import { openDecoder } from './open-decoder.js'
import { openServiceParts, type Role } from './parts.js'
import { prepareDatabase } from './prepare-database.js'
import { credentialsFile } from './sandbox.js'
import { suggestModel } from './models/suggest-model.js'
import { serveAdmin } from './serve-admin.js'
import { startWorker } from './worker.js'

/** SIGTERM must end the process within 15 s; a connection that will not close does not decide that. */
const closeWithinMs = 14_000

/** Connections of the roles beside the API: a handful of loops, not a crowd of requests. */
const backgroundPoolSize = 5

/** One running role. */
interface Running {
  isReady(): boolean
  close(): Promise<void>
}

interface Context {
  config: Config
  source: DatabaseSource
  log: Log
  /** Whether everything in this process is ready; asked once all roles are open. */
  isAllReady: () => boolean
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
  const log = makeLog(config.logLevel, command)
  for (const variable of config.unknownVariables) log.warn({ variable }, 'there is no such setting')
  const stopped = waitForSignal()
  /** In the order of opening; closed in the reverse. */
  const opened: { close(): Promise<void> }[] = []
  try {
    const running: Running[] = []
    const isAllReady = (): boolean =>
      running.length === rolesOf[command].length && running.every((one) => one.isReady())
    if (config.adminPort !== null) opened.push(await serveAdmin(config.adminPort, isAllReady))
    const source = await openDatabaseForService(config, log)
    opened.push(source)
    if (command === 'start' || source.isEmbedded) await prepareDatabase(config, source, log)
    for (const role of rolesOf[command]) {
      const one = await openers[role]({ config, source, log, isAllReady, hasDemo: hasDemo(config, command) })
      running.push(one)
      opened.push(one)
    }
    if (command === 'start') greet(config)
    log.info('running')
    log.info({ signal: await stopped }, 'stopping')
  } finally {
    await closeAll(opened, log)
  }
}

const hasDemo = ({ isSandboxProvisioned }: Config, command: Role | 'start'): boolean =>
  command === 'start' && isSandboxProvisioned

async function openApi({ config, source, log, isAllReady, hasDemo: withDemo }: Context): Promise<Running> {
  const parts = await openServiceParts(config, 'api', source, log)
  const api = makeApi(
    { ...parts, blobs: await openBlobs(parts), decoder: await openDecoder(config) },
    isAllReady,
  )
  if (withDemo) mountDemo(api.app, config)
  let listening: { close(): Promise<void> } | null = null
  const close = async (): Promise<void> => {
    api.stopStreams()
    await listening?.close()
    await api.close()
    await parts.close()
  }
  try {
    listening = await listen(api.app, config)
  } catch (error) {
    await close()
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Error(`port ${config.port} is taken: set PORT to a free one`, { cause: error })
  }
  return { isReady: () => true, close }
}

async function openWorker({ config, source, log }: Context): Promise<Running> {
  const parts = await openServiceParts(
    { ...config, databasePoolSize: backgroundPoolSize },
    'worker',
    source,
    log,
  )
  const worker = await startWorker(parts)
  const close = async (): Promise<void> => {
    await worker.close()
    await parts.close()
  }
  return { isReady: () => worker.isPolling(), close }
}

async function openDispatcher({ config, source, log }: Context): Promise<Running> {
  const small = { ...config, databasePoolSize: backgroundPoolSize }
  const parts = await openServiceParts(small, 'dispatcher', source, log)
  const dispatcher = startDispatcher(parts, source.dispatcherUrl)
  const close = async (): Promise<void> => {
    await dispatcher.close()
    await parts.close()
  }
  return { isReady: () => dispatcher.isPolling(), close }
}

/** Kept for as long as it takes: Ctrl-C under npm comes twice, and the second must not cut off what the first began. */
function waitForSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal))
  })
}

async function closeAll(opened: { close(): Promise<void> }[], log: Log): Promise<void> {
  // Not cleared in the end, for something that was forgotten may hold the process as well; by itself it holds nothing.
  setTimeout(() => {
    log.error('closing took too long')
    process.exit(1)
  }, closeWithinMs).unref()
  for (const one of opened.toReversed()) await one.close()
}

function greet(config: Config): void {
  const { publicUrl, dataDir } = config
  const demo = hasDemo(config, 'start') ? `  Try the widget       ${publicUrl}/demo\n` : ''
  process.stdout.write(
    `\nCasenote is running.\n` +
      `  Partner API          ${publicUrl}/v2\n` +
      `  API reference        ${publicUrl}/docs\n` +
      demo +
      `  Sandbox credentials  ${credentialsFile(dataDir)}\n` +
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
