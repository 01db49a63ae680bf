import { lstat, mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findUnfinishedName } from '../../kernel/private-file.js'
import { DataFolderBusy, lockDataFolder, type DataFolderLock } from '../embedded-postgres/index.js'
import type { BoundedFolder, FilePlace } from './bounded-folder.js'
import { contentsName } from './contents.js'
import { manifestName } from './manifest.js'

/** There from the first moment of a backup until its manifest is. */
const unfinishedName = 'unfinished'

const ours = new Set([unfinishedName, contentsName, 'database', 'blobs', 'files'])

/** With a manifest that a kill kept from getting its name. */
const isOurs = (name: string): boolean => ours.has(name) || findUnfinishedName(name) === manifestName

export interface Target {
  /** What a backup that was killed had left was removed. */
  isBegunAgain: boolean
  finish(): Promise<void>
  release(): Promise<void>
}

/** A new or empty folder, or one where a backup of ours was cut short: its remains are removed. Nobody else writes there. */
export async function openTarget({ path, run }: BoundedFolder): Promise<Target> {
  const lock = await run(async () => {
    await mkdir(path, { recursive: true, mode: 0o700 })
    return lockTarget(path)
  })
  try {
    const isBegunAgain = await clearRemains({ path, run })
    const mark = join(path, unfinishedName)
    await run(() => writeFile(mark, 'This is no backup yet.\n', { flag: 'wx', mode: 0o600 }))
    return {
      isBegunAgain,
      finish: () => run(() => rm(mark, { force: true })),
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

async function clearRemains({ path, run }: FilePlace): Promise<boolean> {
  const names = await run(() => readdir(path))
  if (names.length === 0) return false
  if (names.includes(manifestName)) throw new Error(`${path} holds a backup: name another folder`)
  if (!names.includes(unfinishedName) || !names.every(isOurs))
    throw new Error(`${path} is not empty: name a new folder`)
  // The mark last: a kill in between leaves what can be told apart again.
  for (const name of names.filter((one) => one !== unfinishedName))
    await removeAll({ path: join(path, name), run })
  await run(() => rm(join(path, unfinishedName)))
  return true
}

/** One by one: a backup of millions of recordings is not removed within the time of a call. */
async function removeAll({ path, run }: FilePlace): Promise<void> {
  const isFolder = await run(async () => (await lstat(path)).isDirectory())
  if (!isFolder) return run(() => rm(path))
  for (const entry of await run(() => readdir(path))) await removeAll({ path: join(path, entry), run })
  await run(() => rmdir(path))
}
