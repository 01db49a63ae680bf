import { constants, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerHome } from './server-home.js'

/** Seven weekdays of this are 112 MB; a quiet server writes some kilobytes a day. */
const logFileBytesMax = 16 * 1024 * 1024
const tailBytes = 8 * 1024
const tailLines = 15

/** What the server said since then, at most some lines. Its settings keep row values out of it. */
export async function readLogTail(home: ServerHome, sinceMs: number): Promise<string> {
  const newest = await findNewestLog(home, sinceMs)
  const tails = await Promise.all([home.startupLog, ...(newest ? [newest] : [])].map(readTail))
  return tails.filter(Boolean).join('\n')
}

/** The server appends, so a file cut to nothing simply grows again. */
export async function boundLogFolder(home: ServerHome): Promise<void> {
  for (const path of await listLogs(home)) {
    const file = await openOwn(path, constants.O_RDWR)
    try {
      if ((await file.stat()).size > logFileBytesMax) await file.truncate(0)
    } finally {
      await file.close()
    }
  }
}

async function findNewestLog(home: ServerHome, sinceMs: number): Promise<string | null> {
  const logs = await Promise.all(
    (await listLogs(home)).map(async (path) => ({ path, writtenAt: (await stat(path)).mtimeMs })),
  )
  const fresh = logs.filter((log) => log.writtenAt >= sinceMs)
  return fresh.toSorted((a, b) => b.writtenAt - a.writtenAt)[0]?.path ?? null
}

async function listLogs(home: ServerHome): Promise<string[]> {
  const names = await readdir(home.log)
  return names.filter((name) => name.endsWith('.log')).map((name) => join(home.log, name))
}

async function readTail(path: string): Promise<string> {
  const file = await openOwn(path, constants.O_RDONLY).catch(() => null)
  if (!file) return ''
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(Math.min(size, tailBytes)),
      position: Math.max(0, size - tailBytes),
    })
    return buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n').slice(-tailLines).join('\n')
  } finally {
    await file.close()
  }
}

/** The folder is the server user's: as root we must not follow a link out of it. */
function openOwn(path: string, access: number): ReturnType<typeof open> {
  return open(path, access | constants.O_NOFOLLOW)
}
