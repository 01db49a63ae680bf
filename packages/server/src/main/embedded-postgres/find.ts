import { realpath } from 'node:fs/promises'
import { isErrno } from '../../kernel/errno.js'
import { makeConnectionUrls, type ConnectionUrls } from './connection-urls.js'
import { refuseForeignFolder } from './data-folder.js'
import { findLiveServer } from './find-live-server.js'
import { findPasswords } from './passwords.js'
import { EmbeddedPostgresProblem } from './problem.js'
import { findServerHome } from './server-home.js'

/** For a command beside a running service: takes no lock and creates nothing. */
export async function findEmbeddedPostgres(dataDir: string): Promise<ConnectionUrls | null> {
  let folder: string
  try {
    folder = await realpath(dataDir)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw new EmbeddedPostgresProblem(`The data folder ${dataDir} cannot be reached: ${String(error)}`)
  }
  await refuseForeignFolder(folder)
  const [passwords, home] = await Promise.all([findPasswords(folder), findServerHome(folder)])
  const live = passwords && home && (await findLiveServer(home.cluster, passwords))
  return live && makeConnectionUrls(passwords, live.socketDir)
}
