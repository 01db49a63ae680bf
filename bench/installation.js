// A throw-away installation for measuring: embedded PostgreSQL in a temporary folder, an API and a worker process.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  lockDataFolder,
  startEmbeddedPostgres,
} from '../packages/server/dist/main/embedded-postgres/index.js'

const program = fileURLToPath(new URL('../bin/casenote.js', import.meta.url))

export async function openInstallation({ poolSize }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'casenote-bench-'))
  // Under root the server runs as another user, who must be able to walk here.
  await chmod(dataDir, 0o711)
  const lock = await lockDataFolder(dataDir, { command: 'bench' })
  const log = { info: () => {}, warn: () => {} }
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings: { shared_buffers: '512MB' } })
  const children = []
  const env = {
    ...process.env,
    DATABASE_URL: postgres.databaseUrl,
    CASENOTE_MIGRATE_URL: postgres.migrateUrl,
    CASENOTE_DISPATCHER_URL: postgres.dispatcherUrl,
    CASENOTE_DATA_DIR: dataDir,
    CASENOTE_MASTER_KEY: randomBytes(32).toString('base64'),
    CASENOTE_DATABASE_POOL: String(poolSize),
    CASENOTE_LOG_LEVEL: 'warn',
  }

  /** Runs `start` once for schema and sandbox, then each role in a process of its own. */
  async function provision() {
    const port = await freePort()
    const child = startProcess([program, 'start'], { ...env, PORT: String(port) })
    await untilAnswers(`http://localhost:${port}/health/ready`)
    await stopProcess(child)
  }

  /** @param {NodeJS.ProcessEnv} environment */
  function startProcess(args, environment = env) {
    const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
    children.push(child)
    child.once('exit', (code, signal) => {
      if (!stopping.has(child))
        process.stderr.write(`${args.slice(1).join(' ')} ended by itself: ${code ?? signal}\n`)
    })
    return child
  }

  await provision()
  const port = await freePort()
  const api = startProcess([program, 'api'], { ...env, PORT: String(port) })
  startProcess([program, 'worker'])
  await untilAnswers(`http://localhost:${port}/health/ready`)
  const credentials = JSON.parse(await readFile(join(dataDir, 'sandbox-credentials.json'), 'utf8'))
  return {
    port,
    credentials,
    migrateUrl: postgres.migrateUrl,
    databaseUrl: postgres.databaseUrl,
    apiMemoryBytes: () => residentBytes(api.pid),
    startProcess,
    startRole: (role) => startProcess([program, role]),
    stopProcess,
    close: async () => {
      for (const child of children) await stopProcess(child)
      await postgres.stop()
      await lock.release()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** What ends without having been told to spoils a measurement, and says nothing of itself where its output is not read. */
const stopping = new WeakSet()

async function stopProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  stopping.add(child)
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exited
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = /** @type {any} */ (server.address())
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** 60 s: a first start with its compilation on a busy machine. */
export async function untilAnswers(url, withinMs = 60_000) {
  const deadline = Date.now() + withinMs
  for (;;) {
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => 0,
    )
    if (status === 200) return
    if (Date.now() > deadline) throw new Error(`${url} did not answer within ${withinMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function residentBytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}
