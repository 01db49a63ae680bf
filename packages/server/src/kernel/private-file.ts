import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What is written before it has the name of a file: "NAME.5f0c….new". */
const unfinished = /\.[0-9a-f]{16}\.new$/

/** The file that one such as these was to become; null: it is none. */
export const findUnfinishedName = (name: string): string | null =>
  unfinished.test(name) ? name.replace(unfinished, '') : null

/**
 * Replaces a file that only its owner may read: all of it or nothing, and on the disk when this returns. Several
 * processes may do so at once; each writes a file of its own first, by a random name, since in containers that share a folder
 * process ids are equal. The last one wins. What a kill leaves is a stray `.new`, and so does whoever is given up before it
 * has its name: somebody else may have replaced the file since.
 */
export const replacePrivateFile = (
  path: string,
  text: string | Buffer,
  givenUp?: AbortSignal,
): Promise<void> => writePrivateFile(path, (append) => append(text), givenUp)

/** As `replacePrivateFile`, piece by piece, for what is longer than the memory is to hold. */
export async function writePrivateFile(
  path: string,
  write: (append: (text: string | Buffer) => Promise<void>) => Promise<void>,
  givenUp?: AbortSignal,
): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.new`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.chmod(0o600)
    await write((text) => file.appendFile(text))
    await file.sync()
  } catch (error) {
    // As where the disk is full, or whoever writes has nothing more to write from.
    await rm(temporary, { force: true })
    throw error
  } finally {
    await file.close()
  }
  givenUp?.throwIfAborted()
  await rename(temporary, path)
  await syncFolder(dirname(path))
}

/** A rename survives a power cut only once its folder is on the disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
