import { mkdir, open, readFile, readdir, rename, rm, rmdir, stat, type FileHandle } from 'node:fs/promises'
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
    put: (name, bytes) => putFile(pathOf(name), bytes),
    get: (name) => getFile(name, pathOf(name)),
    delete: (name) => deleteFile(pathOf(name)),
    list: () => listFiles(root),
    check: () => makeFolder(root),
    close: () => Promise.resolve(),
  }
}

async function putFile(path: string, bytes: Buffer): Promise<void> {
  const folder = dirname(path)
  const temporary = `${path}.new`
  const file = await openNew(temporary)
  try {
    // One call where the system takes all at once; `writeFile` would make eight of a part.
    for (let written = 0; written < bytes.length;) {
      written += (await file.write(bytes, written)).bytesWritten
    }
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  await syncFolder(folder)
}

/** Folders are made when they are missed: for the first part, or because a deletion took the empty one away. */
async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    if (!isMissing(error)) throw error
    await makeFolder(dirname(path))
    return open(path, 'wx', 0o600)
  }
}

/** Every new level is brought to the disk: a file is lost with the folder that a power cut forgot. */
async function makeFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 })
  if (made === undefined) return
  for (let level = path; level.length >= made.length; level = dirname(level)) await syncFolder(dirname(level))
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
