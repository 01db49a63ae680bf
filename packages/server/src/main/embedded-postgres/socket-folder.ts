import { lstat, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isErrno } from '../../kernel/errno.js'
import { SOCKET_PORT } from './connection-urls.js'
import { EmbeddedPostgresProblem } from './problem.js'
import { findObstacle, type ServerUser } from './run-as.js'
import { createServerFolder, type ServerHome } from './server-home.js'

/** sun_path has 104 bytes on macOS and 108 on Linux, the final zero included. */
const socketPathBytesMax = 103
const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`
const TEMPORARY_PREFIX = 'casenote-socket-'

export async function createSocketFolder(home: ServerHome, user: ServerUser): Promise<string> {
  if (isShortEnough(home.run)) {
    await ensureSocketFolder(home.run, user)
    return home.run
  }
  for (const candidate of new Set([tmpdir(), '/tmp'])) {
    const parent = await realpath(candidate).catch(() => null)
    if (!parent || !isShortEnough(join(parent, `${TEMPORARY_PREFIX}XXXXXX`))) continue
    if ((await findObstacle(parent, user)) !== null) continue
    const path = await mkdtemp(join(parent, TEMPORARY_PREFIX))
    await createServerFolder(path, user)
    return path
  }
  throw new EmbeddedPostgresProblem(
    `No temporary folder is short enough and open to ${user.name} for a socket`,
  )
}

/**
 * Before every launch: the folder keeps its path, so that connection URLs outlive a restart of the server.
 */
export async function ensureSocketFolder(path: string, user: ServerUser): Promise<void> {
  const found = await findStats(path)
  // Somebody else's folder of that name in /tmp could hold a server that asks for our passwords.
  if (found && (!found.isDirectory() || (isTemporary(path) && found.uid !== user.uid))) {
    throw new EmbeddedPostgresProblem(`${path} is not the folder that Casenote made for its socket`)
  }
  await createServerFolder(path, user)
  // No server runs here now; a lock file of a dead one stops PostgreSQL when another process has got its pid.
  await rm(join(path, SOCKET_NAME), { force: true })
  await rm(join(path, `${SOCKET_NAME}.lock`), { force: true })
}

export async function removeTemporarySocketFolder(path: string): Promise<void> {
  if (isTemporary(path)) await rm(path, { recursive: true, force: true })
}

function isTemporary(path: string): boolean {
  return basename(path).startsWith(TEMPORARY_PREFIX)
}

function isShortEnough(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET_NAME)) <= socketPathBytesMax
}

async function findStats(path: string): Promise<Awaited<ReturnType<typeof lstat>> | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
}
