import { chown, lstat, mkdtemp, readdir, realpath, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { syncFolder } from '../../kernel/private-file.js'
import { prepareBinaries } from './binaries.js'
import { findClusterMajor, removeFolder, removeWorkshops, WORKSHOP_PREFIX } from './cluster.js'
import { createDataFolder, makePrivateFolder, refuseForeignFolder } from './data-folder.js'
import type { EmbeddedLog } from './embedded-log.js'
import { EmbeddedPostgresProblem } from './problem.js'
import { chooseServerUser } from './run-as.js'
import { createServerFolder, prepareServerHome } from './server-home.js'

interface PlacedBy {
  dataDir: string
  log: EmbeddedLog
  /** Writes the files of a cluster into a folder; `own` gives each, and each folder, to the server's user. */
  fill: (folder: string, own: (path: string) => Promise<void>) => Promise<void>
}

/** A cluster that a backup holds, where there is none. As one that is made here: under its name only when it is whole. */
export async function placeCluster({ dataDir, log, fill }: PlacedBy): Promise<void> {
  const folder = await createDataFolder(dataDir)
  await refuseForeignFolder(folder)
  const user = await chooseServerUser(null, log)
  const home = await prepareServerHome(folder, user, log)
  if ((await findClusterMajor(home.cluster)) !== null)
    throw new EmbeddedPostgresProblem(`There is a database in ${home.cluster} already`)
  await removeWorkshops(home)
  const workshop = await mkdtemp(join(home.path, WORKSHOP_PREFIX))
  try {
    const unfinished = join(workshop, 'cluster')
    await createServerFolder(workshop, user)
    await createServerFolder(unfinished, user)
    await fill(unfinished, async (path) => {
      if (user.isDropped) await chown(path, user.uid, user.gid)
    })
    await rename(unfinished, home.cluster)
    await syncFolder(home.path)
  } finally {
    await removeFolder(workshop)
  }
}

const versionPrefix = 'casenote-version-'

/** It is needed for a second. */
const leftAfterMs = 24 * 3_600_000

/** What killed ones left: whole copies of the server's program, under root. In a folder of everybody's only what is ours. */
async function removeLeftFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!/^casenote-version-[A-Za-z0-9]{6}$/.test(name)) continue
    const found = await lstat(join(parent, name)).catch(() => null)
    const isOurs = found !== null && found.isDirectory() && found.uid === process.geteuid?.()
    if (isOurs && found.mtimeMs < Date.now() - leftAfterMs) await removeFolder(join(parent, name))
  }
}

/** As `show server_version_num` gives it. Only a server of the same major version reads a cluster's files. */
export async function readEmbeddedVersion(log: EmbeddedLog, native?: string): Promise<number> {
  // Binaries that the server's user cannot reach are copied into it, and it must pass.
  await removeLeftFolders(tmpdir())
  const path = await makePrivateFolder(join(tmpdir(), versionPrefix))
  try {
    const user = await chooseServerUser(null, log)
    const home = { path, cluster: '', run: '', log: '', startupLog: '' }
    return (await prepareBinaries(home, user, native)).versionNum
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

/** With the folder elsewhere that it may be a link to. The caller knows that it is nobody's. */
export async function removeCluster(dataDir: string): Promise<void> {
  const entry = join(dataDir, 'postgres')
  const found = await lstat(entry).catch(() => null)
  if (found === null) return
  const path = await realpath(entry).catch(() => null)
  if (path !== null) await removeFolder(path)
  await rm(entry, { recursive: true, force: true })
}
