import { randomBytes } from 'node:crypto'
import { chmod, chown, lstat, mkdir, realpath, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../../kernel/errno.js'
import { createPrivateFolder } from './data-folder.js'
import type { EmbeddedLog } from './embedded-log.js'
import { EmbeddedPostgresProblem } from './problem.js'
import { findObstacle, type OwnedCluster, type ServerUser } from './run-as.js'

/**
 * Where the server's files live: `postgres` in the data folder, or the folder it links to. Real paths
 * throughout.
 */
export interface ServerHome {
  path: string
  cluster: string
  run: string
  log: string
  startupLog: string
}

const OUTSIDE = '/var/lib/casenote'

export async function findServerHome(folder: string): Promise<ServerHome | null> {
  const entry = join(folder, 'postgres')
  try {
    await lstat(entry)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
  try {
    const path = await realpath(entry)
    return {
      path,
      cluster: join(path, 'cluster'),
      run: join(path, 'run'),
      log: join(path, 'log'),
      startupLog: join(path, 'startup.log'),
    }
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    // A fresh database here would look like every note had been deleted.
    throw new EmbeddedPostgresProblem(`${entry} links to the folder of the database, and that folder is gone`)
  }
}

export async function findOwnedCluster(home: ServerHome | null): Promise<OwnedCluster | null> {
  if (!home) return null
  try {
    return { path: home.cluster, logPath: home.log, ownerUid: (await stat(home.cluster)).uid }
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
}

export async function prepareServerHome(
  folder: string,
  user: ServerUser,
  log: EmbeddedLog,
): Promise<ServerHome> {
  const home = (await findServerHome(folder)) ?? (await createServerHome(folder, user, log))
  const obstacle = await findObstacle(home.path, user)
  if (obstacle !== null) {
    throw new EmbeddedPostgresProblem(
      `PostgreSQL runs as ${user.name}, who cannot reach ${home.path}: ` +
        `${obstacle} does not let others pass (chmod o+x ${obstacle} would)`,
    )
  }
  await createServerFolder(home.log, user)
  return home
}

/** Readable by the server's user alone. */
export async function createServerFolder(path: string, user: ServerUser): Promise<void> {
  await mkdir(path, { recursive: true })
  if (user.isDropped) await chown(path, user.uid, user.gid)
  await chmod(path, 0o700)
}

async function createServerHome(folder: string, user: ServerUser, log: EmbeddedLog): Promise<ServerHome> {
  const entry = join(folder, 'postgres')
  const obstacle = await findObstacle(folder, user)
  if (obstacle === null) {
    await createPrivateFolder(entry)
  } else {
    const outside = join(OUTSIDE, randomBytes(8).toString('hex'))
    await createOutsideFolder(outside)
    // After its target exists, so that a link without one always means that data is missing.
    await symlink(outside, entry)
    log.info(`${user.name} cannot pass ${obstacle}: the database files are in ${outside}`)
  }
  const home = await findServerHome(folder)
  if (!home) throw new EmbeddedPostgresProblem(`${entry} vanished while it was being created`)
  return home
}

async function createOutsideFolder(path: string): Promise<void> {
  try {
    const firstMade = await mkdir(path, { recursive: true })
    if (firstMade === OUTSIDE) await chmod(OUTSIDE, 0o755)
    await chmod(path, 0o711)
  } catch (error) {
    throw new EmbeddedPostgresProblem(`${path} cannot be created for the database files: ${String(error)}`)
  }
}
