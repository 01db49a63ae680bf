import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './binaries.js'
import { probeServer } from './connection.js'
import { findPostmasterFile } from './postmaster.js'
import { EmbeddedPostgresProblem } from './problem.js'
import type { ServerUser } from './run-as.js'
import type { ServerHome } from './server-home.js'
import { readLogTail } from './server-log.js'
import { spawnServer, stopProcess, type ServerProcess } from './server-process.js'
import { makeServerArguments } from './server-settings.js'
import { ensureSocketFolder } from './socket-folder.js'
import { terminateOrphans } from './terminate-orphans.js'

export interface LaunchPlan {
  home: ServerHome
  user: ServerUser
  binaries: Binaries
  socketDir: string
  superuserUrl: string
  settings: Record<string, string>
  /** For as long as it says that it is busy. */
  recoveryWithinMs: number
}

const pollMs = 25
/** 0.1 s on an idle machine; this is for one that swaps. */
const silenceLimitMs = 30_000
/** Orphaned backends end within milliseconds of noticing, or of being told. */
const orphansLimitMs = 10_000

/** Returns a server that accepts connections. When it throws, no process of it is left. */
export async function launchServer(plan: LaunchPlan, abort: AbortSignal): Promise<ServerProcess> {
  const deadline = Date.now() + orphansLimitMs
  for (;;) {
    const server = await spawnOnce(plan)
    try {
      await waitUntilReady(plan, server, abort)
      return server
    } catch (error) {
      await stopProcess(server)
      if (!isBlockedByOrphans(error) || Date.now() > deadline) throw error
    }
    await terminateOrphans(plan.home.cluster, plan.user)
    await sleep(100, undefined, { signal: abort })
  }
}

async function spawnOnce({ home, user, binaries, socketDir, settings }: LaunchPlan): Promise<ServerProcess> {
  await ensureSocketFolder(socketDir, user)
  const stale = await findPostmasterFile(home.cluster)
  const args = makeServerArguments(home, socketDir, settings)
  // Says why a start failed before the server's own log is open; a pipe would break when Node dies first.
  const output = await open(home.startupLog, 'w', 0o600)
  try {
    return await spawnServer(binaries.postgres, args, user, output.fd, stale?.pid ?? null)
  } finally {
    await output.close()
  }
}

async function waitUntilReady(plan: LaunchPlan, server: ServerProcess, abort: AbortSignal): Promise<void> {
  const startedAt = Date.now()
  const describe = async (reason: string): Promise<EmbeddedPostgresProblem> => {
    const said = await readLogTail(plan.home, startedAt)
    return new EmbeddedPostgresProblem(`PostgreSQL did not start: ${reason}. It said:\n${said}`)
  }
  let isBusy = false
  while (Date.now() - startedAt < (isBusy ? plan.recoveryWithinMs : silenceLimitMs)) {
    abort.throwIfAborted()
    if (!server.isRunning()) throw await describe(`it ended with ${await server.gone}`)
    const probe = await probeServer(plan.superuserUrl)
    if (probe.state === 'ready') return
    if (probe.state === 'refused') throw await describe('it refuses the password of the data folder')
    isBusy ||= probe.state === 'busy'
    await sleep(pollMs)
  }
  throw await describe('it does not answer')
}

/** After a kill -9 of the postmaster its backends live on for a moment, and the shared memory with them. */
function isBlockedByOrphans(error: unknown): boolean {
  return (
    error instanceof EmbeddedPostgresProblem && error.message.includes('pre-existing shared memory block')
  )
}
