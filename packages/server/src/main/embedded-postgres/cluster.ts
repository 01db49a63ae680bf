import { chown, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../../kernel/errno.js'
import type { Binaries } from './binaries.js'
import { syncFolder } from '../../kernel/private-file.js'
import type { EmbeddedLog } from './embedded-log.js'
import { EmbeddedPostgresProblem } from './problem.js'
import { runAs, type ServerUser } from './run-as.js'
import { createServerFolder, type ServerHome } from './server-home.js'

/** 0.9 s on two idle cores; a hundred times that covers a slow disk under load. */
const initdbLimitMs = 90_000
export const WORKSHOP_PREFIX = 'initdb-'

interface ClusterParts {
  home: ServerHome
  user: ServerUser
  binaries: Binaries
  superuserPassword: string
  log: EmbeddedLog
}

/**
 * The cluster appears under its name only when it is whole, so a kill in the middle leaves nothing half made.
 */
export async function ensureCluster(parts: ClusterParts): Promise<void> {
  const { home, binaries, log } = parts
  await removeWorkshops(home)
  const major = await findClusterMajor(home.cluster)
  if (major === null) {
    log.info(`Creating the database in ${home.cluster}`)
    await createCluster(parts)
    return
  }
  const ours = Math.floor(binaries.versionNum / 10_000)
  if (major === ours) return
  throw new EmbeddedPostgresProblem(
    `The database in ${home.cluster} was written by PostgreSQL ${major}, ` +
      `and this Casenote brings PostgreSQL ${ours}. ` +
      'Start it with the Casenote version that wrote it, or move the data with pg_dump of that version',
  )
}

async function createCluster({ home, user, binaries, superuserPassword }: ClusterParts): Promise<void> {
  const workshop = await mkdtemp(join(home.path, WORKSHOP_PREFIX))
  try {
    await createServerFolder(workshop, user)
    const unfinished = join(workshop, 'cluster')
    await createServerFolder(unfinished, user)
    const passwordFile = join(workshop, 'password')
    await writeFile(passwordFile, superuserPassword, { mode: 0o600 })
    if (user.isDropped) await chown(passwordFile, user.uid, user.gid)
    await runInitdb(binaries, user, unfinished, passwordFile)
    await rename(unfinished, home.cluster)
    await syncFolder(home.path)
  } finally {
    await removeFolder(workshop)
  }
}

/** The server's own rules for letters, the same on every system. Those that a matrix run puts in its place have the system's until 17. */
const localeOf = ({ versionNum }: Pick<Binaries, 'versionNum'>): string[] =>
  versionNum >= 170_000
    ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['--locale=C.UTF-8']

async function runInitdb(
  binaries: Binaries,
  user: ServerUser,
  pgdata: string,
  passwordFile: string,
): Promise<void> {
  const args = [
    `--pgdata=${pgdata}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...localeOf(binaries),
    '--data-checksums',
    '--no-instructions',
  ]
  try {
    await runAs(user, binaries.initdb, args, initdbLimitMs)
  } catch (error) {
    const printed = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    if (printed.includes('could not look up effective user ID')) {
      throw new EmbeddedPostgresProblem(
        `The embedded PostgreSQL needs a user that this system knows by name, and user ${user.uid} has none: ` +
          'add one to /etc/passwd, or set DATABASE_URL to a PostgreSQL of your own',
      )
    }
    throw new EmbeddedPostgresProblem(`The database could not be created: ${printed || String(error)}`)
  }
}

export async function findClusterMajor(cluster: string): Promise<number | null> {
  try {
    return Number((await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim())
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
}

export async function removeWorkshops(home: ServerHome): Promise<void> {
  for (const name of await readdir(home.path)) {
    if (name.startsWith(WORKSHOP_PREFIX)) await removeFolder(join(home.path, name))
  }
}

/** An initdb whose Node was killed may still be writing there; it gives up once its files are gone. */
export function removeFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
