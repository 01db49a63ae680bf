import { access, constants, lstat, readdir, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  DataFolderBusy,
  lockDataFolder,
  makePrivateFolder,
  removeCluster,
  startEmbeddedPostgres,
  type DataFolderLock,
} from '../embedded-postgres/index.js'

const scratchPrefix = 'casenote-verify-'

/** `mkdtemp` adds six characters. */
export const isScratchName = (name: string): boolean => /^casenote-verify-[A-Za-z0-9]{6}$/.test(name)

/** For a restore that is only a check. Removed again, with what an earlier one has left that was killed. */
export async function inScratchFolder<T>(
  installed: string,
  work: (dataDir: string) => Promise<T>,
): Promise<T> {
  const parent = await chooseParent(installed)
  for (const name of await readdir(parent)) {
    if (isScratchName(name) && (await isOwnFolder(join(parent, name))))
      await removeLeftover(join(parent, name))
  }
  const dataDir = await makePrivateFolder(join(parent, scratchPrefix))
  try {
    return await work(dataDir)
  } finally {
    await removeCluster(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The data folder, where only its owner writes and there is room; without one, the system's place for what is passing. */
async function chooseParent(installed: string): Promise<string> {
  try {
    await access(installed, constants.R_OK | constants.W_OK | constants.X_OK)
    if ((await stat(installed)).isDirectory()) return await realpath(installed)
  } catch {
    // Not there, or not for this user: it is left alone.
  }
  return realpath(tmpdir())
}

/** In a folder that others may write to, a link of that name could lead anywhere, and a folder be somebody else's. */
async function isOwnFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null)
  return found !== null && found.isDirectory() && found.uid === process.geteuid?.()
}

/** It is a whole copy of the database, and its server may run on. */
async function removeLeftover(dataDir: string): Promise<void> {
  let lock: DataFolderLock
  try {
    lock = await lockDataFolder(dataDir, { command: 'restore' })
  } catch (error) {
    if (error instanceof DataFolderBusy) return
    throw error
  }
  try {
    await endServerOf(dataDir)
    await removeCluster(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  } finally {
    await lock.release()
  }
}

/** Ends the server that a restore left behind when it was killed. The caller has the folder's lock. */
export async function endServerOf(dataDir: string): Promise<void> {
  const names = await readdir(dataDir)
  if (!names.includes('postgres') || !names.includes('postgres-passwords.json')) return
  const clusters = await readdir(join(dataDir, 'postgres')).catch((): string[] => [])
  if (!clusters.includes('cluster')) return
  const log = { info: () => {}, warn: () => {} }
  // One that does not start leaves no process, and is removed all the same.
  const server = await startEmbeddedPostgres({ dataDir, log, recoveryWithinMs: Infinity }).catch(() => null)
  await server?.stop()
}
