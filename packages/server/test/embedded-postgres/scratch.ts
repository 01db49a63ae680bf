import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readlink, realpath, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import {
  findEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/main/embedded-postgres/index.js'

export const isRoot = process.geteuid?.() === 0
const settings = { shared_buffers: '16MB' }
const holderScript = fileURLToPath(new URL('lock-data-folder.mjs', import.meta.url))

/** The server's user can walk through it. */
export async function createScratchFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'casenote-test-')))
  await chmod(folder, 0o711)
  return folder
}

export async function makeScratchFolder(): Promise<string> {
  const folder = await createScratchFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Removes what a test leaves running or outside its folder, however it ended. */
export function forgetDataFolder(dataDir: string): void {
  onTestFinished(async () => {
    if (await findEmbeddedPostgres(dataDir).catch(() => null)) await (await startQuietly(dataDir)).stop()
    const outside = await readlink(join(dataDir, 'postgres')).catch(() => null)
    if (!outside) return
    await rm(outside, { recursive: true, force: true })
    // Refuses while another data folder has its files there.
    await rmdir(dirname(outside)).catch(() => undefined)
  })
}

/** Its name holds what a list of folders, a shell and a URL would each stumble over. */
export async function makeDataDir(): Promise<string> {
  const dataDir = join(await makeScratchFolder(), `a "b", c's @data%20`)
  forgetDataFolder(dataDir)
  return dataDir
}

export function startQuietly(dataDir: string, said: string[] = []): Promise<EmbeddedPostgres> {
  const log = { info: (message: string) => said.push(message), warn: (message: string) => said.push(message) }
  return startEmbeddedPostgres({ dataDir, log, settings })
}

export async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

export interface HolderAnswer {
  postmasterPid?: number
  refusal?: string
  text?: string
  holderPid?: number
}

/** A process of its own that locks and starts; it ends with the test. */
export function spawnHolder(dataDir: string): { child: ChildProcess; answer: Promise<HolderAnswer> } {
  const child = spawn(process.execPath, [holderScript, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.stdin.end()
    await exit
  })
  const answer = once(createInterface(child.stdout), 'line').then(
    ([line]) => JSON.parse(String(line)) as HolderAnswer,
  )
  return { child, answer }
}

export async function killNow(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

/** For what hangs, not for what is slow: on a busy machine a server that was killed takes long to recover. */
export async function waitUntil(isTrue: () => boolean | Promise<boolean>, limitMs = 60_000): Promise<void> {
  const deadline = Date.now() + limitMs
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`Not true within ${limitMs} ms: ${isTrue.toString()}`)
    await sleep(20)
  }
}
