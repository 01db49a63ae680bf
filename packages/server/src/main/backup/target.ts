import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { findUnfinishedName } from '../../kernel/private-file.js'
import { DataFolderBusy, lockDataFolder, type DataFolderLock } from '../embedded-postgres/index.js'
import { contentsName } from './contents.js'
import { manifestName } from './manifest.js'

/** There from the first moment of a backup until its manifest is. */
const unfinishedName = 'unfinished'

const ours = new Set([unfinishedName, contentsName, 'database', 'blobs', 'files'])

/** With a manifest that a kill kept from getting its name. */
const isOurs = (name: string): boolean => ours.has(name) || findUnfinishedName(name) === manifestName

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
