import { createHash } from 'node:crypto'
import { constants, open, rm } from 'node:fs/promises'
import { connect, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isErrno } from '../../kernel/errno.js'

export interface LockAnswer {
  pid?: number
  url?: string
  command?: string
}

/**
 * Whoever has the lock answers from its event loop; one that is busy for longer than this is reported without its name.
 */
const answerLimitMs = 2000
/** The guarded section is one connect and one bind. */
const guardLimitMs = 5000

/**
 * An abstract name fills sun_path to its last byte: libuv 1.46 (Node 20) pads a shorter one with zeros, later
 * ones do not, and two Node versions would then take two different locks.
 */
export function nameLockSocket(folder: string, platform: NodeJS.Platform = process.platform): string {
  const hash = createHash('sha512').update(folder).digest('hex')
  return platform === 'linux'
    ? `\0casenote-${hash}`.slice(0, 108)
    : join(tmpdir(), `casenote-${hash.slice(0, 24)}.lock`)
}

/** False when somebody has it. */
export async function bindLockSocket(server: Server, address: string): Promise<boolean> {
  if (address.startsWith('\0')) return listen(server, address)
  return withGuard(`${address}-guard`, async () => {
    if (await listen(server, address)) return true
    if (await askLockOwner(address)) return false
    await rm(address, { force: true })
    return listen(server, address)
  })
}

/** Null when nobody listens. */
export function askLockOwner(address: string): Promise<LockAnswer | null> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(address)
    const finish = (answer: LockAnswer | null): void => {
      clearTimeout(limit)
      socket.destroy()
      resolve(answer)
    }
    const limit = setTimeout(() => finish({}), answerLimitMs)
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    socket.on('end', () => finish(parseAnswer(text)))
    socket.on('error', (error) =>
      finish(isErrno(error, 'ECONNREFUSED', 'ENOENT', 'ENOTSOCK') ? null : parseAnswer(text)),
    )
  })
}

/**
 * Anyone on the machine may listen on a name of their choice, so the answer is only taken apart, never
 * trusted.
 */
function parseAnswer(text: string): LockAnswer {
  try {
    const parsed = JSON.parse(text) as Partial<Record<string, unknown>>
    return {
      ...(Number.isInteger(parsed.pid) && { pid: Number(parsed.pid) }),
      ...(typeof parsed.url === 'string' && { url: parsed.url }),
      ...(typeof parsed.command === 'string' && { command: parsed.command }),
    }
  } catch {
    return {}
  }
}

function listen(server: Server, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => {
      if (isErrno(error, 'EADDRINUSE')) resolve(false)
      else reject(error)
    }
    server.once('error', onError)
    server.listen(address, () => {
      server.off('error', onError)
      resolve(true)
    })
  })
}

/**
 * Two starters that both find a dead socket must not both replace it. open(2) of macOS and the BSDs locks the
 * file in the same call (O_EXLOCK, 0x20), and the kernel frees it with the process.
 */
async function withGuard<T>(path: string, act: () => Promise<T>): Promise<T> {
  const exclusive = 0x20
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusive
  const deadline = Date.now() + guardLimitMs
  for (;;) {
    try {
      const guard = await open(path, flags, 0o600)
      try {
        return await act()
      } finally {
        await guard.close()
      }
    } catch (error) {
      if (!isErrno(error, 'EAGAIN', 'EWOULDBLOCK') || Date.now() > deadline) throw error
      await sleep(20)
    }
  }
}
