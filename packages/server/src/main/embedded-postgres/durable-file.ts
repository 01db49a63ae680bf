import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * The caller holds the data folder's lock, so one fixed temporary name is enough, and what a kill leaves
 * under it is overwritten by the next try.
 */
export async function writeSecretDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`
  const file = await open(temporary, 'w', 0o600)
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
