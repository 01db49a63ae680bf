import { spawn } from 'node:child_process'
import { documentBytesMax, type KeyStore } from './key-store.js'

/** A vault on another machine takes a second, and megabytes some more. */
const commandWithinMs = 20_000

/**
 * The operator's command: with `read` as its last word it prints the document, or nothing where there is none yet; with `write` it
 * takes the new one from its standard input and ends with 0 once it is durable. There is no shell, and what it prints is never shown.
 */
export function makeCommandKeyStore(
  words: readonly [string, ...string[]],
  env: Readonly<NodeJS.ProcessEnv>,
): KeyStore {
  return {
    name: 'the command of CASENOTE_KEY_STORE',
    look: async () => null,
    read: async () => {
      const printed = await run(words, env, 'read', Buffer.alloc(0))
      return isBlank(printed) ? null : printed
    },
    write: async (document) => void (await run(words, env, 'write', document)),
  }
}

/** A document is never so short. */
const isBlank = (printed: Buffer): boolean => printed.length < 16 && printed.toString().trim() === ''

function run(
  [program, ...args]: readonly [string, ...string[]],
  env: Readonly<NodeJS.ProcessEnv>,
  act: 'read' | 'write',
  input: Buffer,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args, act], {
      env: { ...env },
      cwd: '/',
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: commandWithinMs,
      killSignal: 'SIGKILL',
    })
    const printed: Buffer[] = []
    let size = 0
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > documentBytesMax) child.kill('SIGKILL')
      else printed.push(chunk)
    })
    // It may end without having read all of it.
    child.stdin.on('error', () => {}).end(input)
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(`the command of CASENOTE_KEY_STORE cannot be run (${error.code})`)),
    )
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(printed))
      else
        reject(
          new Error(`the command of CASENOTE_KEY_STORE failed to ${act} (${code ?? 'ended by a signal'})`),
        )
    })
  })
}
