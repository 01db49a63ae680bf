import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { pipeline as connect, Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { EngineFault } from '../../engine-fault.js'
import { RecordingProblem } from '../recording-problem.js'
import type { Decoder } from './decoder/decoder.js'
import { cpuSecondsMax } from './decoder/decoder-limits.js'

/** Opens the recording's bytes from the start, any number of times. */
export type OpenAudio = () => Readable

/** Bytes as they come, or a file that has no name any more, for containers that must be read out of order. */
export type FfmpegInput = { kind: 'stream'; open: OpenAudio } | { kind: 'file'; takeDescriptor: () => number }

/** What a run may take besides processor time and memory, which the cage bounds. */
export interface RunLimits {
  outputBytesMax: number
  /** From its start to its end, waiting for us included. */
  wallMs: number
}

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

/** One allocation. Sound needs a few megabytes; a forged header asks for gigabytes. */
const allocationBytesMax = 64 * 1024 * 1024
/** Enough for the description of a hundred streams; a hostile file writes megabytes of warnings. */
const wordsLengthMax = 65_536
/** Nice value: the API on the same machine goes first. */
const lowPriority = 10

export function runFfmpeg(
  decoder: Decoder,
  input: FfmpegInput,
  outputArguments: readonly string[],
  limits: RunLimits,
): FfmpegRun {
  const { protocol, address } = decoder.nameInput(input.kind)
  const safety = ['-hide_banner', '-nostdin', '-nostats', '-timelimit', String(cpuSecondsMax)]
  // One thread: more would not fit into the cage of a machine with many cores, and decode no faster.
  const bounds = ['-max_alloc', String(allocationBytesMax), '-filter_threads', '1', '-threads', '1']
  const lists = ['-protocol_whitelist', protocol, '-format_whitelist', formats, '-codec_whitelist', codecs]
  const args = [...safety, ...bounds, ...lists, '-i', address, ...outputArguments]
  const child = decoder.start(args, input.kind === 'stream' ? 'pipe' : { descriptor: input.takeDescriptor() })
  const kill = makeKill(child)
  const deadline = setTimeout(kill, limits.wallMs)
  child.once('close', () => clearTimeout(deadline))
  lowerPriority(child)
  const words = collectWords(child)
  const fed = input.kind === 'stream' ? feed(child, input.open) : Promise.resolve()
  const end = endOf(child, fed, kill, decoder)
  // Whoever stops reading early does not wait for the end.
  end.catch(() => undefined)
  return { stdout: countOutput(child, limits.outputBytesMax, kill), readWords: words, end, kill }
}

/** Its group, so that nothing that it may have started outlives it. */
function makeKill(child: ChildProcess): () => void {
  const { pid } = child
  const kill = (): void => {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    } catch {
      // There is nobody left in it.
    }
  }
  child.once('exit', kill)
  return () => {
    if (child.exitCode === null && child.signalCode === null) kill()
  }
}

/** What a decoder pours out without end is not sound. */
function countOutput(child: ChildProcess, bytesMax: number, kill: () => void): Readable {
  let bytes = 0
  const counter = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length
      if (bytes <= bytesMax) return done(null, piece)
      kill()
      done(new RecordingProblem('damaged'))
    },
  })
  // An end that comes early is told by `end`.
  connect(child.stdout as Readable, counter, () => undefined)
  return counter
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

async function endOf(
  child: ChildProcess,
  fed: Promise<void>,
  kill: () => void,
  { alteredExitCode }: Decoder,
): Promise<number | null> {
  const exited = once(child, 'close')
  try {
    await Promise.all([fed, exited])
  } catch (error) {
    kill()
    throw error
  }
  if (alteredExitCode !== null && child.exitCode === alteredExitCode)
    throw new EngineFault(
      'refused',
      'The decoder of the packages is not the file whose hash was recorded: install them anew',
    )
  return child.exitCode
}
