import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { isErrno } from '../../kernel/errno.js'

/** `casenote-listen/MACHINE-PID-RANDOM`, at the end of the URL of a temporary endpoint. */
const markPattern = /casenote-listen\/([0-9a-f]{8})-(\d{1,10})-[0-9a-f]{8}$/

/** A digest, because the name of a developer's machine is nobody's business. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

export const newMark = (): string =>
  `casenote-listen/${machine}-${process.pid}-${randomBytes(4).toString('hex')}`

/** A fragment is never sent, so it marks a URL that must stay as it was given. */
export function markUrl(url: string, mark: string): string {
  const marked = new URL(url)
  marked.hash = mark
  return marked.href
}

/**
 * Whether it was left by a listener of this machine that is no more: killed, say. Listeners of other machines may be
 * alive and are left alone. A mark with our own pid is an earlier process's: in containers pids repeat.
 */
export function isLeftBehind(url: string): boolean {
  const [, ofMachine, pid] = markPattern.exec(url) ?? []
  if (ofMachine !== machine || pid === undefined) return false
  return Number(pid) === process.pid || !isAlive(Number(pid))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: somebody else's, but alive.
    return isErrno(error, 'EPERM')
  }
}
