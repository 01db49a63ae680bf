import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openDecoder, type OpenedDecoder } from '../engines/speech/audio/decoder/open-decoder.js'
import { oldestRelease } from '../engines/speech/audio/decoder/find-native.js'
import type { Config } from '../kernel/config.js'
import type { Log } from '../kernel/log.js'

export interface DecoderParts {
  decoder: OpenedDecoder
  /** For the few recordings that cannot be read through a pipe. */
  scratchFolder: string
}

export async function openConfiguredDecoder(
  config: Pick<Config, 'ffmpegPath' | 'searchPath' | 'dataDir'>,
): Promise<DecoderParts> {
  const scratchFolder = join(config.dataDir, 'scratch')
  await mkdir(scratchFolder, { recursive: true, mode: 0o700 })
  const { ffmpegPath: configuredPath, searchPath } = config
  return { decoder: await openDecoder({ configuredPath, searchPath, scratchFolder }), scratchFolder }
}

/** Says by name what decodes recordings here, and what this system does not let us forbid it. */
export function reportDecoder(log: Log, { native, cage }: OpenedDecoder): void {
  const { major, minor } = oldestRelease
  log.info({ decoder: native?.path ?? 'shipped', version: native?.version ?? undefined, cage }, 'decoder')
  if (native?.isCurrent === false)
    log.warn(`the ffmpeg that was configured is older than ${major}.${minor}, or does not tell its release`)
  if (!cage.hasOwnUser)
    log.info('recordings are decoded as the user of this service, which may not change users')
  if (!cage.hasNoNewPrivileges)
    log.warn('recordings are decoded by a process that could gain privileges: setpriv is not installed')
  if (!cage.hasNoNetwork)
    log.warn('recordings are decoded by a process that has the network: this system allows no name space')
  if (!cage.hasLimits)
    log.warn('recordings are decoded without the limits of the system: prlimit is not installed')
}
