import { setTimeout as sleep } from 'node:timers/promises'
import { makeConnectionUrls } from './connection-urls.js'
import { probeServer } from './connection.js'
import type { Passwords } from './passwords.js'
import { findPostmasterFile, identifyPostmaster } from './postmaster.js'
import { EmbeddedPostgresProblem } from './problem.js'

export interface LiveServer {
  pid: number
  socketDir: string
  versionNum: number
}

const pollMs = 25
/** A server writes its pid some milliseconds before it opens its socket. */
const silenceLimitMs = 5000
/**
 * Replaying the largest amount of log that default settings let pile up (1 GB) takes a slow disk some
 * minutes.
 */
export const recoveryLimitMs = 300_000

/**
 * The server that answers on this cluster with our password, or null. The number in postmaster.pid proves
 * nothing by itself: after a reboot it may belong to any process.
 */
export async function findLiveServer(
  cluster: string,
  passwords: Passwords,
  { abort, recoveryWithinMs = recoveryLimitMs }: { abort?: AbortSignal; recoveryWithinMs?: number } = {},
): Promise<LiveServer | null> {
  const startedAt = Date.now()
  let isBusy = false
  for (;;) {
    abort?.throwIfAborted()
    const file = await findPostmasterFile(cluster)
    const identity = file ? await identifyPostmaster(file.pid, cluster) : 'other'
    if (!file || identity === 'other') return null
    if (file.socketDir) {
      const probe = await probeServer(makeConnectionUrls(passwords, file.socketDir).superuserUrl)
      if (probe.state === 'ready') {
        const { pid, socketDir } = file
        return probe.dataDirectory === cluster ? { pid, socketDir, versionNum: probe.versionNum } : null
      }
      if (probe.state === 'refused') {
        throw new EmbeddedPostgresProblem(
          `The PostgreSQL on ${cluster} (pid ${file.pid}) refuses the passwords of this data folder`,
        )
      }
      isBusy = probe.state === 'busy'
    }
    if (Date.now() - startedAt > (isBusy ? recoveryWithinMs : silenceLimitMs)) {
      if (identity === 'unknown') return null
      throw new EmbeddedPostgresProblem(
        `A PostgreSQL (pid ${file.pid}) runs on ${cluster} but does not answer; ` +
          `end it with kill -INT ${file.pid}`,
      )
    }
    await sleep(pollMs)
  }
}
