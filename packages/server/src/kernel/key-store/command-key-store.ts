import { runCommand, type OperatorCommand } from '../run-command.js'
import { documentBytesMax, type KeyStore } from './key-store.js'

/** A vault on another machine takes a second, and megabytes some more. Whoever changes the store has it locked meanwhile, twice. */
const commandWithinMs = 20_000

/**
 * The operator's command: with `read` as its last word it prints the document, or nothing where there is none yet; with `write` it
 * takes the new one from its standard input and ends with 0 once it is durable.
 */
export function makeCommandKeyStore(
  { words, env }: OperatorCommand,
  withinMs: number = commandWithinMs,
): KeyStore {
  const name = 'the command of CASENOTE_KEY_STORE'
  const run = (act: 'read' | 'write', input?: Buffer): Promise<Buffer> =>
    runCommand(
      { words: [...words, act], env },
      {
        name: `${name}, which was to ${act},`,
        withinMs,
        outputBytesMax: documentBytesMax,
        ...(input && { input }),
      },
    )
  return {
    name,
    look: async () => null,
    read: async () => {
      const printed = await run('read')
      return isBlank(printed) ? null : printed
    },
    write: async (document) => void (await run('write', document)),
  }
}

/** A document is never so short. */
const isBlank = (printed: Buffer): boolean => printed.length < 16 && printed.toString().trim() === ''
