// A throw-away installation of many processes: each role in a network namespace and under a processor quota of its own, one
// PostgreSQL with fsync on, one S3-compatible store.
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import {
  lockDataFolder,
  startEmbeddedPostgres,
} from '../../packages/server/dist/main/embedded-postgres/index.js'
import { loadClients } from '../clients-data.js'
import { freePort, untilAnswers } from '../installation.js'
import { hostAddress, networkCidr, openNetwork } from './network.js'
import { findQuotas, Group, UnboundedGroup } from './quotas.js'

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url))
const program = pathOf('../../bin/casenote.js')

/** Each API process; a worker and a dispatcher have 5. */
const apiPoolSize = 10
const clientCount = 20_000
const readyWithinMs = 60_000

export async function openScaledInstallation({ quota, minutes, recordingBytes, say }) {
  const network = openNetwork()
  const quotas = findQuotas()
  const host = network === null ? '127.0.0.1' : hostAddress
  if (network === null) say('no network namespaces here (root and iproute2): all processes share this one')
  if (quotas === null)
    say('no processor quotas here (root and a cpu cgroup): growth cannot be told from this run')
  const folder = await mkdtemp(join(tmpdir(), 'casenote-bench-'))
  // Under root the server runs as another user, who must be able to walk here.
  await chmod(folder, 0o711)
  const closing = [() => rm(folder, { recursive: true, force: true }), () => network?.close()]
  const close = async () => {
    for (const act of closing.splice(0).toReversed()) await act()
  }
  const groups = []
  const makeGroup = (name) => {
    const group = quotas === null ? new UnboundedGroup() : new Group(quotas, `casenote-${name}`)
    groups.push(group)
    return group
  }
  closing.push(() => groups.forEach((group) => group.remove()))

  try {
    const database = await openDatabase(folder, { host, isShared: network !== null, closing })
    const databaseGroup = makeGroup('database')
    for (const pid of [database.pid, ...listChildren(database.pid)]) databaseGroup.add(pid)
    const backends = await startBackends(folder, { host, recordingBytes, closing })
    const backendsGroup = makeGroup('backends')
    for (const pid of [backends.pid, ...listChildren(backends.pid)]) backendsGroup.add(pid)
    const roles = join(folder, 'roles')
    await mkdir(roles)
    const env = {
      ...process.env,
      DATABASE_URL: database.databaseUrl,
      CASENOTE_DISPATCHER_URL: database.dispatcherUrl,
      CASENOTE_DATA_DIR: roles,
      CASENOTE_MASTER_KEY: randomBytes(32).toString('base64'),
      CASENOTE_DATABASE_POOL: String(apiPoolSize),
      CASENOTE_LOG_LEVEL: 'error',
      CASENOTE_SANDBOX: 'on',
      CASENOTE_BLOB_STORE: 's3',
      CASENOTE_S3_ENDPOINT: `http://${host}:${backends.store}`,
      CASENOTE_S3_BUCKET: 'recordings',
      CASENOTE_S3_ACCESS_KEY_ID: 'S3RVER',
      CASENOTE_S3_SECRET_ACCESS_KEY: 'S3RVER',
    }
    const credentials = await provision({ ...env, CASENOTE_MIGRATE_URL: database.migrateUrl }, roles)
    await loadClients(database.migrateUrl, {
      tenantId: credentials.partnerId,
      clinicId: credentials.clinicId,
      count: clientCount,
    })
    const owner = new pg.Client({ connectionString: database.migrateUrl })
    await owner.connect()
    closing.push(() => owner.end())
    let started = 0

    /** Without its quota until it is ready: loading a program is no part of what is measured. */
    async function startRole(role) {
      started += 1
      const group = makeGroup(`${role}-${started}`)
      const place = network?.add() ?? { address: '127.0.0.1', prefix: [] }
      const [port, adminPort] = network === null ? [await freePort(), await freePort()] : [8080, 9464]
      const own = role === 'worker' ? [pathOf('worker.js'), String(minutes)] : [program, role]
      const words = [...place.prefix, process.execPath, ...own]
      const enter = group.doors.map((door) => `echo $$ > ${door};`).join(' ')
      const child = spawn('sh', ['-c', `${enter} exec "$@"`, 'sh', ...words], {
        env: {
          ...env,
          PORT: String(port),
          HOST: place.address,
          CASENOTE_ADMIN_PORT: String(adminPort),
          CASENOTE_ADMIN_HOST: place.address,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      if (quotas === null) group.add(child.pid)
      closing.push(() => {
        group.limit(null)
        return stop(child)
      })
      if (role === 'worker') await new Promise((resolve) => child.stdout.once('data', resolve))
      else await untilAnswers(`http://${place.address}:${adminPort}/health/ready`, readyWithinMs)
      child.stdout.resume()
      group.limit(quota)
      return {
        role,
        group,
        url: `http://${place.address}:${port}`,
        admin: `http://${place.address}:${adminPort}`,
      }
    }

    return {
      credentials,
      owner,
      databaseGroup,
      backendsGroup,
      startRole,
      files: `http://${host}:${backends.files}`,
      receiver: `http://${host}:${backends.receiver}`,
      hasQuotas: quotas !== null,
      hasNetwork: network !== null,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** By TCP where the processes are in namespaces of their own, as they would be on machines of their own. */
async function openDatabase(folder, { host, isShared, closing }) {
  const dataDir = join(folder, 'data')
  const lock = await lockDataFolder(dataDir, { command: 'bench' })
  closing.push(() => lock.release())
  const settings = {
    shared_buffers: '512MB',
    max_connections: '200',
    ...(isShared ? { listen_addresses: host } : {}),
  }
  const log = { info: () => {}, warn: () => {} }
  const server = await startEmbeddedPostgres({ dataDir, log, settings })
  closing.push(() => server.stop())
  if (!isShared) return { ...server, pid: server.pid() }
  await letIn(folder, server.superuserUrl)
  const overTcp = (url) => url.replace(/@\/(\w+)\?.*$/, `@${host}:5432/$1`)
  return {
    pid: server.pid(),
    databaseUrl: overTcp(server.databaseUrl),
    dispatcherUrl: overTcp(server.dispatcherUrl),
    migrateUrl: overTcp(server.migrateUrl),
  }
}

async function letIn(folder, superuserUrl) {
  const names = await readdir(folder, { recursive: true })
  const file = names.find((name) => name.endsWith('/pg_hba.conf'))
  await appendFile(join(folder, file), `host all all ${networkCidr} scram-sha-256\n`)
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query('select pg_reload_conf()')
  await client.end()
}

async function startBackends(folder, { host, recordingBytes, closing }) {
  const store = join(folder, 'store')
  await mkdir(store)
  const args = [pathOf('backends.js'), host, store, String(recordingBytes)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  closing.push(() => stop(child))
  const [line] = await Promise.race([
    new Promise((resolve) => child.stdout.once('data', (chunk) => resolve([chunk.toString()]))),
    new Promise((_, reject) => child.once('exit', () => reject(new Error('the backends did not start')))),
  ])
  return { pid: child.pid, ...JSON.parse(line) }
}

/** `start` once for schema and sandbox, and limits that are not what is measured. */
async function provision(env, folder) {
  const port = await freePort()
  const child = spawn(process.execPath, [program, 'start'], {
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilAnswers(`http://localhost:${port}/health/ready`, readyWithinMs)
  const credentials = JSON.parse(await readFile(join(folder, 'sandbox-credentials.json'), 'utf8'))
  await stop(child)
  const limits = ['--rate', '100000', '--burst', '100000', '--per-day', '1000000000']
  const words = [program, 'partner', 'set-limits', credentials.partnerId, ...limits]
  await promisify(execFile)(process.execPath, words, { env })
  return credentials
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  // Under a quota the 15 s of a stop may not be enough; nothing of it is wanted any more.
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await exited
  clearTimeout(timer)
}

/** The server's own processes, which were there before its group. */
function listChildren(parent) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/stat`, 'utf8')
            .replace(/^.*\) /s, '')
            .split(' ')[1] === String(parent)
        )
      } catch {
        return false // It has just ended.
      }
    })
}
