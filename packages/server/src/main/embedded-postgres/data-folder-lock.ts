import { createServer } from 'node:net'
import { createDataFolder } from './data-folder.js'
import { askLockHolder, bindLockSocket, nameLockSocket, type LockAnswer } from './lock-socket.js'
import { EmbeddedPostgresProblem } from './problem.js'

interface LockHolder {
  url?: string
  command: string
}

export interface DataFolderLock {
  release(): Promise<void>
  /** For what is known only later, such as the URL. */
  describe(holder: LockHolder): void
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

/** A holder may go away between refusing us and being asked for its name; five in a row do not. */
const attemptsMax = 5

/**
 * Taken before anything in the folder is touched. The kernel frees the socket when its process dies, kill -9
 * included, so there is no stale lock to guess about. It does not reach across containers that share the
 * folder as a volume.
 */
export async function lockDataFolder(dataDir: string, holder: LockHolder): Promise<DataFolderLock> {
  return lockAddress(nameLockSocket(await createDataFolder(dataDir)), holder)
}

export async function lockAddress(address: string, holder: LockHolder): Promise<DataFolderLock> {
  let current = holder
  const server = createServer((socket) => {
    // The asker may be gone before it is answered.
    socket.on('error', () => socket.destroy())
    socket.end(`${JSON.stringify({ pid: process.pid, ...current })}\n`, () => socket.destroy())
  })
  for (let attempt = 1; !(await bindLockSocket(server, address)); attempt++) {
    const answer = await askLockHolder(address)
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
