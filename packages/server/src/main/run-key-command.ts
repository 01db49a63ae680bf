import { execFile } from 'node:child_process'
import { parseMasterKeys } from '../kernel/secrets/master-keys.js'

/** A vault on another machine takes a second; whoever starts the service waits for it. */
const commandWithinMs = 10_000

/** Sixteen keys take 720 bytes. */
const outputBytesMax = 4_096

/**
 * The keys that the operator's command prints, the current one first. There is no shell. Neither what it prints nor what it
 * complains of is ever shown: both may hold the key.
 */
export function runKeyCommand({
  words: [program, ...args],
  env,
}: {
  words: readonly [string, ...string[]]
  env: Readonly<NodeJS.ProcessEnv>
}): Promise<Buffer[]> {
  const limits = { timeout: commandWithinMs, maxBuffer: outputBytesMax, killSignal: 'SIGKILL' as const }
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { ...limits, env: { ...env }, cwd: '/' }, (error, stdout) => {
      const keys = error === null ? parseMasterKeys(stdout) : null
      if (keys !== null) resolve(keys)
      else reject(new Error(`CASENOTE_MASTER_KEY_COMMAND ${describe(error)}`))
    })
    // Something that asks for a password hears at once that nobody is there. It may have ended before.
    child.stdin?.on('error', () => {}).end()
  })
}

function describe(error: (Error & { code?: unknown; killed?: boolean }) | null): string {
  if (error === null) return 'printed something else than keys of 32 bytes in base64, one a line'
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `printed more than ${outputBytesMax} bytes`
  if (error.killed === true) return `took longer than ${commandWithinMs / 1_000} s`
  return typeof error.code === 'number' ? `ended with ${error.code}` : `cannot be run (${String(error.code)})`
}
