import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../kernel/private-file.js'
import type { FilePlace } from './bounded-folder.js'

/** With a tenth to spare: what is copied grows meanwhile. */
export async function requireRoom({ path, run }: FilePlace, bytes: number): Promise<void> {
  const { bavail, blocks, bsize } = await run(() => statfs(path))
  // Some file systems do not know how large they are.
  if (blocks > 0 && bavail * bsize < bytes * 1.1)
    throw new Error(
      `${path} has ${inMegabytes(bavail * bsize)} free, and ${inMegabytes(bytes * 1.1)} are needed`,
    )
}

const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`

/** A file is lost with the folder that a power cut forgot. */
export async function syncFolders({ path, run }: FilePlace): Promise<void> {
  for (const entry of await run(() => readdir(path, { withFileTypes: true }))) {
    if (entry.isDirectory()) await syncFolders({ path: join(path, entry.name), run })
  }
  await run(() => syncFolder(path))
}

export async function sumFolder(path: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
    const inside = join(path, entry.name)
    bytes += entry.isDirectory()
      ? await sumFolder(inside)
      : ((await stat(inside).catch(() => null))?.size ?? 0)
  }
  return bytes
}
