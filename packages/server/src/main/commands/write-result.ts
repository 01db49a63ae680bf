import { access, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { findUnfinishedName, writePrivateFile } from '../../kernel/private-file.js'
import { DataFolderBusy, lockFile, type DataFolderLock } from '../embedded-postgres/index.js'

export type WriteText = (text: string) => Promise<void>

/**
 * To standard output as it comes, where what is cut short must show it by itself; or into a new file that only its owner may read, and
 * that has its name only when it is whole.
 */
export async function writeResult(
  file: string | null,
  write: (text: WriteText) => Promise<void>,
): Promise<void> {
  if (file === null) return write(writeToOutput)
  const path = resolve(file)
  const lock = await lockResult(path)
  try {
    await refuseExisting(path)
    await removeRemains(path)
    await writePrivateFile(path, write)
  } finally {
    await lock.release()
  }
}

async function lockResult(path: string): Promise<DataFolderLock> {
  try {
    return await lockFile(path, { command: 'output' })
  } catch (error) {
    if (error instanceof DataFolderBusy)
      throw new Error(`another process writes ${path} (pid ${error.pid ?? 'unknown'})`, { cause: error })
    throw error
  }
}

/** It may be the only copy of another report, or the master key. */
async function refuseExisting(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (isThere) throw new Error(`${path} is there already: name a new file`)
}

/** What a process left that was killed while it wrote this file. The caller has its lock. */
async function removeRemains(path: string): Promise<void> {
  const folder = dirname(path)
  for (const name of await readdir(folder))
    if (findUnfinishedName(name) === basename(path)) await rm(join(folder, name), { force: true })
}

/** A disk that is full, or whoever reads no more, is told here; without a listener it would end the process with a trace. */
const writeToOutput: WriteText = (text) =>
  new Promise((done, fail) => {
    process.stdout.once('error', fail)
    process.stdout.write(text, (error) => {
      process.stdout.off('error', fail)
      if (error) fail(new Error('standard output cannot be written', { cause: error }))
      else done()
    })
  })
