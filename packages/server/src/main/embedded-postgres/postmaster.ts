import { readFileSync } from 'node:fs'
import { readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../../kernel/errno.js'

interface PostmasterFile {
  pid: number
  /** Null while the server has not opened its socket yet. */
  socketDir: string | null
}

/** Lines: pid, data folder, start time, port, first socket folder, listen address, shared memory, status. */
export async function findPostmasterFile(cluster: string): Promise<PostmasterFile | null> {
  try {
    const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')
    const pid = Number(lines[0])
    return Number.isInteger(pid) && pid > 1 ? { pid, socketDir: lines[4] || null } : null
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
}

/** Signal 0 also reaches a zombie, which an init that does not reap leaves in many containers. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    // Another user's process is not our server either.
    return false
  }
  try {
    const state = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1]
    return state !== 'Z' && state !== 'X'
  } catch {
    return true
  }
}

/**
 * A postmaster's working folder is its cluster. Where that cannot be read (macOS, a container without
 * CAP_SYS_PTRACE) the answer is unknown and only a connection can tell.
 */
export async function identifyPostmaster(
  pid: number,
  cluster: string,
): Promise<'ours' | 'other' | 'unknown'> {
  if (!isAlive(pid)) return 'other'
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === cluster ? 'ours' : 'other'
  } catch {
    return isAlive(pid) ? 'unknown' : 'other'
  }
}
