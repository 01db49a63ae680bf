import {
  access,
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  writeFile,
  type FileHandle,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { boundActs, type ActLimits, type BoundedAct } from '../bounded-acts.js'
import { errnoOf, isErrno } from '../errno.js'
import type { InstallationId } from '../ids.js'
import { replacePrivateFile, syncFolder } from '../private-file.js'
import {
  abandonedFault,
  BlobMissing,
  BlobStoreFault,
  requireStoredName,
  type BlobStore,
  type StoredObject,
} from './blob-store.js'

/** With less room than four parts a recording under way may not find its own. */
const freeBytesLeast = 16 * 1_024 * 1_024

/** More than a file system keeps with the file's name. */
const probeBytes = Buffer.alloc(16_384, 'probe')

/**
 * Lies in the store from its first start on: without it the folder is not the store but the place where it is mounted. Says
 * whose it is: to another installation, with another database, all that lies here would be without a row.
 */
const markName = 'casenote-store'
const markText = (installationId: InstallationId): string =>
  `Parts of recordings, sealed.\nInstallation: ${installationId}\n`

/** A part takes milliseconds, on a disk that is busy a second. As many at once as a process has threads for folders. */
const usualLimits: ActLimits = { atOnceMost: 3, withinMs: 20_000 }

/** Health is told within 10 s, and a process that stops waits for it. */
const probeWithinMs = 5_000

/**
 * Parts as files below one folder that only its owner may enter. Each is written under another name, brought to the
 * disk and renamed; then its folder is brought to the disk, else a power cut forgets the name.
 */
export function makeFolderStore(
  root: string,
  installationId: InstallationId,
  limits: ActLimits = usualLimits,
): BlobStore {
  const stopping = new AbortController()
  const bounded = boundActs(limits, { noAnswer, stopping: stopping.signal })
  const run: BoundedAct = (act, withinMs) =>
    bounded((givenUp) => translateFaults(() => act(givenUp)), withinMs)
  const pathOf = (name: string): string => join(root, requireStoredName(name))
  /** Until the first check nobody knows whether the mark should be there. */
  let isMarked = false
  const requireMark = async (): Promise<void> => {
    if (isMarked) await access(join(root, markName))
  }
  return {
    put: (name, bytes) => run(() => putFile(pathOf(name), bytes, requireMark)),
    get: (name) => run(() => getFile(name, pathOf(name), requireMark)),
    delete: (name) => run(() => deleteFile(pathOf(name))),
    list: () => listFiles(root, run),
    check: () =>
      run(async () => {
        await makeFolder(root)
        await markStore(root, installationId)
        isMarked = true
      }),
    probe: () =>
      run(
        async () => {
          await requireMark()
          await probeFolder(root)
        },
        Math.min(probeWithinMs, limits.withinMs),
      ),
    readClockMs: () => run(() => probeFolder(root)),
    abandon: () => stopping.abort(abandonedFault()),
    close: () => Promise.resolve(),
  }
}

const noAnswer = () => new BlobStoreFault('the blob folder does not answer')

/** What a folder cannot do now, it may do later: there is room again, or the volume is back. */
async function translateFaults<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof BlobMissing || error instanceof BlobStoreFault) throw error
    throw new BlobStoreFault(`the blob folder failed: ${errnoOf(error) ?? 'unknown'}`, { cause: error })
  }
}

async function markStore(root: string, installationId: InstallationId): Promise<void> {
  const path = join(root, markName)
  const text = markText(installationId)
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 })
    await syncFolder(root)
    return
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
  }
  const mark = await readFile(path, 'utf8')
  if (mark === text) return
  if (mark.includes('\nInstallation: ')) {
    throw new BlobStoreFault(
      'the blob folder belongs to another installation: move it away, or name its database',
    )
  }
  // Made before marks said whose they are, or by a process that was killed while it did.
  await replacePrivateFile(path, text)
}

/**
 * Says when it was, by the clock of the file system. Several processes may do so at once, under the same name: none of them
 * reads what the other wrote.
 */
async function probeFolder(root: string): Promise<number> {
  const { bavail, blocks, bsize } = await statfs(root)
  // Some file systems do not know how large they are.
  if (blocks > 0 && bavail * bsize < freeBytesLeast) throw new BlobStoreFault('the blob folder is full')
  const path = join(root, 'probe')
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(probeBytes)
    await file.sync()
    return (await file.stat()).mtimeMs
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}

async function putFile(path: string, bytes: Buffer, requireMark: () => Promise<void>): Promise<void> {
  const folder = dirname(path)
  const temporary = `${path}.new`
  const file = await openNew(temporary, requireMark)
  try {
    await writeWhole(file, bytes)
  } catch (error) {
    // On a full disk the remains would take the room from whoever tries again.
    await rm(temporary, { force: true })
    throw error
  }
  await rename(temporary, path)
  await syncFolder(folder)
}

async function writeWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  try {
    // One call where the system takes all at once; `writeFile` would make eight of a part.
    for (let written = 0; written < bytes.length;) {
      written += (await file.write(bytes, written)).bytesWritten
    }
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Folders are made when they are missed: for the first part, or because a deletion took the empty one away. */
async function openNew(path: string, requireMark: () => Promise<void>): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    if (!isMissing(error)) throw error
    await requireMark()
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

async function getFile(name: string, path: string, requireMark: () => Promise<void>): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    if (!isMissing(error)) throw error
    await requireMark()
    throw new BlobMissing(name)
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

async function* listFiles(root: string, run: BoundedAct): AsyncIterable<StoredObject> {
  for (const tenantId of await run(() => listFolder(root))) {
    for (const blobId of await run(() => listFolder(join(root, tenantId)))) {
      for (const file of await run(() => listFolder(join(root, tenantId, blobId)))) {
        const name = `${tenantId}/${blobId}/${file}`
        const storedAtMs = await run(() => findTimeOf(join(root, name)))
        if (storedAtMs !== null) yield { name, storedAtMs }
      }
    }
  }
}

async function listFolder(path: string): Promise<string[]> {
  try {
    return await readdir(path)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return []
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

const isMissing = (error: unknown): boolean => isErrno(error, 'ENOENT')

/** POSIX allows both. */
const isNotEmpty = (error: unknown): boolean => isErrno(error, 'ENOTEMPTY', 'EEXIST')
