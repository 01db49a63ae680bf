import { mkdir, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { syncFolder } from '../../kernel/private-file.js'
import { DataFolderBusy, lockDataFolder, type DataFolderLock } from '../embedded-postgres/index.js'
import { contentsName } from './contents.js'
import { manifestName } from './manifest.js'

/** There from the first moment of a backup until its manifest is. */
const unfinishedName = 'unfinished'

const ours = new Set([unfinishedName, contentsName, 'database', 'blobs', 'files'])

/** With a manifest that a kill kept from getting its name. */
const isOurs = (name: string): boolean => ours.has(name) || /^manifest\.json\.\d+\.new$/.test(name)

export interface Target {
  path: string
  /** What a backup that was killed had left was removed. */
  isBegunAgain: boolean
  finish(): Promise<void>
  release(): Promise<void>
}

/** A new or empty folder, or one where a backup of ours was cut short: its remains are removed. Nobody else writes there. */
export async function openTarget(given: string): Promise<Target> {
  const path = resolve(given)
  await mkdir(path, { recursive: true, mode: 0o700 })
  const lock = await lockTarget(path)
  try {
    const isBegunAgain = await clearRemains(path)
    await writeFile(join(path, unfinishedName), 'This is no backup yet.\n', { flag: 'wx', mode: 0o600 })
    return {
      path,
      isBegunAgain,
      finish: () => rm(join(path, unfinishedName), { force: true }),
      release: () => lock.release(),
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function lockTarget(path: string): Promise<DataFolderLock> {
  try {
    return await lockDataFolder(path, { command: 'backup' })
  } catch (error) {
    if (error instanceof DataFolderBusy)
      throw new Error(`another process uses ${path} (pid ${error.pid ?? 'unknown'})`, { cause: error })
    throw error
  }
}

async function clearRemains(path: string): Promise<boolean> {
  const names = await readdir(path)
  if (names.length === 0) return false
  if (names.includes(manifestName)) throw new Error(`${path} holds a backup: name another folder`)
  if (!names.includes(unfinishedName) || !names.every(isOurs))
    throw new Error(`${path} is not empty: name a new folder`)
  // The mark last: a kill in between leaves what can be told apart again.
  for (const name of names.filter((one) => one !== unfinishedName))
    await rm(join(path, name), { recursive: true })
  await rm(join(path, unfinishedName))
  return true
}

/** With a tenth to spare: what is copied grows meanwhile. */
export async function requireRoom(path: string, bytes: number): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(path)
  // Some file systems do not know how large they are.
  if (blocks > 0 && bavail * bsize < bytes * 1.1)
    throw new Error(
      `${path} has ${inMegabytes(bavail * bsize)} free, and ${inMegabytes(bytes * 1.1)} are needed`,
    )
}

const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`

/** A file is lost with the folder that a power cut forgot. */
export async function syncFolders(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncFolders(join(path, entry.name))
  }
  await syncFolder(path)
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
