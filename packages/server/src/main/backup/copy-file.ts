import { createHash } from 'node:crypto'
import { constants } from 'node:fs/promises'
import { isErrno } from '../../kernel/errno.js'
import { openFile, withFile, type FilePlace, type OpenFile } from './bounded-folder.js'

export interface Copied {
  bytes: number
  sha256: string
}

/** What of a file is in memory. */
const chunkBytes = 1_024 * 1_024

/** The whole file, on the disk when this returns. Null: there is no such file (any more). */
export async function copyFile(from: FilePlace, to: FilePlace): Promise<Copied | null> {
  return withFileIfThere(from, (source) =>
    withFile(to, 'wx', async (target) => {
      const copied = await readThrough(source, (chunk) => target.append(chunk))
      await target.sync()
      return copied
    }),
  )
}

export async function writeNewFile(to: FilePlace, bytes: Buffer): Promise<Copied> {
  await withFile(to, 'wx', async (file) => {
    await file.append(bytes)
    await file.sync()
  })
  return { bytes: bytes.length, sha256: hashOf(bytes) }
}

/** What another program prints, piece by piece. On the disk when this returns. */
export async function writeThrough(
  to: FilePlace,
  print: (take: (chunk: Buffer) => Promise<void>) => Promise<void>,
): Promise<Copied> {
  const hash = createHash('sha256')
  let bytes = 0
  await withFile(to, 'wx', async (file) => {
    await print(async (chunk) => {
      hash.update(chunk)
      bytes += chunk.length
      await file.append(chunk)
    })
    await file.sync()
  })
  return { bytes, sha256: hash.digest('hex') }
}

/** Null: there is no such file. */
export const hashFile = (from: FilePlace): Promise<Copied | null> =>
  withFileIfThere(from, (file) => readThrough(file, () => Promise.resolve()))

/** Null: there is no such file. For what fits into memory. */
export const readWhole = (from: FilePlace): Promise<Buffer | null> =>
  withFileIfThere(from, async (file) => {
    const chunks: Buffer[] = []
    await readThrough(file, async (chunk) => void chunks.push(Buffer.from(chunk)))
    return Buffer.concat(chunks)
  })

export const hashOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

/** A link in a backup could lead anywhere. */
async function withFileIfThere<T>(from: FilePlace, work: (file: OpenFile) => Promise<T>): Promise<T | null> {
  const file = await openFile(from, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  })
  if (file === null) return null
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

async function readThrough(file: OpenFile, take: (chunk: Buffer) => Promise<void>): Promise<Copied> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(chunkBytes)
  let bytes = 0
  for (;;) {
    const bytesRead = await file.readInto(buffer)
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
