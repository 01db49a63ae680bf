import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { errnoOf, isErrno } from '../kernel/errno.js'
import { ownFile } from '../kernel/own-files.js'
import { EngineFault } from './engine-fault.js'
import { hashFile } from './models/local/hash-file.js'

/** What ONNX Runtime is loaded from, and nothing else. */
const librariesOf = 'node_modules/onnxruntime-node/bin/'

let checked: Promise<void> | null = null

/** Once in a process: 46 MB take some 70 ms of processor time. */
export const requireReleasedLibraries = (): Promise<void> => (checked ??= requireReleasedIn(ownFile('../..')))

/**
 * The native libraries of a release are those of its SHA256SUMS: a copy that broke, or one that a system put in their place, is given nothing of
 * anybody. In a checkout there are no sums, and npm compared what it installed with the lock file (decision 0020).
 */
export async function requireReleasedIn(folder: string): Promise<void> {
  const sums = await readSums(join(folder, 'SHA256SUMS'))
  if (sums === null) return
  const listed = sums.filter(({ path }) => path.startsWith(librariesOf))
  if (listed.length === 0)
    throw new EngineFault('refused', 'SHA256SUMS of this release names no library of onnxruntime-node')
  for (const { sum, path } of listed) await requireSum(folder, sum, path)
}

async function requireSum(folder: string, sum: string, path: string): Promise<void> {
  const found = await hashFile(join(folder, path)).catch((error: unknown) => {
    const code = errnoOf(error)
    throw new EngineFault('unavailable', `The library ${basename(path)} cannot be read: ${code ?? 'unknown'}`)
  })
  if (found !== sum)
    throw new EngineFault(
      'refused',
      `The library ${basename(path)} is not the one of this release: sha256 ${found.slice(0, 12)}…, not ${sum.slice(0, 12)}…. ` +
        'Unpack the release again; of a library that you built yourself, write the sum into SHA256SUMS',
    )
}

/** As `sha256sum` writes them. Null: this is no release. */
async function readSums(file: string): Promise<{ sum: string; path: string }[] | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw new EngineFault('unavailable', 'SHA256SUMS of this release cannot be read')
  }
  return text.split('\n').map((line) => ({ sum: line.slice(0, 64), path: line.slice(66) }))
}
