import { createHash } from 'node:crypto'
import { constants, open, type FileHandle } from 'node:fs/promises'
import { isErrno } from '../../kernel/errno.js'

export interface Copied {
  bytes: number
  sha256: string
}

/** What of a file is in memory. */
const chunkBytes = 1_024 * 1_024

/** The whole file, on the disk when this returns. Null: there is no such file (any more). */
export async function copyFile(source: string, target: string): Promise<Copied | null> {
  const from = await openIfThere(source)
  if (from === null) return null
  try {
    const to = await open(target, 'wx', 0o600)
    try {
      const copied = await readThrough(from, async (chunk) => {
        await to.writeFile(chunk)
      })
      await to.sync()
      return copied
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

export async function writeNewFile(target: string, bytes: Buffer): Promise<Copied> {
  const to = await open(target, 'wx', 0o600)
  try {
    await to.writeFile(bytes)
    await to.sync()
  } finally {
    await to.close()
  }
  return { bytes: bytes.length, sha256: hashOf(bytes) }
}

/** What another program wrote. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Null: there is no such file. */
export async function hashFile(path: string): Promise<Copied | null> {
  const file = await openIfThere(path)
  if (file === null) return null
  try {
    return await readThrough(file, () => Promise.resolve())
  } finally {
    await file.close()
  }
}

/** Null: there is no such file. */
export async function readWhole(path: string): Promise<Buffer | null> {
  const file = await openIfThere(path)
  if (file === null) return null
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

export const hashOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

/** A link in a backup could lead anywhere. */
async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
}

async function readThrough(file: FileHandle, take: (chunk: Buffer) => Promise<void>): Promise<Copied> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(chunkBytes)
  let bytes = 0
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, null)
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') }
    const chunk = buffer.subarray(0, bytesRead)
    hash.update(chunk)
    await take(chunk)
    bytes += bytesRead
  }
}

/** Enough to keep a disk busy while another file is hashed. */
const lanes = 4

/** Works through all of them, a few at a time; the first failure ends it. */
export async function inLanes<T>(
  items: AsyncIterable<T> | Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  let turn: Promise<unknown> = Promise.resolve()
  const run = { hasFailed: false }
  const next = (): Promise<IteratorResult<T>> => {
    // One asks at a time: a generator that reads pages is no queue.
    const taken = turn.then(() => iterator.next())
    turn = taken.catch(() => {})
    return taken
  }
  const lane = async (): Promise<void> => {
    try {
      for (let item = await next(); item.done !== true && !run.hasFailed; item = await next())
        await work(item.value)
    } catch (error) {
      run.hasFailed = true
      throw error
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane))
  if (run.hasFailed) await iterator.return?.()
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}
