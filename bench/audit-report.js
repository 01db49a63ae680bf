// How long `casenote audit report` takes over a log of a million entries, when its first line comes, and what memory it takes: the
// command itself, on generated entries in a database of its own. Of 24 chains four are written at a time, as by four processes
// that were restarted five times; a tenth of the entries names one client, as lists do, the others one of a thousand each.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPartner, newPartnerSecrets } from '../packages/server/dist/features/partners/index.js'
import { Database } from '../packages/server/dist/kernel/db/database.js'
import { migrate } from '../packages/server/dist/kernel/db/migrate.js'
import { insertInstallation } from '../packages/server/dist/kernel/secrets/installation.sql.js'
import { MasterKeys } from '../packages/server/dist/kernel/secrets/master-keys.js'
import {
  lockDataFolder,
  startEmbeddedPostgres,
} from '../packages/server/dist/main/embedded-postgres/index.js'

const entries = Number(process.env.BENCH_ENTRIES ?? 1_000_000)
const program = fileURLToPath(new URL('../bin/casenote.js', import.meta.url))
const say = (line) => process.stdout.write(`${line}\n`)

export async function run() {
  const folder = await mkdtemp(join(tmpdir(), 'casenote-bench-'))
  await chmod(folder, 0o711)
  const lock = await lockDataFolder(folder, { command: 'bench' })
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: { info: () => {}, warn: () => {} } })
  const url = postgres.migrateUrl
  const owner = new Database({ url, poolSize: 2, applicationName: 'bench', onConnectionError: () => {} })
  const masterKey = randomBytes(32)
  try {
    await migrate({ ...postgres, report: () => {} })
    const masterKeys = new MasterKeys(() => [masterKey])
    await owner.throughDoor(insertInstallation(masterKeys.currentId))
    const secrets = newPartnerSecrets()
    await createPartner(owner, masterKeys, { ...secrets, name: 'Bench', environment: 'sandbox' })
    await writeLog(owner, secrets.partnerId)
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: postgres.databaseUrl,
      CASENOTE_MIGRATE_URL: url,
      CASENOTE_DATA_DIR: folder,
      CASENOTE_MASTER_KEY: masterKey.toString('base64'),
    }
    await measureAll(env, secrets.partnerId)
  } finally {
    await owner.end()
    await postgres.stop()
    await lock.release()
    await rm(folder, { recursive: true, force: true })
  }
}

const listedClient = '00000000-0000-4000-8000-00000000aaaa'
const clientOf = (number) => `00000000-0000-4000-8001-${String(number).padStart(12, '0')}`
const clinicianOf = (number) => `00000000-0000-4000-8002-${String(number).padStart(12, '0')}`

async function writeLog(owner, partnerId) {
  const startedMs = performance.now()
  const perChain = Math.ceil(entries / 24)
  for (let from = 0; from < entries; from += 50_000)
    await owner.throughDoor({
      text: `insert into casenote.audit_entries (tenant_id, writer_id, seq, key_version, subject_ids, body, hash)
        select $1::uuid, ('00000000-0000-4000-8003-' || lpad(((n / 4 / $4::int) * 4 + n % 4)::text, 12, '0'))::uuid,
          (n / 4) % $4::int + 1, 1,
          array[case when n % 10 = 0 then $5::uuid else ('00000000-0000-4000-8001-' || lpad((n % 1000)::text, 12, '0'))::uuid end],
          '{"at":"' || to_char(timestamp '2026-01-01' + n * interval '0.4 seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') ||
          '","operation":"client.read","actor":{"kind":"clinician","id":"00000000-0000-4000-8002-' ||
          lpad((n % 97)::text, 12, '0') || '"},"requestId":"' || gen_random_uuid() || '"}', sha256('')
        from generate_series($2::int, $3::int - 1) n`,
      values: [partnerId, from, Math.min(from + 50_000, entries), perChain, listedClient],
    })
  await owner.throughDoor({
    text: `insert into casenote.audit_heads (tenant_id, writer_id, seq, hash)
      select tenant_id, writer_id, max(seq), sha256('') from casenote.audit_entries group by 1, 2`,
    values: [],
  })
  await owner.throughDoor({ text: 'analyze casenote.audit_entries', values: [] })
  say(`${entries} entries written in ${Math.round((performance.now() - startedMs) / 1000)} s`)
}

async function measureAll(env, partnerId) {
  const partner = ['--partner', partnerId]
  const lastDay = new Date(Date.UTC(2026, 0, 1) + (entries * 0.4 - 86_400) * 1000).toISOString()
  for (const { what, args } of [
    { what: 'one client of a thousand', args: ['--client', clientOf(7)] },
    { what: 'a client in a tenth of all entries', args: ['--client', listedClient] },
    { what: 'a clinician', args: ['--clinician', clinicianOf(5)] },
    { what: 'the last day', args: ['--since', lastDay] },
    { what: 'everything', args: [] },
  ])
    await measure(what, env, ['audit', 'report', ...partner, ...args, '--format', 'csv'])
}

async function measure(what, env, args) {
  const startedMs = performance.now()
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const seen = { lines: 0, firstMs: 0, memoryMb: 0 }
  const look = setInterval(() => {
    seen.memoryMb = Math.max(seen.memoryMb, readPeakMb(child.pid))
  }, 50)
  child.stdout.on('data', (chunk) => {
    if (seen.lines === 0) seen.firstMs = performance.now() - startedMs
    for (const byte of chunk) if (byte === 10) seen.lines += 1
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearInterval(look)
  const seconds = (ms) => (ms / 1000).toFixed(1)
  say(
    `${what}: ${seen.lines - 1} lines, the first after ${seconds(seen.firstMs)} s, all after ` +
      `${seconds(performance.now() - startedMs)} s, at most ${Math.round(seen.memoryMb)} MB${code === 0 ? '' : `, exit ${code}`}`,
  )
}

function readPeakMb(pid) {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0 // it has ended
  }
}
