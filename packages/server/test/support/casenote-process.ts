import { randomInt } from 'node:crypto'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const program = join(root, 'bin/casenote.js')

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

const endWithinMs = 60_000

const alive = new Set<CasenoteProcess>()

/** What a test that failed did not come to end. */
export async function endLeftovers(): Promise<void> {
  await Promise.all([...alive].map((one) => one.end('SIGKILL')))
}

/** The real program in a process of its own, as an operator runs it. */
export class CasenoteProcess {
  readonly child: ChildProcess
  #stdout = ''
  #stderr = ''
  readonly finished: Promise<Finished>
  readonly #isGroup: boolean

  /** `by: 'npm'`: a script of the checkout, in a process group of its own, as a terminal starts it. */
  constructor(args: readonly string[], env: Record<string, string>, { by }: { by?: 'npm' } = {}) {
    const inherited = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(CASENOTE_|DATABASE_URL$|PORT$|HOST$)/.test(name)),
    )
    this.#isGroup = by === 'npm'
    const [command, given] = by === 'npm' ? ['npm', args] : [process.execPath, [program, ...args]]
    this.child = spawn(command, given, {
      cwd: by === 'npm' ? root : process.cwd(),
      detached: this.#isGroup,
      env: { ...inherited, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout?.on('data', (chunk: Buffer) => (this.#stdout += chunk.toString()))
    this.child.stderr?.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()))
    alive.add(this)
    this.child.once('exit', () => alive.delete(this))
    this.finished = once(this.child, 'close').then(([code]) => ({
      code: code as number | null,
      stdout: this.#stdout,
      stderr: this.#stderr,
    }))
  }

  get output(): string {
    return this.#stdout + this.#stderr
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  /** Fails when it lives on: the program promises to end within 15 s, and a busy machine takes its time. */
  async end(signal: NodeJS.Signals): Promise<Finished> {
    this.#kill(signal)
    const isOver = AbortSignal.timeout(endWithinMs)
    await Promise.race([this.finished, once(isOver, 'abort')])
    if (!this.hasEnded) {
      throw new Error(`not ended ${endWithinMs} ms after ${signal}:\n${this.output}`)
    }
    return this.finished
  }

  /** A stop in good order; one that is not tells what it said. */
  async stop(): Promise<void> {
    const { code } = await this.end('SIGTERM')
    if (code !== 0) throw new Error(`ended with ${code ?? this.child.signalCode}:\n${this.output}`)
  }

  /** A group as Ctrl-C does it: npm, its shell and the program, each of which may be gone already. */
  #kill(signal: NodeJS.Signals): void {
    if (!this.#isGroup || this.child.pid === undefined) {
      this.child.kill(signal)
      return
    }
    try {
      process.kill(-this.child.pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

export const runCasenote = (args: readonly string[], env: Record<string, string>): Promise<Finished> =>
  new CasenoteProcess(args, env).finished

/** Starts the service and waits until it is ready. */
export async function startCasenote(
  env: Record<string, string>,
  command = 'start',
  how: { by?: 'npm' } = {},
): Promise<{ process: CasenoteProcess; url: string }> {
  const port = env.PORT ?? String(await freePort())
  const running = new CasenoteProcess([command], { ...env, PORT: port }, how)
  const url = `http://127.0.0.1:${port}`
  await untilReady(running, url)
  return { process: running, url }
}

/** What it has said tells why it is not. */
export async function untilReady(running: CasenoteProcess, url: string): Promise<void> {
  const isReady = async (): Promise<boolean> => {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5_000) })
    return answer.status === 200
  }
  const ended = running.finished.then(({ code }) => {
    throw new Error(`it ended with ${code}`)
  })
  await Promise.race([waitUntil(isReady, 'it is ready'), ended]).catch((error: Error) => {
    throw new Error(`${error.message}:\n${running.output}`)
  })
}

/**
 * Waits for a condition, never for luck; a check that throws counts as "not yet". Who names a time means it: it may be a limit of the
 * product.
 */
export async function waitUntil(
  isTrue: () => Promise<boolean>,
  what: string,
  withinMs = 240_000,
): Promise<void> {
  const deadline = Date.now() + withinMs
  for (;;) {
    if (await isTrue().catch(() => false)) return
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/**
 * Below those that systems give to whoever asks for any (from 32768 on, or 49152): one of these is not given to another program between
 * now and whoever listens on it.
 */
const portsFrom = 10_000
const portsTo = 32_000

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(portsFrom, portsTo)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** A data folder of its own; `remove` after everything that uses it has ended. */
export async function makeDataFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const parent = await mkdtemp(join(tmpdir(), 'casenote-test-'))
  // Under root the server runs as another user, who must be able to walk here.
  await chmod(parent, 0o711)
  return { path: join(parent, 'data'), remove: () => rm(parent, { recursive: true, force: true }) }
}
