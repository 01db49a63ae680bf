import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg } from '../engines/speech/audio/find-ffmpeg.js'
import type { Config } from '../kernel/config.js'

export interface Decoder {
  ffmpegPath: string
  isBundled: boolean
  /** For the few recordings that cannot be read through a pipe. */
  scratchFolder: string
}

export async function openDecoder(
  config: Pick<Config, 'ffmpegPath' | 'searchPath' | 'dataDir'>,
): Promise<Decoder> {
  const ffmpeg = await findFfmpeg({ configuredPath: config.ffmpegPath, searchPath: config.searchPath })
  const scratchFolder = join(config.dataDir, 'scratch')
  await mkdir(scratchFolder, { recursive: true, mode: 0o700 })
  return { ffmpegPath: ffmpeg.path, isBundled: ffmpeg.origin === 'bundled', scratchFolder }
}
