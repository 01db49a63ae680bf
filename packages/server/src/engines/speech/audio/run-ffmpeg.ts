import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Opens the recording's bytes from the start, any number of times. */
export type OpenAudio = () => Readable

/** Bytes as they come, or a file that has no name any more, for containers that must be read out of order. */
export type FfmpegInput = { kind: 'stream'; open: OpenAudio } | { kind: 'file'; takeDescriptor: () => number }

export interface FfmpegRun {
  stdout: Readable
  /** The first part of what it said on its error output. */
  readWords(): string
  /** Ends with the exit code, null when it was killed. Throws what the source of the bytes threw. */
  end: Promise<number | null>
  kill: () => void
}

/**
 * What may be opened: the containers of the contract, and no playlist or other format that names further files or
 * addresses. Video decoders are not on the list, so a picture is never decoded.
 */
const formats = 'matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,ogg,mp3,aac,wav,flac'
const codecs = [
  'aac,aac_fixed,aac_at,libfdk_aac,alac,flac,opus,libopus,vorbis,libvorbis,speex,libspeex',
  'mp1,mp1float,mp2,mp2float,mp3,mp3float,mp3_at,gsm,gsm_ms,libgsm,libgsm_ms,amrnb,amrwb,adpcm_ms,adpcm_ima_wav',
  'pcm_s8,pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be',
  'pcm_alaw,pcm_mulaw',
].join(',')

/** Opus is read over 100 times as fast as it plays; three hours in an hour of CPU is a file made to be slow. */
const cpuSecondsMax = 3600
/** One allocation. Sound needs a few megabytes; a forged header asks for gigabytes. */
const allocationBytesMax = 64 * 1024 * 1024
/** Enough for the description of a hundred streams; a hostile file writes megabytes of warnings. */
const wordsLengthMax = 65_536
/** Nice value: the API on the same machine goes first. */
const lowPriority = 10

export function runFfmpeg(path: string, input: FfmpegInput, outputArguments: readonly string[]): FfmpegRun {
  const protocol = input.kind === 'stream' ? 'pipe' : 'file'
  const address = input.kind === 'stream' ? 'pipe:0' : 'file:/dev/stdin'
  const safety = ['-hide_banner', '-nostdin', '-nostats', '-timelimit', String(cpuSecondsMax)]
  const bounds = ['-max_alloc', String(allocationBytesMax)]
  const lists = ['-protocol_whitelist', protocol, '-format_whitelist', formats, '-codec_whitelist', codecs]
  const args = [...safety, ...bounds, ...lists, '-i', address, ...outputArguments]
  // An empty environment: nothing of ours is a secret that a subverted decoder could read there.
  const child = spawn(path, args, {
    env: { AV_LOG_FORCE_NOCOLOR: '1' },
    cwd: '/',
    stdio: [input.kind === 'stream' ? 'pipe' : input.takeDescriptor(), 'pipe', 'pipe'],
  })
  lowerPriority(child)
  const words = collectWords(child)
  const fed = input.kind === 'stream' ? feed(child, input.open) : Promise.resolve()
  const end = endOf(child, fed)
  // Whoever stops reading early does not wait for the end.
  end.catch(() => undefined)
  return {
    stdout: child.stdout as Readable,
    readWords: words,
    end,
    kill: () => void child.kill('SIGKILL'),
  }
}

function lowerPriority(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, lowPriority)
  } catch {
    // It has ended already; the priority does not matter any more.
  }
}

function collectWords(child: ChildProcess): () => string {
  let words = ''
  child.stderr?.setEncoding('utf8')
  child.stderr?.on('data', (piece: string) => {
    if (words.length < wordsLengthMax) words += piece.slice(0, wordsLengthMax - words.length)
  })
  return () => words
}

/** A closed pipe is ffmpeg that has read enough; what fails before that is the source, and is thrown. */
async function feed(child: ChildProcess, open: () => Readable): Promise<void> {
  if (!child.stdin) return
  const source = open()
  let hasReadEnough = false
  let hasSourceFailed = false
  source.once('error', () => (hasSourceFailed ||= !hasReadEnough))
  child.stdin.once('error', () => (hasReadEnough ||= !hasSourceFailed))
  child.once('exit', () => {
    hasReadEnough ||= !hasSourceFailed
    source.destroy()
  })
  try {
    await pipeline(source, child.stdin)
  } catch (error) {
    if (!hasReadEnough) throw error
  }
}

async function endOf(child: ChildProcess, fed: Promise<void>): Promise<number | null> {
  const exited = once(child, 'close')
  try {
    await Promise.all([fed, exited])
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return child.exitCode
}
