import { realpath } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { createDataFolder } from './data-folder.js'
import { askLockOwner, bindLockSocket, nameLockSocket, type LockAnswer } from './lock-socket.js'
import { EmbeddedPostgresProblem } from './problem.js'

interface LockOwner {
  url?: string
  command: string
}

export interface DataFolderLock {
  release(): Promise<void>
  /** For what is known only later, such as the URL. */
  describe(owner: LockOwner): void
}

export class DataFolderBusy extends EmbeddedPostgresProblem {
  override name = 'DataFolderBusy'
  readonly pid: number | undefined
  readonly url: string | undefined
  readonly command: string | undefined

  constructor({ pid, url, command }: LockAnswer) {
    const known = [pid && `pid ${pid}`, url ?? command].filter(Boolean).join(', ')
    super(`Casenote is already running on this data folder (${known || 'it does not say who it is'})`)
    this.pid = pid
    this.url = url
    this.command = command
  }
}

/** Whoever has it may go away between refusing us and being asked who it is; five in a row do not. */
const attemptsMax = 5

/**
 * Taken before anything in the folder is touched. The kernel frees the socket when its process dies, kill -9
 * included, so there is no stale lock to guess about. It does not reach across containers that share the
 * folder as a volume.
 */
export async function lockDataFolder(dataDir: string, owner: LockOwner): Promise<DataFolderLock> {
  return lockAddress(nameLockSocket(await createDataFolder(dataDir)), owner)
}

/** For one that is to be made: whoever makes it has the lock, and what a dead one left beside it is nobody's. */
export async function lockFile(path: string, owner: LockOwner): Promise<DataFolderLock> {
  return lockAddress(nameLockSocket(join(await realpath(dirname(path)), basename(path))), owner)
}

export async function lockAddress(address: string, owner: LockOwner): Promise<DataFolderLock> {
  let current = owner
  const server = createServer((socket) => {
    // The asker may be gone before it is answered.
    socket.on('error', () => socket.destroy())
    socket.end(`${JSON.stringify({ pid: process.pid, ...current })}\n`, () => socket.destroy())
  })
  for (let attempt = 1; !(await bindLockSocket(server, address)); attempt++) {
    const answer = await askLockOwner(address)
    if (answer) throw new DataFolderBusy(answer)
    if (attempt === attemptsMax) throw new DataFolderBusy({})
  }
  server.unref()
  return {
    release: () => new Promise((resolve) => server.close(() => resolve())),
    describe: (next) => {
      current = next
    },
  }
}
