import { readFile } from 'node:fs/promises'
import { runAs, type ServerUser } from './run-as.js'

/** Lists the processes whose working folder is the given one. */
const LIST_BY_FOLDER = 'for p in /proc/[0-9]*; do [ "$p/cwd" -ef "$1" ] && echo "${p#/proc/}"; done; :'
const listLimitMs = 10_000

/**
 * A backend in a long query notices its postmaster's death only when it next waits, and until then no new
 * server may start. SIGQUIT ends it as a crash would. Linux only; elsewhere the caller just waits.
 */
export async function terminateOrphans(cluster: string, user: ServerUser): Promise<void> {
  // Asked as the server's user: root in a container mostly lacks CAP_SYS_PTRACE, and with it this view.
  const args = ['-c', LIST_BY_FOLDER, 'sh', cluster]
  // Without a shell the orphans end by themselves, only later.
  const listed = await runAs(user, '/bin/sh', args, listLimitMs).catch(() => '')
  const pids = listed.split('\n').filter(Boolean).map(Number)
  for (const pid of pids) {
    if (await isOrphan(pid, pids)) endProcess(pid)
  }
}

async function isOrphan(pid: number, pids: number[]): Promise<boolean> {
  try {
    // Only backends carry a title: a postmaster that somebody started here is not ours to end.
    if (!(await readFile(`/proc/${pid}/cmdline`, 'latin1')).startsWith('postgres: ')) return false
    const afterName = (await readFile(`/proc/${pid}/stat`, 'latin1')).split(') ').at(-1) ?? ''
    return !pids.includes(Number(afterName.split(' ')[1]))
  } catch {
    // It ended meanwhile.
    return false
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGQUIT')
  } catch {
    // It ended meanwhile.
  }
}
