import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { lengthOfChunk, type ChunkSeconds } from '../plan-chunks.js'
import { RecordingProblem, recordingSecondsMax } from '../recording-problem.js'
import { sampleRate } from '../speech-engine.js'
import { causeOfEnd } from './decoder-cut-short.js'
import type { Decoder } from './decoder/decoder.js'
import type { AudioTrack } from './probe-recording.js'
import { runFfmpeg, type FfmpegInput, type FfmpegRun } from './run-ffmpeg.js'

/** Samples of all channels of all tracks, in the order of the tracks; the last chunk is shorter. */
export interface DecodedChunk {
  /** Good until the next chunk is asked for, which is written over them. */
  channels: readonly Float32Array[]
  isLast: boolean
}

export interface DecodeOptions {
  decoder: Decoder
  input: FfmpegInput
  tracks: readonly AudioTrack[]
  chunkSeconds: ChunkSeconds
  signal: AbortSignal
}

/** How long ffmpeg may give nothing while it is waited for. */
const stallMs = 60_000
/** Recognizing slows decoding down: three hours of sound at a quarter of the speed of speech. */
const wholeMs = 12 * 3_600_000
const bytesPerSample = 2
/** The first of a process take ten times as long as those that follow. */
const framesPerTurn = 20 * sampleRate

const toFrames = (seconds: number): number => Math.round(seconds * sampleRate)

/**
 * One ffmpeg for each track, since tracks that lie one after the other in the file cannot be read through one pipe with
 * bounded memory. What is not read makes ffmpeg wait, and ffmpeg the source.
 */
export async function* decodeRecording(options: DecodeOptions): AsyncGenerator<DecodedChunk> {
  options.signal.throwIfAborted()
  const runs: { track: AudioTrack; run: FfmpegRun }[] = []
  const killAll = () => runs.forEach(({ run }) => run.kill())
  options.signal.addEventListener('abort', killAll, { once: true })
  const watch = watchForStall(killAll)
  try {
    for (const track of options.tracks) {
      // Each start takes some milliseconds: eight in one turn would be felt, and so would the first behind whatever led here.
      await nextTurn()
      options.signal.throwIfAborted()
      runs.push({ track, run: startDecoder(options, track) })
    }
    await nextTurn()
    const readers = runs.map(({ track, run }) => ({ track, ...makeFrameReader(run.stdout) }))
    const split = makeSplitter(options.tracks, toFrames(Math.max(...options.chunkSeconds)))
    for (let index = 0; ; index += 1) {
      const frameCount = toFrames(lengthOfChunk(options.chunkSeconds, index))
      watch.expect()
      const pieces = await Promise.all(
        readers.map(({ track, read }) => read(frameCount * track.channelCount * bytesPerSample)),
      )
      const isLast = (await Promise.all(readers.map(({ isAtEnd }) => isAtEnd()))).every(Boolean)
      watch.rest()
      options.signal.throwIfAborted()
      if (watch.hasStalled()) throw new RecordingProblem('too_slow')
      if (pieces.every((piece) => piece.length === 0)) break
      yield { channels: await split(pieces), isLast }
      if (isLast) break
    }
    for (const { run } of runs) await requireCleanEnd(run)
  } finally {
    watch.rest()
    options.signal.removeEventListener('abort', killAll)
    killAll()
  }
}

function startDecoder(options: DecodeOptions, track: AudioTrack): FfmpegRun {
  return runFfmpeg(
    options.decoder,
    options.input,
    [
      // Silence where a recorder paused or a track starts later, so that times are those of the recording.
      `-map 0:${track.stream} -af aresample=${sampleRate}:async=1:first_pts=0`,
      `-ac ${track.channelCount} -ar ${sampleRate} -c:a pcm_s16le`,
      // One minute more than allowed: enough to see that it is too long. A write for every 20 ms of sound instead of for
      // every full buffer took half of the time that decoding takes.
      `-t ${recordingSecondsMax + 60} -flush_packets 0 -f s16le pipe:1`,
    ].flatMap((words) => words.split(' ')),
    {
      outputBytesMax: (recordingSecondsMax + 61) * sampleRate * bytesPerSample * track.channelCount,
      wallMs: wholeMs,
    },
  )
}

async function requireCleanEnd(run: FfmpegRun): Promise<void> {
  const code = await run.end
  if (code === 0) return
  const words = run.readWords()
  throw new RecordingProblem(
    /not on whitelist|Decoder .{1,100} not found/i.test(words) ? 'unsupported' : 'damaged',
    causeOfEnd(code, words),
  )
}

/** `read` gives as many bytes as asked for, fewer only at the end; they are good until the next call. */
function makeFrameReader(stream: Readable): {
  read: (length: number) => Promise<Buffer>
  isAtEnd: () => Promise<boolean>
} {
  const source = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let left: Buffer = Buffer.alloc(0)
  let target: Buffer = Buffer.alloc(0)
  const isAtEnd = async (): Promise<boolean> => {
    while (left.length === 0) {
      const next = await source.next()
      if (next.done) return true
      left = next.value
    }
    return false
  }
  const read = async (length: number): Promise<Buffer> => {
    // Nobody sees what is not filled; to clear the memory of eight tracks in one turn would be felt.
    if (target.length < length) target = Buffer.allocUnsafeSlow(length)
    let filled = 0
    while (filled < length && !(await isAtEnd())) {
      const count = left.copy(target, filled)
      filled += count
      left = left.subarray(count)
    }
    return target.subarray(0, filled)
  }
  return { read, isAtEnd }
}

/** Every chunk goes into the same memory: fresh one for each piles up faster than the collector takes it back. */
function makeSplitter(tracks: readonly AudioTrack[], frameCount: number) {
  const places = tracks.flatMap(({ channelCount }, track) =>
    Array.from({ length: channelCount }, (_, channel) => ({
      track,
      channel,
      channelCount,
      samples: null as Float32Array | null,
    })),
  )
  return async (pieces: readonly Buffer[]): Promise<Float32Array[]> => {
    const frameCounts = pieces.map((piece, track) =>
      Math.floor(piece.length / bytesPerSample / (tracks[track]?.channelCount ?? 1)),
    )
    // A track that ends before the others goes on in silence.
    const longest = Math.max(...frameCounts)
    const channels: Float32Array[] = []
    for (const place of places) {
      // Some milliseconds for a minute of each: eight in one turn would be felt, and so would their memory.
      await nextTurn()
      const { track, channel, channelCount } = place
      const samples = (place.samples ??= new Float32Array(frameCount))
      const count = frameCounts[track] ?? 0
      const interleaved = toIntegers(pieces[track] ?? Buffer.alloc(0))
      for (let from = 0; from < count; from += framesPerTurn) {
        if (from > 0) await nextTurn()
        const end = Math.min(count, from + framesPerTurn)
        for (
          let frame = from, at = channel + from * channelCount;
          frame < end;
          frame += 1, at += channelCount
        )
          samples[frame] = interleaved[at]! / 32_768
      }
      channels.push(samples.fill(0, count).subarray(0, longest))
    }
    return channels
  }
}

/** Every platform we run on is little-endian, as the bytes are. */
const toIntegers = (piece: Buffer): Int16Array =>
  new Int16Array(piece.buffer, piece.byteOffset, Math.floor(piece.length / bytesPerSample))

function watchForStall(onStall: () => void) {
  let timer: NodeJS.Timeout | undefined
  let stalled = false
  return {
    expect() {
      timer = setTimeout(() => {
        stalled = true
        onStall()
      }, stallMs)
    },
    rest: () => clearTimeout(timer),
    hasStalled: () => stalled,
  }
}
