import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { EmbeddedLog } from './embedded-log.js'
import { EmbeddedPostgresProblem } from './problem.js'
import { currentUid, isRoot, listSystemUsers, nameUser, type SystemUser } from './system-users.js'

export interface ServerUser extends SystemUser {
  /** PostgreSQL refuses to run as root, so under root it runs as somebody else. */
  isDropped: boolean
}

export interface OwnedCluster {
  path: string
  logPath: string
  ownerUid: number
}

const OWN_USER = 'casenote'
const SHARED_USER = 'nobody'

/** PostgreSQL serves a cluster only as its owner, and root changing owners unasked would surprise. */
export async function chooseServerUser(cluster: OwnedCluster | null, log: EmbeddedLog): Promise<ServerUser> {
  if (!isRoot()) {
    if (cluster && cluster.ownerUid !== currentUid()) throw await describeForeignCluster(cluster)
    return { name: 'the current user', uid: currentUid(), gid: process.getegid?.() ?? -1, isDropped: false }
  }
  const users = await listSystemUsers()
  const candidates = [OWN_USER, SHARED_USER].flatMap((name) => users.filter((user) => user.name === name))
  const chosen = candidates.find((user) => !cluster || user.uid === cluster.ownerUid)
  if (!chosen && cluster) throw await describeForeignCluster(cluster)
  if (!chosen || chosen.uid === 0) {
    throw new EmbeddedPostgresProblem(
      'PostgreSQL does not run as root. Start Casenote as an ordinary user, ' +
        `or create one for the database: useradd --system ${OWN_USER}`,
    )
  }
  if (chosen.name === SHARED_USER) log.warn(describeSharedUser(cluster))
  return { ...chosen, isDropped: true }
}

function describeSharedUser(cluster: OwnedCluster | null): string {
  const move = cluster
    ? ` and, while Casenote is stopped, chown -R ${OWN_USER}: ${cluster.path} ${cluster.logPath}`
    : ''
  return (
    `Started as root, so PostgreSQL runs as ${SHARED_USER}, a user that other programs may share. ` +
    `Better give it one of its own: useradd --system ${OWN_USER}${move}`
  )
}

async function describeForeignCluster(cluster: OwnedCluster): Promise<EmbeddedPostgresProblem> {
  const [owner, self] = await Promise.all([nameUser(cluster.ownerUid), nameUser(currentUid())])
  return new EmbeddedPostgresProblem(
    `The database in ${cluster.path} belongs to ${owner}, but Casenote was started as ${self}`,
  )
}

/** The part of a real path that stops the server's user from walking down it, or null. */
export async function findObstacle(path: string, user: ServerUser): Promise<string | null> {
  if (!user.isDropped) return null
  const parent = dirname(path)
  const above = parent === path ? null : await findObstacle(parent, user)
  if (above !== null) return above
  return maySearch(await stat(path), user) ? null : path
}

/** Read and execute; spawn leaves the dropped user no supplementary groups. */
export function mayExecute(stats: Stats, user: ServerUser): boolean {
  return !user.isDropped || hasBits(stats, user, 0o5)
}

function maySearch(stats: Stats, user: ServerUser): boolean {
  return hasBits(stats, user, 0o1)
}

function hasBits(stats: Stats, user: ServerUser, bits: number): boolean {
  const shift = stats.uid === user.uid ? 6 : stats.gid === user.gid ? 3 : 0
  return ((stats.mode >> shift) & bits) === bits
}

/**
 * The server's environment is visible to every process of its user, and ours holds secrets: it gets none of
 * it. LC_ALL and TZ keep its messages and its clock the same everywhere.
 */
export function spawnOptionsFor(user: ServerUser): {
  uid?: number
  gid?: number
  cwd: string
  env: NodeJS.ProcessEnv
} {
  return {
    ...(user.isDropped && { uid: user.uid, gid: user.gid }),
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
  }
}

export async function runAs(
  user: ServerUser,
  command: string,
  args: string[],
  limitMs: number,
): Promise<string> {
  const options = {
    ...spawnOptionsFor(user),
    timeout: limitMs,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
  } as const
  const { stdout } = await promisify(execFile)(command, args, options)
  return stdout
}
