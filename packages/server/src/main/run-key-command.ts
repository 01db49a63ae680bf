import { runCommand, type OperatorCommand } from '../kernel/run-command.js'
import { parseMasterKeys } from '../kernel/secrets/master-keys.js'

const name = 'CASENOTE_MASTER_KEY_COMMAND'

/** A vault on another machine takes a second; whoever starts the service waits for it. */
const commandWithinMs = 10_000

/** Sixteen keys take 720 bytes. */
const outputBytesMax = 4_096

/** The keys that the operator's command prints, the current one first. */
export async function runKeyCommand(command: OperatorCommand, withinMs = commandWithinMs): Promise<Buffer[]> {
  const printed = await runCommand(command, { name, withinMs, outputBytesMax })
  const keys = parseMasterKeys(printed.toString())
  if (keys === null)
    throw new Error(`${name} printed something else than keys of 32 bytes in base64, one a line`)
  return keys
}
