import { mkdir, open, readFile, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../private-file.js'
import { BlobMissing, requireStoredName, type BlobStore, type StoredObject } from './blob-store.js'

/**
 * Parts as files below one folder that only its owner may enter. Each is written under another name, brought to the
 * disk and renamed; then its folder is brought to the disk, else a power cut forgets the name.
 */
export function makeFolderStore(root: string): BlobStore {
  const pathOf = (name: string): string => join(root, requireStoredName(name))
  return {
    put: (name, bytes) => putFile(root, pathOf(name), bytes),
    get: (name) => getFile(name, pathOf(name)),
    delete: (name) => deleteFile(pathOf(name)),
    list: () => listFiles(root),
    check: () => makeFolder(root),
    close: () => Promise.resolve(),
  }
}

async function putFile(root: string, path: string, bytes: Buffer): Promise<void> {
  const folder = dirname(path)
  await makeFolder(root)
  await makeFolder(dirname(folder))
  await makeFolder(folder)
  const temporary = `${path}.new`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  await syncFolder(folder)
}

/** Also brought to the disk: a file is lost with the folder that a power cut forgot. */
async function makeFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 })
  if (made !== undefined) await syncFolder(dirname(made))
}

async function getFile(name: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw isMissing(error) ? new BlobMissing(name) : error
  }
}

async function deleteFile(path: string): Promise<void> {
  await rm(path, { force: true })
  try {
    await syncFolder(dirname(path))
    await rmdir(dirname(path))
  } catch (error) {
    // Other parts are left, or somebody else removed the last one.
    if (!isMissing(error) && !isNotEmpty(error)) throw error
  }
}

async function* listFiles(root: string): AsyncIterable<StoredObject> {
  for (const tenantId of await listFolder(root)) {
    for (const blobId of await listFolder(join(root, tenantId))) {
      for (const file of await listFolder(join(root, tenantId, blobId))) {
        const name = `${tenantId}/${blobId}/${file}`
        const storedAtMs = await findTimeOf(join(root, name))
        if (storedAtMs !== null) yield { name, storedAtMs }
      }
    }
  }
}

async function listFolder(path: string): Promise<string[]> {
  try {
    return await readdir(path)
  } catch (error) {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return []
    throw error
  }
}

async function findTimeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mtimeMs
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** POSIX allows both. */
const isNotEmpty = (error: unknown): boolean =>
  ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')
