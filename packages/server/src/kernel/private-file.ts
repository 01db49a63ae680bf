import { randomBytes } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces a file that only its owner may read: all of it or nothing, and on the disk when this returns. Several
 * processes may do so at once; each writes a file of its own first, by a random name, since in containers that share a folder
 * process ids are equal. The last one wins. What a kill leaves is a stray `.new`.
 */
export async function replacePrivateFile(path: string, text: string | Buffer): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.new`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
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
