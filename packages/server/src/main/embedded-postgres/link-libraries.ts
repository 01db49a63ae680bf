import { readFile, stat, symlink } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { isErrno } from '../../kernel/errno.js'

interface LibraryLink {
  source: string
  target: string
}

/**
 * npm packages cannot hold symlinks, so the package lists them for an install script, which npm may not have
 * been allowed to run. False when they are missing and cannot be made.
 */
export async function linkLibraries(native: string): Promise<boolean> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as LibraryLink[]
  for (const { source, target } of links) {
    const path = join(native, relative('native', target))
    if (await exists(path)) continue
    try {
      await symlink(basename(source), path)
    } catch (error) {
      if (isErrno(error, 'EACCES', 'EPERM', 'EROFS')) return false
      // Another process of ours was quicker.
      if (!isErrno(error, 'EEXIST')) throw error
    }
  }
  return true
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false
    throw error
  }
}
