import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRuntime, installRuntime } from '../../src/engines/models/local/install-runtime.js'

/** One for all runs on this machine: it is 85 MB from the registry. */
const folder = join(tmpdir(), 'casenote-test-llama-runtime')

/** Where the runtime lies; null, and said aloud, where the registry cannot be reached. */
export async function prepareTestRuntime(): Promise<string | null> {
  if ((await findRuntime(folder)) !== null) return folder
  try {
    await installRuntime(folder, 'none')
    return folder
  } catch (error) {
    process.stderr.write(
      `\nSKIPPED: the tests of local models with the real runtime (${error instanceof Error ? error.message : ''})\n`,
    )
    return null
  }
}
