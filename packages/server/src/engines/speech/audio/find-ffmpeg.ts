import { access, chmod, constants } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, isAbsolute, join } from 'node:path'

export interface Ffmpeg {
  path: string
  origin: 'configured' | 'system' | 'bundled'
}

export interface FfmpegPlaces {
  /** As the operator named it; it must then be there. */
  configuredPath: string | null
  /** Folders as in `PATH`. */
  searchPath: string
}

/** The bundled one is a build of 2018 or 2019, without the repairs made since: whoever starts the service warns of it. */
export async function findFfmpeg(places: FfmpegPlaces): Promise<Ffmpeg> {
  if (places.configuredPath !== null) {
    if (await isExecutable(places.configuredPath))
      return { path: places.configuredPath, origin: 'configured' }
    throw new Error(`There is no program ${places.configuredPath}, which was configured as ffmpeg`)
  }
  for (const folder of places.searchPath.split(delimiter)) {
    // A relative entry would run whatever lies in the current folder.
    if (!isAbsolute(folder)) continue
    const path = join(folder, 'ffmpeg')
    if (await isExecutable(path)) return { path, origin: 'system' }
  }
  return { path: await findBundledFfmpeg(), origin: 'bundled' }
}

async function findBundledFfmpeg(): Promise<string> {
  const require = createRequire(createRequire(import.meta.url).resolve('@ffmpeg-installer/ffmpeg'))
  const path = require.resolve(`@ffmpeg-installer/${process.platform}-${process.arch}/ffmpeg`)
  // The package sets the mode in an install script, which npm may have been told not to run.
  if (!(await isExecutable(path))) await chmod(path, 0o755)
  return path
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
