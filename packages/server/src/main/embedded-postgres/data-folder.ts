import { access, chmod, constants, mkdir, mkdtemp, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isErrno } from '../../kernel/errno.js'
import { passwordsPath } from './passwords.js'
import { EmbeddedPostgresProblem } from './problem.js'
import { currentUid, isRoot, nameUser } from './system-users.js'

/**
 * Under root the server runs as another user, who must walk through the data folder: 0711 lets it pass
 * without listing. Every secret in the folder has a mode of its own.
 */
function privateFolderMode(): number {
  return isRoot() ? 0o711 : 0o700
}

/** Returns the folder's real path: the only spelling that the lock, the server and its checks agree on. */
export async function createDataFolder(dataDir: string): Promise<string> {
  const path = resolve(dataDir)
  // postmaster.pid holds paths line by line.
  if (/[\r\n]/.test(path))
    throw new EmbeddedPostgresProblem('The path of the data folder contains a line break')
  try {
    await mkdir(dirname(path), { recursive: true })
    await createPrivateFolder(path)
    const real = await realpath(path)
    if ((await stat(real)).isDirectory()) return real
  } catch (error) {
    throw new EmbeddedPostgresProblem(
      `The data folder ${path} cannot be created or reached: ${String(error)}`,
    )
  }
  throw new EmbeddedPostgresProblem(`The data folder ${path} is not a folder`)
}

/** A new one, with a name that begins so. */
export async function makePrivateFolder(prefix: string): Promise<string> {
  const path = await mkdtemp(prefix)
  await chmod(path, privateFolderMode())
  return path
}

/** Leaves the permissions of a folder that was there before alone. */
export async function createPrivateFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return
    throw error
  }
  await chmod(path, privateFolderMode())
}

/**
 * Whoever wrote the passwords used the folder first. Anyone else would leave files there that the first
 * cannot read, root included.
 */
export async function refuseForeignFolder(folder: string): Promise<void> {
  try {
    const passwords = await stat(passwordsPath(folder))
    if (passwords.uid !== currentUid()) throw await describeForeignFolder(folder, passwords.uid)
  } catch (error) {
    if (isErrno(error, 'EACCES')) throw await describeForeignFolder(folder, (await stat(folder)).uid)
    if (!isErrno(error, 'ENOENT')) throw error
  }
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { uid } = await stat(folder)
    if (uid !== currentUid()) throw await describeForeignFolder(folder, uid)
    throw new EmbeddedPostgresProblem(`The data folder ${folder} cannot be written: ${String(error)}`)
  }
}

async function describeForeignFolder(folder: string, ownerUid: number): Promise<EmbeddedPostgresProblem> {
  const [owner, self] = await Promise.all([nameUser(ownerUid), nameUser(currentUid())])
  return new EmbeddedPostgresProblem(
    `The data folder ${folder} belongs to ${owner}, but Casenote was started as ${self}. ` +
      `Start it as ${owner}, or set CASENOTE_DATA_DIR to a folder of ${self}`,
  )
}
