import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { cpuSecondsMax } from './decoder-limits.js'
import { findProgram } from './find-native.js'

/** What a decoder may not do, as far as this system lets us forbid it. */
export interface CageFacts {
  /** Each run has a user of its own, who owns nothing. */
  hasOwnUser: boolean
  hasNoNewPrivileges: boolean
  hasNoNetwork: boolean
  /** Whether the system limits memory, processor time, files and processes. */
  hasLimits: boolean
}

export interface CagedCommand {
  file: string
  args: string[]
  /** Null: that of the service. */
  userId: number | null
  /** For the programs around it are not there: it is changed by whoever starts the process. */
  setsUserItself: boolean
  /** The run has ended: its user may be another one's. */
  release: () => void
}

export interface Cage {
  facts: CageFacts
  enclose(program: string, args: readonly string[]): CagedCommand
}

interface Tools {
  setpriv: string | null
  unshare: string | null
  prlimit: string | null
}

interface UserRange {
  first: number
  count: number
}

type Network = 'by root' | 'by a user namespace' | 'kept'

interface Plan {
  tools: Tools
  users: UserRange | null
  network: Network
  hasLimits: boolean
}

/**
 * Numbers that no distribution, container or directory gives to anybody, by the list in systemd's UIDS-GIDS; and, where a
 * container has 65,536 of them, the few that are left free among those.
 */
const unusedUsers: readonly UserRange[] = [
  { first: 0x7000_0000, count: 0x0ffe_0000 },
  { first: 60_578, count: 606 },
]

/** Writable memory of the process, its WebAssembly and its code together: a run takes 110 MB. */
const dataBytesMax = 1024 * 1024 * 1024
/** Node has some 40 open by itself. */
const openFilesMax = 64
/** Threads count: Node has seven, ffmpeg fewer. */
const threadsMax = 48

/**
 * Builds what the system allows, and tries it: whether a name space may be made depends on the kernel, the container and its
 * profile, and is only told by making one.
 */
export async function buildCage(searchPath: string): Promise<Cage> {
  const tools = await findTools(searchPath)
  const users = mayChangeUsers() ? findUsers() : null
  if (users === null && process.getuid?.() === 0)
    throw new Error(
      'Recordings are never decoded as root, and this process may not change users: run the service as another user, or leave it CAP_SETUID and CAP_SETGID',
    )
  const networks: Network[] = tools.unshare === null ? [] : ['by root', 'by a user namespace']
  for (const hasLimits of tools.prlimit === null ? [false] : [true, false]) {
    for (const network of [...networks, 'kept'] as const) {
      const plan = { tools, users, network, hasLimits }
      if (await works(plan)) return makeCage(plan)
    }
  }
  throw new Error('No program can be started in the cage of the decoder')
}

function makeCage(plan: Plan): Cage {
  return {
    facts: {
      hasOwnUser: plan.users !== null,
      hasNoNewPrivileges: plan.tools.setpriv !== null,
      hasNoNetwork: plan.network !== 'kept',
      hasLimits: plan.hasLimits,
    },
    enclose: (program, args) => enclose(plan, program, args),
  }
}

/** Every program but the last replaces itself by the next one: what was started is in the end the decoder. */
function enclose(plan: Plan, program: string, args: readonly string[]): CagedCommand {
  const { tools, users } = plan
  const userId = users === null ? null : takeUser(users)
  const around = [
    plan.hasLimits && [tools.prlimit ?? '', ...limitsFor(users !== null)],
    plan.network === 'by root' && [tools.unshare ?? '', '--net', '--ipc'],
    tools.setpriv !== null && [tools.setpriv, ...privilegesFor(userId)],
    plan.network === 'by a user namespace' && [tools.unshare ?? '', '--user', '--net', '--ipc'],
    // A process that enters a user namespace loses the signal that `setpriv` asked for at its parent's death: it is asked for again inside.
    plan.network === 'by a user namespace' && tools.setpriv !== null && [tools.setpriv, ...noPrivileges],
  ]
  const words = [...around.flatMap((part) => (part === false ? [] : [...part, '--'])), program, ...args]
  let isTaken = userId !== null
  const release = (): void => {
    // Once: by then somebody else may have it.
    if (isTaken && userId !== null) usersInUse.delete(userId)
    isTaken = false
  }
  return {
    file: words[0] ?? '',
    args: words.slice(1),
    userId,
    setsUserItself: tools.setpriv === null,
    release,
  }
}

/** Users of the runs of this process: two runs of one user could signal and trace each other, and would be counted together. */
const usersInUse = new Set<number>()

export function takeUser({ first, count }: UserRange): number {
  const isOf = (userId: number): boolean => userId >= first && userId < first + count
  if ([...usersInUse].filter(isOf).length >= count)
    throw new Error('Every user that a decoder could have is in use')
  for (;;) {
    const userId = first + randomInt(count)
    if (usersInUse.has(userId)) continue
    usersInUse.add(userId)
    return userId
  }
}

const limitsFor = (hasOwnUser: boolean): string[] => [
  `--data=${dataBytesMax}`,
  `--cpu=${cpuSecondsMax}`,
  `--nofile=${openFilesMax}`,
  '--core=0',
  '--fsize=0',
  // Counted by user: those of the service's own would be counted, too.
  ...(hasOwnUser ? [`--nproc=${threadsMax}`] : []),
]

/** And a service that is killed leaves no decoder behind. */
const noPrivileges = ['--no-new-privs', '--pdeathsig=KILL']

const privilegesFor = (userId: number | null): string[] => [
  ...(userId === null
    ? []
    : [`--reuid=${userId}`, `--regid=${userId}`, '--clear-groups', '--inh-caps=-all', '--bounding-set=-all']),
  ...noPrivileges,
]

async function works(plan: Plan): Promise<boolean> {
  // Nothing around it: nothing to try.
  const { setpriv, unshare, prlimit } = plan.tools
  const harmless = setpriv ?? unshare ?? prlimit
  if (harmless === null) return true
  const { file, args, userId, setsUserItself, release } = enclose(plan, harmless, ['--version'])
  const user = setsUserItself && userId !== null ? { uid: userId, gid: userId } : {}
  try {
    await promisify(execFile)(file, args, { env: {}, cwd: '/', timeout: 10_000, ...user })
    return true
  } catch {
    return false
  } finally {
    release()
  }
}

async function findTools(searchPath: string): Promise<Tools> {
  if (process.platform !== 'linux') return { setpriv: null, unshare: null, prlimit: null }
  // Where every distribution has them, though a service manager may give a short path.
  const find = (name: string): Promise<string | null> =>
    findProgram(name, `${searchPath}:/usr/bin:/bin:/usr/sbin:/sbin`)
  return { setpriv: await find('setpriv'), unshare: await find('unshare'), prlimit: await find('prlimit') }
}

/** CAP_SETGID and CAP_SETUID, as the kernel numbers them. */
const changingUsers = (1n << 6n) | (1n << 7n)

function mayChangeUsers(): boolean {
  if (process.platform !== 'linux') return process.getuid?.() === 0
  const mask = /^CapEff:\s*([0-9a-f]{1,16})$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? '0'
  return (BigInt(`0x${mask}`) & changingUsers) === changingUsers
}

function findUsers(): UserRange | null {
  if (process.platform !== 'linux') return unusedUsers[1] ?? null
  const maps = ['uid_map', 'gid_map'].map((name) => readFileSync(`/proc/self/${name}`, 'latin1'))
  return unusedUsers.find((range) => maps.every((map) => isMapped(map, range))) ?? null
}

/** Lines of `first inside, first outside, count`. */
export function isMapped(map: string, { first, count }: UserRange): boolean {
  return map
    .split('\n')
    .map((line) => line.trim().split(/ +/).map(Number))
    .some(([from = 0, , length = 0]) => from <= first && first + count <= from + length)
}
