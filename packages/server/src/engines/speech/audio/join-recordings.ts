import { RecordingProblem, recordingSecondsMax } from '../recording-problem.js'
import { sampleRate } from '../speech-engine.js'
import { decodeRecording, type DecodedChunk } from './decode-recording.js'
import { isCutShort } from './decoder-cut-short.js'
import type { Decoder } from './decoder/decoder.js'
import { openInput, type AudioInput } from './open-input.js'
import type { OpenAudio } from './run-ffmpeg.js'
import { probeRecording, type AudioTrack } from './probe-recording.js'
import type { Silence } from './silence-stretches.js'
import { makeWavHeader } from './wav-header.js'

export interface RecordedSegment {
  openAudio: OpenAudio
  sizeBytes: number
  /** Its number, where it is one of several that a recorder wrote. */
  segment?: number
}

export interface JoinOptions {
  decoder: Decoder
  scratchFolder: string
  /** Off the record: silence stands in their place, so that times stay what they are. */
  silence?: Silence
  /**
   * What it is made of is deleted afterwards: sound that ends early is refused, be it damaged or shorter than this, and than each header says.
   * Zero: nobody knows. Left out: a segment that breaks off ends where its sound ends.
   */
  secondsLeast?: number
  /** What it is made of is deleted afterwards, and was read in vain before: a segment without sound is left out where others have some. */
  leavesOutSoundless?: boolean
  signal: AbortSignal
}

/** Less came out of a recording than it holds: the same bytes may give all of it another time. */
export class SoundMissing extends Error {
  constructor(options: { cause?: unknown } = {}) {
    super('a recording ended before its end', options)
    this.name = 'SoundMissing'
  }
}

/** Headers and decoders count the last frames differently. */
const missingSecondsMax = 2

/** Some four seconds of speech: a recorder that died before its first second was written leaves less. */
const negligibleBytes = 16_384

/** What is in memory at once, in seconds of sound. */
const chunkSeconds = [10] as const

/**
 * Segments that were recorded one after the other, each a file with a header of its own, as one WAV of 16 kHz: they are
 * joined as sound, because their bytes do not fit behind each other. Two channels stay apart if every segment has them.
 */
export async function* joinRecordings(
  segments: readonly RecordedSegment[],
  options: JoinOptions,
): AsyncGenerator<Buffer> {
  const sounding: SoundingSegment[] = []
  for (const segment of segments) {
    const found = await findTracks(segment, options)
    if (found !== null) sounding.push({ segment, ...found })
  }
  if (sounding.length === 0) throw new RecordingProblem('empty')
  const channelCount = sounding.every(({ tracks }) => countChannels(tracks) === 2) ? 2 : 1
  yield makeWavHeader({ rateHz: sampleRate, channelCount, dataBytes: null })
  let frames = 0
  for (const one of sounding) {
    if (one.segment.segment !== undefined) options.silence?.enter(one.segment.segment)
    for await (const { channels } of decodeToItsEnd(one, options)) {
      options.silence?.apply(channels)
      frames += channels[0]?.length ?? 0
      if (frames > recordingSecondsMax * sampleRate) throw new RecordingProblem('too_long')
      yield interleave(channels, channelCount)
    }
  }
  if (frames === 0 && options.leavesOutSoundless === true) throw new RecordingProblem('empty')
  requireAll(frames, options.secondsLeast)
}

function requireAll(frames: number, secondsLeast = 0): void {
  const missing = Math.min(secondsLeast, recordingSecondsMax) - frames / sampleRate
  if (missing > Math.max(missingSecondsMax, secondsLeast * 0.01)) throw new SoundMissing()
}

interface SoundingSegment {
  segment: RecordedSegment
  tracks: readonly AudioTrack[]
  /** Null: its header does not say. */
  declaredSeconds: number | null
}

/** These bytes hold no sound, whoever looks. */
const isSoundless = (error: unknown): boolean =>
  error instanceof RecordingProblem && !['too_slow', 'damaged'].includes(error.code) && !isCutShort(error)

const countChannels = (tracks: readonly AudioTrack[]): number =>
  tracks.reduce((sum, { channelCount }) => sum + channelCount, 0)

/**
 * Null: nothing was recorded in it, and nothing is lost. Closed again: some are spilled as they are opened, and all of two hundred at
 * once would fill the disk.
 */
async function findTracks(
  { openAudio, sizeBytes }: RecordedSegment,
  { decoder, scratchFolder, leavesOutSoundless, signal }: JoinOptions,
): Promise<Omit<SoundingSegment, 'segment'> | null> {
  let audio: AudioInput | null = null
  try {
    audio = await openInput(openAudio, scratchFolder, signal)
    const { tracks, declaredSeconds } = await probeRecording(decoder, audio.input, signal)
    return { tracks, declaredSeconds: declaredSeconds ?? audio.declaredSeconds }
  } catch (error) {
    if (isSoundless(error) && (leavesOutSoundless === true || sizeBytes < negligibleBytes)) return null
    throw error
  } finally {
    await audio?.close()
  }
}

/** A segment that a crash cut off ends where its sound ends: what was recorded before is worth keeping. */
async function* decodeToItsEnd(
  { segment, tracks, declaredSeconds }: SoundingSegment,
  { decoder, scratchFolder, secondsLeast, leavesOutSoundless = false, signal }: JoinOptions,
): AsyncGenerator<DecodedChunk> {
  const mustBeWhole = secondsLeast !== undefined
  let frames = 0
  const audio = await openInput(segment.openAudio, scratchFolder, signal)
  try {
    for await (const chunk of decodeRecording({
      decoder,
      input: audio.input,
      tracks,
      chunkSeconds,
      signal,
    })) {
      frames += chunk.channels[0]?.length ?? 0
      yield chunk
    }
    if (mustBeWhole) requireAll(frames, declaredSeconds ?? 0)
  } catch (error) {
    if (leavesOutSoundless && isSoundless(error)) return
    if (!(error instanceof RecordingProblem && error.code === 'damaged')) throw error
    if (mustBeWhole || (leavesOutSoundless && isCutShort(error))) throw new SoundMissing({ cause: error })
    if (frames === 0 && !leavesOutSoundless) throw error
  } finally {
    await audio.close()
  }
}

/** 16 bits; more channels than are kept are mixed. */
function interleave(channels: readonly Float32Array[], channelCount: 1 | 2): Buffer {
  const [first = new Float32Array(0), second = first] = channels
  const frameCount = first.length
  const samples = new Int16Array(frameCount * channelCount)
  for (let frame = 0; frame < frameCount; frame += 1) {
    if (channelCount === 2) {
      samples[frame * 2] = toInt16(first[frame] ?? 0)
      samples[frame * 2 + 1] = toInt16(second[frame] ?? 0)
    } else {
      let sum = 0
      for (const channel of channels) sum += channel[frame] ?? 0
      samples[frame] = toInt16(sum / channels.length)
    }
  }
  // Every platform we run on is little-endian, as WAV is.
  return Buffer.from(samples.buffer)
}

const toInt16 = (sample: number): number => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)))
