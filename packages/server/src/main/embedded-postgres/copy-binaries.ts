import { chmod, constants, copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { linkLibraries } from './link-libraries.js'
import { EmbeddedPostgresProblem } from './problem.js'

const COPY_PREFIX = 'binaries-'
const UNFINISHED_SUFFIX = '.new'

/** Belongs to us, not to the server's user, so that the server cannot change its own program. */
export async function copyBinaries(native: string, homePath: string, version: string): Promise<string> {
  const copy = join(homePath, `${COPY_PREFIX}${version}`)
  if (await stat(copy).catch(() => null)) return copy
  const unfinished = `${copy}${UNFINISHED_SUFFIX}`
  await rm(unfinished, { recursive: true, force: true })
  await copyFolder(native, unfinished)
  if (!(await linkLibraries(unfinished))) throw new EmbeddedPostgresProblem(`${unfinished} cannot be written`)
  await rename(unfinished, copy)
  return copy
}

/** Only while no server runs: an older one would still load libraries from its own copy. */
export async function removeOtherCopies(homePath: string, postgres: string): Promise<void> {
  for (const name of await readdir(homePath)) {
    const path = join(homePath, name)
    if (!name.startsWith(COPY_PREFIX) || postgres.startsWith(`${path}/`)) continue
    await rm(path, { recursive: true, force: true })
  }
}

/** Modes are set, not copied: npm under umask 077 leaves files that nobody else can read. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) {
      if (entry.name !== 'pkgconfig') await copyFolder(source, target)
    } else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target, constants.COPYFILE_FICLONE)
      await chmod(target, (await stat(source)).mode & 0o100 ? 0o755 : 0o644)
    }
  }
}
