import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { boundActs, FolderFault } from '../kernel/bounded-acts.js'
import { isErrno } from '../kernel/errno.js'
import type { Log } from '../kernel/log.js'
import { findUnfinishedName } from '../kernel/private-file.js'

/** Of what is written in milliseconds: whoever is at it now, in this process, another or another container, is at it since less. */
const leftAfterMs = 24 * 3_600_000

/** One look, by the way: a start does not wait longer for it. */
const limits = { atOnceMost: 1, withinMs: 5_000 }

/** Where files are replaced as a whole; the key store clears its own, since its writers have a lock. */
const foldersOf = (dataDir: string): string[] => [dataDir, join(dataDir, 'models'), join(dataDir, 'proofs')]

/** Files that a kill kept from getting their name. That of `master.key` holds keys, which nothing would ever remove. */
export async function clearStrays(dataDir: string, log: Log): Promise<void> {
  const run = boundActs(limits, { noAnswer: () => new FolderFault('the data folder does not answer') })
  try {
    for (const folder of foldersOf(dataDir)) await run((givenUp) => clearFolder(folder, givenUp))
  } catch (error) {
    log.warn({ error }, 'what killed processes left in the data folder was not cleared')
  }
}

async function clearFolder(folder: string, givenUp: AbortSignal): Promise<void> {
  for (const name of await listNames(folder)) {
    const path = join(folder, name)
    if (findUnfinishedName(name) === null) continue
    // Another process may do the same at this moment.
    const found = await stat(path).catch(() => null)
    givenUp.throwIfAborted()
    if (found?.isFile() === true && found.mtimeMs < Date.now() - leftAfterMs) await rm(path, { force: true })
  }
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}
