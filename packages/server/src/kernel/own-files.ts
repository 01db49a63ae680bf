import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Sources, compiled modules and the bundle lie at different depths. */
function findPackageFolder(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findPackageFolder(dirname(folder))
}

const here = dirname(fileURLToPath(import.meta.url))
const packageFolder = findPackageFolder(here)
const compiledFolder = join(packageFolder, 'dist')
const bundleFolder = join(compiledFolder, 'bundle')

/** A file of this package: `models/reader`. */
export const ownFile = (path: string): string => join(packageFolder, path)

/** A module of `dist` as the compiler wrote it, for what must stand by itself. */
export const compiledModule = (path: string): string => join(compiledFolder, path)

/**
 * A module that a thread or a process begins with, of the bundle if that is what runs. They take no sources: tests, which
 * run those, start them from the compiler's output.
 */
export const startingModule = (path: string): URL =>
  pathToFileURL(join(here.startsWith(bundleFolder) ? bundleFolder : compiledFolder, path))

const readManifest = (): { version: string; commit?: string } =>
  JSON.parse(readFileSync(ownFile('package.json'), 'utf8')) as { version: string; commit?: string }

/** The version of this package, which is that of the service. */
export const readOwnVersion = (): string => readManifest().version

/** The commit of a release that was told it; null for a checkout, which may hold anything. */
export const readOwnCommit = (): string | null => readManifest().commit ?? null
