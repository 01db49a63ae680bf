import { spawn, type ChildProcess } from 'node:child_process'
import { GatheredBytes } from './gathered-bytes.js'

/** A command of the operator's, word by word, and all of the environment that it sees. */
export interface OperatorCommand {
  words: readonly [string, ...string[]]
  env: Readonly<NodeJS.ProcessEnv>
}

export interface CommandBounds {
  /** For messages. */
  name: string
  /** What it reads from its standard input: nothing, unless it is given. */
  input?: Buffer
  withinMs: number
  outputBytesMax: number
}

/** A process that waits for a disk that is gone does not even end when it is killed: what it holds is given up then. */
const killedWithinMs = 1_000

/**
 * What the operator's command prints, if it ends with 0. There is no shell. It never takes longer than it may, whatever it has started, and neither what
 * it prints nor what it complains of is ever shown: both may hold keys.
 */
export function runCommand(
  { words: [program, ...args], env }: OperatorCommand,
  { name, input = Buffer.alloc(0), withinMs, outputBytesMax }: CommandBounds,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...env },
      cwd: '/',
      // A group of its own, so that what it started ends with it: a script's vault that hangs would otherwise stay, and hold the pipe.
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    let problem: string | null = null
    const fail = (why: string): void => {
      problem ??= why
      reject(new Error(`${name} ${problem}`))
    }
    child.on('error', (error: NodeJS.ErrnoException) => fail(`cannot be run (${error.code})`))
    // It has no pipes either where the process has no more files to open.
    if (child.pid === undefined) return
    const cut = (why: string): void => {
      problem ??= why
      killGroup(child)
      // Something that left the group may still hold the other ends.
      child.stdin.destroy()
      child.stdout.destroy()
      clearTimeout(timer)
      timer = setTimeout(() => fail(why), killedWithinMs)
    }
    let timer = setTimeout(() => cut(`took longer than ${withinMs / 1_000} s`), withinMs)
    const printed = new GatheredBytes()
    child.stdout.on('data', (chunk: Buffer) => {
      if (printed.length + chunk.length > outputBytesMax) cut(`printed more than ${outputBytesMax} bytes`)
      else printed.add(chunk)
    })
    // Something that asks for a password hears at once that nobody is there. It may end without having read all of it.
    child.stdin.on('error', () => {}).end(input)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (problem === null && code === 0) resolve(printed.take())
      else fail(signal === null ? `ended with ${code}` : `was ended by ${signal}`)
    })
  })
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It ended meanwhile, or became another user's: there is nothing more to be done, and a timer that throws ends the service.
  }
}
