import { spawn, type ChildProcess } from 'node:child_process'
import { parseMasterKeys } from '../kernel/secrets/master-keys.js'

/** A vault on another machine takes a second; whoever starts the service waits for it. */
const commandWithinMs = 10_000

/** Sixteen keys take 720 bytes. */
const outputBytesMax = 4_096

/**
 * The keys that the operator's command prints, the current one first. There is no shell. Neither what it prints nor what it
 * complains of is ever shown: both may hold the key.
 */
export function runKeyCommand(
  {
    words: [program, ...args],
    env,
  }: { words: readonly [string, ...string[]]; env: Readonly<NodeJS.ProcessEnv> },
  withinMs = commandWithinMs,
): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...env },
      cwd: '/',
      // A group of its own, so that what it started ends with it: a script's vault that hangs would otherwise stay, and hold the pipe.
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const printed: Buffer[] = []
    let size = 0
    let end: Ending | null = null
    const settle = (how: Ending): void => {
      end ??= how
      killGroup(child)
      // Something that left the group may still hold the other end.
      child.stdout.destroy()
    }
    const timer = setTimeout(() => settle({ why: 'late', withinMs }), withinMs)
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > outputBytesMax) settle({ why: 'long' })
      else printed.push(chunk)
    })
    // Something that asks for a password hears at once that nobody is there. It may have ended before.
    child.stdin.on('error', () => {}).end()
    child.on(
      'error',
      (error: NodeJS.ErrnoException) => (end ??= { why: 'not run', code: String(error.code) }),
    )
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      end ??= signal === null ? { why: 'ended', code: code ?? 0 } : { why: 'killed', signal }
      const isWell = end.why === 'ended' && end.code === 0
      const keys = isWell ? parseMasterKeys(Buffer.concat(printed).toString()) : null
      if (keys !== null) resolve(keys)
      else reject(new Error(`CASENOTE_MASTER_KEY_COMMAND ${describe(end)}`))
    })
  })
}

type Ending =
  | { why: 'late'; withinMs: number }
  | { why: 'long' }
  | { why: 'not run'; code: string }
  | { why: 'ended'; code: number }
  | { why: 'killed'; signal: string }

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It ended meanwhile, or became another user's: there is nothing more to be done, and a timer that throws ends the service.
  }
}

function describe(end: Ending): string {
  switch (end.why) {
    case 'late':
      return `took longer than ${end.withinMs / 1_000} s`
    case 'long':
      return `printed more than ${outputBytesMax} bytes`
    case 'not run':
      return `cannot be run (${end.code})`
    case 'killed':
      return `was ended by ${end.signal}`
    default:
      return end.code === 0
        ? 'printed something else than keys of 32 bytes in base64, one a line'
        : `ended with ${end.code}`
  }
}
