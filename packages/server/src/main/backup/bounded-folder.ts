import { open, type FileHandle } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { boundActs, FolderFault, type ActLimits, type BoundedAct } from '../../kernel/bounded-acts.js'

/**
 * A piece of a file, or bringing one to the disk. Three times what the service itself waits: a disk for backups may have to wake up or to
 * put its house in order, and all that hangs on it is one command.
 */
const usualLimits: ActLimits = { atOnceMost: 3, withinMs: 60_000 }

/** Calls to a file's folder: within bounds where that may lie on another machine, as they come on a disk of this one. */
export type RunAct = <T>(act: (givenUp?: AbortSignal) => Promise<T>) => Promise<T>

export interface FilePlace {
  path: string
  run: RunAct
}

export const onOwnDisk = (path: string): FilePlace => ({ path, run: (act) => act() })

/**
 * A folder that a backup is written to or read from. Once it has left one call without an answer it is asked nothing more: what is open
 * for it elsewhere, a database's snapshot above all, ends then and not after as many waits as there are files.
 */
export class BoundedFolder implements FilePlace {
  readonly path: string
  readonly run: BoundedAct

  constructor(given: string, limits: ActLimits = usualLimits) {
    this.path = resolve(given)
    const lost = new AbortController()
    const noAnswer = (): Error => {
      const seconds = Math.ceil(limits.withinMs / 1_000)
      lost.abort(
        new FolderFault(`${this.path} does not answer: a call to it was given up after ${seconds} s`),
      )
      return lost.signal.reason as Error
    }
    this.run = boundActs(limits, { noAnswer, stopping: lost.signal })
  }

  at(...names: string[]): FilePlace {
    return { path: join(this.path, ...names), run: this.run }
  }
}

/** Kept for as long as they are open: a file that is let go is closed by the collector, in the main thread, which would hang then. */
const openFiles = new Set<FileHandle>()

export interface OpenFile {
  /** Nothing left: 0. */
  readInto(buffer: Buffer): Promise<number>
  append(bytes: Buffer): Promise<void>
  /** On the disk when this returns. */
  sync(): Promise<void>
}

/** So much at most is left to bring to the disk at the end, however large the file: a slow disk is told from one that hangs. */
const unsyncedBytesMost = 32 * 1_024 * 1_024

export async function withFile<T>(
  { path, run }: FilePlace,
  flags: string | number,
  work: (file: OpenFile) => Promise<T>,
): Promise<T> {
  const file = await openFile({ path, run }, flags)
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

/** As `withFile`, for one that stays open beyond a function. */
export async function openFile(
  { path, run }: FilePlace,
  flags: string | number,
): Promise<OpenFile & { close(): Promise<void> }> {
  const file = await run(async (givenUp) => {
    const opened = await open(path, flags, 0o600)
    openFiles.add(opened)
    // Nobody waits for it any more, or would ever close it.
    if (givenUp?.aborted === true) await closeFile(opened)
    return opened
  })
  let unsynced = 0
  const sync = async (): Promise<void> => {
    await run(() => file.sync())
    unsynced = 0
  }
  return {
    readInto: async (buffer) => (await run(() => file.read(buffer, 0, buffer.length, null))).bytesRead,
    append: async (bytes) => {
      await run(() => file.appendFile(bytes))
      unsynced += bytes.length
      if (unsynced >= unsyncedBytesMost) await sync()
    },
    sync,
    close: () => run(() => closeFile(file)),
  }
}

async function closeFile(file: FileHandle): Promise<void> {
  await file.close()
  openFiles.delete(file)
}
