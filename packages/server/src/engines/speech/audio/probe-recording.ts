import { RecordingProblem } from '../recording-problem.js'
import { causeOfEnd } from './decoder-cut-short.js'
import type { Decoder } from './decoder/decoder.js'
import { runFfmpeg, type FfmpegInput } from './run-ffmpeg.js'

export interface AudioTrack {
  /** Among all streams of the file. */
  stream: number
  /** How many are kept apart; a surround mix counts as one. */
  channelCount: number
}

export interface ProbedRecording {
  tracks: readonly AudioTrack[]
  /** One track of one channel, and no other sound in the file. */
  isOneChannel: boolean
  /** As the header says, which a recorder that was still writing did not know. */
  declaredSeconds: number | null
}

/** More are no recording of a session, and each costs a decoder and a place in memory. */
const channelsMax = 8
/** A probe reads 5 MB; a source that gives less in a minute is stuck. */
const probeTimeoutMs = 60_000

export async function probeRecording(
  decoder: Decoder,
  input: FfmpegInput,
  signal: AbortSignal,
): Promise<ProbedRecording> {
  const run = runFfmpeg(decoder, input, [], { outputBytesMax: 0, wallMs: 2 * probeTimeoutMs })
  const timeout = AbortSignal.timeout(probeTimeoutMs)
  const either = AbortSignal.any([signal, timeout])
  either.addEventListener('abort', run.kill, { once: true })
  run.stdout.resume()
  let code: number | null
  try {
    code = await run.end
  } finally {
    either.removeEventListener('abort', run.kill)
  }
  signal.throwIfAborted()
  if (timeout.aborted) throw new RecordingProblem('too_slow')
  return readProbe(run.readWords(), code)
}

export const isDescribed = (words: string): boolean => /^Input #0, /m.test(words)

/**
 * Without an output ffmpeg describes its input and stops; with one, that is described below it. ffprobe would be a second
 * program to trust. `code`: how it ended, where that was waited for.
 */
export function readProbe(words: string, code: number | null = 1): ProbedRecording {
  const outputAt = words.search(/^Output #0, /m)
  const streams = [...words.slice(0, outputAt < 0 ? undefined : outputAt).matchAll(streamLine)]
  if (!isDescribed(words))
    throw new RecordingProblem(
      /moov atom not found/.test(words) ? 'truncated' : 'unreadable',
      causeOfEnd(code, words),
    )
  const sounds = streams.filter((line) => line[2] === 'Audio')
  if (sounds.length === 0) throw new RecordingProblem('no_audio', causeOfEnd(code, words))
  const tracks = sounds
    .filter((line) => /, [1-9]\d* Hz, /.test(line[3] ?? ''))
    .map((line) => ({ stream: Number(line[1]), channelCount: countChannels(line[3] ?? '') }))
  if (tracks.length === 0) throw new RecordingProblem('unsupported', causeOfEnd(code, words))
  const isOneChannel = sounds.length === 1 && tracks[0]?.channelCount === 1
  return { tracks: keepWithinBounds(tracks), isOneChannel, declaredSeconds: readDuration(words) }
}

// `  Stream #0:1[0x2](eng): Audio: aac (LC) (mp4a / 0x6134706D), 44100 Hz, stereo, fltp, 69 kb/s (default)`
const streamLine = /^ {2,4}Stream #0:(\d+)(?:\[0x[0-9a-f]+\])?(?:\(\w+\))?: (\w+): (.*)$/gm

function countChannels(description: string): number {
  const layout = / Hz, ([^,]+)/.exec(description)?.[1] ?? ''
  if (layout.startsWith('stereo')) return 2
  if (layout.startsWith('quad')) return 4
  const discrete = /^(\d+) channels/.exec(layout)?.[1]
  const count = discrete === undefined ? 1 : Number(discrete)
  return count <= channelsMax ? Math.max(1, count) : 1
}

function keepWithinBounds(tracks: readonly AudioTrack[]): AudioTrack[] {
  const kept: AudioTrack[] = []
  let channels = 0
  for (const track of tracks) {
    channels += track.channelCount
    if (channels <= channelsMax) kept.push(track)
  }
  return kept
}

function readDuration(words: string): number | null {
  const found = /^ {2}Duration: (\d+):(\d\d):(\d\d\.\d+)/m.exec(words)
  return found ? Number(found[1]) * 3600 + Number(found[2]) * 60 + Number(found[3]) : null
}
