import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'

/** An ffmpeg of the system, or of the operator. */
export interface NativeFfmpeg {
  path: string
  origin: 'configured' | 'system'
  /** As it says; null: it could not be asked. */
  version: string | null
  isCurrent: boolean
}

export interface FfmpegPlaces {
  /** As the operator named it; it must then be there. */
  configuredPath: string | null
  /** Folders as in `PATH`. */
  searchPath: string
}

/**
 * The oldest release that is taken without being asked for: that of Debian 12, for which repairs are still made. Older ones
 * are repaired by nobody, or by a distribution of which we know nothing.
 */
export const oldestRelease = { major: 5, minor: 1 }

/** Null: none was named, and no current one is installed. */
export async function findNativeFfmpeg(places: FfmpegPlaces): Promise<NativeFfmpeg | null> {
  if (places.configuredPath !== null) {
    if (await isExecutable(places.configuredPath)) return await ask(places.configuredPath, 'configured')
    throw new Error(`There is no program ${places.configuredPath}, which was configured as ffmpeg`)
  }
  const path = await findProgram('ffmpeg', places.searchPath)
  const found = path === null ? null : await ask(path, 'system')
  return found?.isCurrent === true ? found : null
}

export async function findProgram(name: string, searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(delimiter)) {
    // A relative entry would run whatever lies in the current folder.
    if (isAbsolute(folder) && (await isExecutable(join(folder, name)))) return join(folder, name)
  }
  return null
}

async function ask(path: string, origin: NativeFfmpeg['origin']): Promise<NativeFfmpeg> {
  const version = await readVersion(path)
  return { path, origin, version, isCurrent: version !== null && isCurrentRelease(version) }
}

/** It answers at once, or is none. */
const versionTimeoutMs = 10_000

async function readVersion(path: string): Promise<string | null> {
  try {
    const options = { env: {}, cwd: '/', timeout: versionTimeoutMs, maxBuffer: 65_536 }
    const { stdout } = await promisify(execFile)(path, ['-version'], options)
    return /^ffmpeg version (\S{1,100})/.exec(stdout)?.[1] ?? null
  } catch {
    return null
  }
}

/** `5.1.9-0+deb12u1`, `n7.0-7-gd38bf5e`; builds between releases (`N-113007-g…`) tell no release and count as none. */
export function isCurrentRelease(version: string): boolean {
  const found = /^n?(\d{1,3})\.(\d{1,3})/.exec(version)
  if (found === null) return false
  const [major, minor] = [Number(found[1]), Number(found[2])]
  return major > oldestRelease.major || (major === oldestRelease.major && minor >= oldestRelease.minor)
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
