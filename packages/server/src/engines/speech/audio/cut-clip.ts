import { RecordingProblem } from '../recording-problem.js'
import { sampleRate } from '../speech-engine.js'
import type { Decoder } from './decoder/decoder.js'
import { openInput } from './open-input.js'
import { probeRecording, type AudioTrack } from './probe-recording.js'
import { runFfmpeg, type FfmpegInput, type FfmpegRun } from './run-ffmpeg.js'
import { seekAudio } from './seek/seek-audio.js'
import type { SeekableAudio } from './seek/seekable-audio.js'
import { makeWavHeader } from './wav-header.js'

export interface ClipRequest {
  audio: SeekableAudio
  decoder: Decoder
  scratchFolder: string
  fromSeconds: number
  seconds: number
  signal: AbortSignal
}

/**
 * A stretch of a recording as WAV, mono, 16 kHz; null: the recording ends before it. Where the container allows, nothing
 * of what comes before is read. A first ffmpeg copies the packets of that time without decoding the ones before, a second
 * one decodes them. Its own seeking (`-ss` before `-i`) is not to be trusted: through a pipe, near the beginning of a WAV,
 * it gave the sound of another second. Exact to a packet, some 50 ms.
 */
export async function cutClip({ audio: whole, ...given }: ClipRequest): Promise<Buffer | null> {
  const sought = await seekAudio(whole, given.fromSeconds)
  if (sought === null) return null
  const request = { ...given, ...sought }
  const audio = await openInput(request.openAudio, request.scratchFolder, request.signal)
  try {
    const { tracks } = await probeRecording(request.decoder, audio.input, request.signal)
    const copied = await copyAndDecode(request, audio.input, tracks)
    // What does not fit into a Matroska file is decoded from the start.
    const decoded = copied ?? (await decodeFromStart(request, audio.input, tracks))
    // Whole packets were copied: of a WAV, up to an eighth of a second too many.
    const sound = decoded.subarray(0, 2 * Math.ceil(request.seconds * sampleRate))
    if (sound.length === 0) return null
    const format = { rateHz: sampleRate, channelCount: 1, dataBytes: sound.length }
    return Buffer.concat([makeWavHeader(format), sound])
  } finally {
    await audio.close()
  }
}

/** A minute of eight channels of 32 bits and 48 kHz, the packets of which are copied, is 92 MB. Who asked waits for less. */
const limits = { outputBytesMax: 100_000_000, wallMs: 60_000 }

const pcm = `-ac 1 -ar ${sampleRate} -c:a pcm_s16le -f s16le pipe:1`.split(' ')

/** Null: the packets could not be copied. */
async function copyAndDecode(
  { decoder, fromSeconds, seconds, signal }: Omit<ClipRequest, 'audio'>,
  input: FfmpegInput,
  tracks: readonly AudioTrack[],
): Promise<Buffer | null> {
  const maps = tracks.flatMap(({ stream }) => ['-map', `0:${stream}`])
  const span = `-ss ${fromSeconds} -t ${seconds} -c copy -f matroska pipe:1`.split(' ')
  const copy = runFfmpeg(decoder, input, [...maps, ...span], limits)
  const piece = { kind: 'stream', open: () => copy.stdout } as const
  const streams = tracks.map((_track, index) => index)
  const decode = runFfmpeg(decoder, piece, [...mixTracks(streams), ...pcm], limits)
  const sound = await collect(decode, signal, [copy, decode])
  return (await copy.end) === 0 || sound.length > 0 ? sound : null
}

async function decodeFromStart(
  { decoder, fromSeconds, seconds, signal }: Omit<ClipRequest, 'audio'>,
  input: FfmpegInput,
  tracks: readonly AudioTrack[],
): Promise<Buffer> {
  const span = ['-ss', String(fromSeconds), '-t', String(seconds)]
  const streams = tracks.map(({ stream }) => stream)
  const run = runFfmpeg(decoder, input, [...mixTracks(streams), ...span, ...pcm], limits)
  const sound = await collect(run, signal, [run])
  if ((await run.end) !== 0 && sound.length === 0) throw new RecordingProblem('damaged')
  return sound
}

/** Who speaks on a track of their own is heard, too. */
const mixTracks = (streams: readonly number[]): string[] =>
  streams.length === 1
    ? ['-map', `0:${streams[0] ?? 0}`]
    : ['-filter_complex', `${streams.map((stream) => `[0:${stream}]`).join('')}amix=inputs=${streams.length}`]

async function collect(
  { stdout }: FfmpegRun,
  signal: AbortSignal,
  runs: readonly FfmpegRun[],
): Promise<Buffer> {
  const killAll = (): void => runs.forEach((run) => run.kill())
  signal.addEventListener('abort', killAll, { once: true })
  try {
    signal.throwIfAborted()
    const pieces: Buffer[] = []
    for await (const piece of stdout) pieces.push(piece as Buffer)
    signal.throwIfAborted()
    return Buffer.concat(pieces)
  } finally {
    signal.removeEventListener('abort', killAll)
    if (signal.aborted) killAll()
  }
}
