import { Tensor, type InferenceSession } from 'onnxruntime-node'
import { findOwnModel } from '../model-files.js'
import { openOnnxSession } from '../../onnx-session.js'
import type { Span } from '../speech-engine.js'
import { toUnitLength } from './cluster-vectors.js'
import { cepstraCount, framesPerSecond, makeVoiceFeatures } from './voice-features.js'

/** How far the network's layers look to each side of a frame. */
const contextFrames = 7

/** 15 s of frames in one run: the memory of a run grows with its square through the pooling matrix. */
const framesMax = 15 * framesPerSecond

/** The network gives the statistics of every third frame (bin/convert-voice-model.js). */
const frameStride = 3

const vectorSize = 128

export interface VoiceNetwork {
  /** One vector of length 1 for each window; seconds count from the start of the samples. */
  embed(samples: Float32Array, windows: readonly Span[]): Promise<Float32Array[]>
  close(): Promise<void>
}

export async function openVoiceNetwork(): Promise<VoiceNetwork> {
  const session = await openOnnxSession(findOwnModel('voice-x-vector'), { threads: 1, isArena: false })
  return {
    embed: (samples, windows) => embedWindows(session, makeVoiceFeatures(samples), windows),
    close: () => session.release(),
  }
}

interface FrameRange {
  first: number
  last: number
}

async function embedWindows(
  session: InferenceSession,
  features: Float32Array,
  windows: readonly Span[],
): Promise<Float32Array[]> {
  const count = features.length / cepstraCount
  if (count === 0) return windows.map(() => new Float32Array(vectorSize))
  const ranges = windows.map(({ startSeconds, endSeconds }) => {
    const first = Math.min(Math.max(0, Math.round(startSeconds * framesPerSecond)), count - 1)
    return { first, last: Math.max(first, Math.min(count, Math.round(endSeconds * framesPerSecond)) - 1) }
  })
  const vectors: Float32Array[] = []
  for (let at = 0; at < ranges.length;) {
    const first = ranges[at]!.first
    let next = at + 1
    while (next < ranges.length && ranges[next]!.first >= first && ranges[next]!.last < first + framesMax)
      next++
    vectors.push(...(await embedRanges(session, features, ranges.slice(at, next))))
    at = next
  }
  return vectors
}

/** One run over the frames from the first range to the last, each range a row of the pooling matrix. */
async function embedRanges(
  session: InferenceSession,
  features: Float32Array,
  ranges: readonly FrameRange[],
): Promise<Float32Array[]> {
  const count = features.length / cepstraCount
  const first = ranges[0]!.first
  const length = Math.max(...ranges.map(({ last }) => last)) - first + 1
  const pooled = Math.ceil(length / frameStride)
  const frames = (pooled - 1) * frameStride + 1 + 2 * contextFrames
  const input = new Float32Array(frames * cepstraCount)
  for (let f = 0; f < frames; f++) {
    const source = Math.min(count - 1, Math.max(0, first - contextFrames + f)) * cepstraCount
    input.set(features.subarray(source, source + cepstraCount), f * cepstraCount)
  }
  const { vectors } = await session.run({
    features: new Tensor('float32', input, [frames, cepstraCount]),
    pool: new Tensor('float32', layPool(ranges, first, pooled), [ranges.length, pooled]),
  })
  const data = vectors!.data as Float32Array
  return ranges.map((_, i) => toUnitLength(data.slice(i * vectorSize, (i + 1) * vectorSize)))
}

/** A row for each range: an equal share for each of its frames, at least for the one nearest to its start. */
function layPool(ranges: readonly FrameRange[], first: number, pooled: number): Float32Array {
  const pool = new Float32Array(ranges.length * pooled)
  for (const [row, range] of ranges.entries()) {
    const from = Math.min(pooled - 1, Math.ceil((range.first - first) / frameStride))
    const to = Math.max(from, Math.floor((range.last - first) / frameStride))
    pool.fill(1 / (to - from + 1), row * pooled + from, row * pooled + to + 1)
  }
  return pool
}
