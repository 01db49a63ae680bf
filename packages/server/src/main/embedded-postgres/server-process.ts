import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { identifyPostmaster, isAlive } from './postmaster.js'
import { EmbeddedPostgresProblem } from './problem.js'
import { spawnOptionsFor, type ServerUser } from './run-as.js'

export interface ServerProcess {
  pid: number
  isRunning(): boolean
  /** Resolves with how it ended. */
  gone: Promise<string>
  signal(name: NodeJS.Signals): Promise<void>
}

const adoptedPollMs = 1000
const stopPollMs = 25
/** Fast shutdown writes a checkpoint; what takes longer is cut short and recovered at the next start. */
const fastStopLimitMs = 10_000
/** An immediate shutdown kills its own stragglers after five seconds. */
const immediateStopLimitMs = 10_000

export async function spawnServer(
  postgres: string,
  args: string[],
  user: ServerUser,
  outputFd: number,
  stalePid: number | null,
): Promise<ServerProcess> {
  const options = spawnOptionsFor(user)
  // PostgreSQL takes any live process of its user with the number in postmaster.pid for another server,
  // except the one named here. Its check of the old shared memory stays in force, which deleting the file
  // would lose.
  if (stalePid !== null) options.env.PG_GRANDPARENT_PID = String(stalePid)
  // A session of its own: Ctrl-C reaches Node alone, and Node decides the order of stopping.
  const child = spawn(postgres, args, { ...options, detached: true, stdio: ['ignore', outputFd, outputFd] })
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new EmbeddedPostgresProblem(`PostgreSQL cannot be run: ${String(error)}`)
  }
  child.unref()
  return ownProcess(child)
}

function ownProcess(child: ChildProcess): ServerProcess {
  const gone = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`))
  })
  return {
    pid: child.pid ?? -1,
    gone,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    signal: async (name) => {
      child.kill(name)
    },
  }
}

export function adoptProcess(pid: number, cluster: string): ServerProcess {
  const gone = new Promise<string>((resolve) => {
    const timer = setInterval(() => {
      if (isAlive(pid)) return
      clearInterval(timer)
      resolve('how is unknown, as an earlier process had started it')
    }, adoptedPollMs)
    timer.unref()
  })
  return {
    pid,
    gone,
    isRunning: () => isAlive(pid),
    signal: async (name) => {
      if ((await identifyPostmaster(pid, cluster)) !== 'other') process.kill(pid, name)
    },
  }
}

export async function stopProcess(server: ServerProcess): Promise<void> {
  const steps = [
    ['SIGINT', fastStopLimitMs],
    ['SIGQUIT', immediateStopLimitMs],
  ] as const
  for (const [signal, limitMs] of steps) {
    if (server.isRunning()) await server.signal(signal)
    for (const deadline = Date.now() + limitMs; server.isRunning() && Date.now() < deadline;)
      await sleep(stopPollMs)
    if (!server.isRunning()) return
  }
  throw new EmbeddedPostgresProblem(`PostgreSQL (pid ${server.pid}) does not stop`)
}
