import { lengthOfChunk, type ChunkSeconds } from './plan-chunks.js'
import type { Span } from './speech-engine.js'

/** What was heard in one chunk of a recording. Plain data: it is kept until the whole recording is transcribed. */
export interface ChunkResult {
  index: number
  /** The length it was cut to, which the last one does not reach: where the next one begins depends on it. */
  plannedSeconds: number
  /** The model of the engine that heard the chunk; another one's chunks cannot be continued. */
  model: string
  /** Where each channel goes on: the start of the speech that the chunk's end cut off, or a little before its end. */
  nextStartSeconds: readonly number[]
  clips: readonly ClipResult[]
  /** Length of all speech in it, also of what gave no word. Absent: heard by an earlier version. */
  speechSeconds?: number
  /** Hash of the sound that it adds (`hashSound`): where other sound stands in its place, it is heard anew. Absent: heard by an earlier version. */
  soundHash?: string
}

export interface ClipResult extends Span {
  channel: number
  text: string
  confidence: number
  /** Mean level of the samples, in dB of full scale. */
  level: number
  /** Packed voice vectors, see packVector. */
  voices: readonly string[]
}

/** Where recognized chunks are kept, so that a run that was killed goes on where it was. */
export interface Checkpoints {
  load(): Promise<readonly ChunkResult[]>
  save(chunk: ChunkResult): Promise<void>
}

/** One byte a dimension: a checkpointed minute is 36 KB, and the cosine with the original is over 0.9999. */
export function packVector(vector: Float32Array): string {
  // Loops: there are thousands of them in a minute of eight channels, and with a call for each dimension they took five times as long.
  let largest = 1e-9
  for (let at = 0; at < vector.length; at += 1) largest = Math.max(largest, Math.abs(vector[at]!))
  const packed = Buffer.allocUnsafe(vector.length)
  for (let at = 0; at < vector.length; at += 1)
    packed.writeInt8(Math.round((vector[at]! / largest) * 127), at)
  return packed.toString('base64')
}

/** Unpacks a voice vector, which has length 1, as all have. */
export function unpackVector(packed: string): Float32Array {
  const vector = Float32Array.from(new Int8Array(Buffer.from(packed, 'base64')))
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

/** How a run cuts and hears its recording. */
export interface ChunkPlan {
  model: string
  channelCount: number
  chunkSeconds: ChunkSeconds
}

/** The chunks that a run may build on: from the first one without a gap, cut and heard in the same way. */
export function continuableChunks(chunks: readonly ChunkResult[], plan: ChunkPlan): ChunkResult[] {
  const byIndex = new Map(chunks.map((chunk) => [chunk.index, chunk]))
  const usable: ChunkResult[] = []
  for (let chunk = byIndex.get(0); chunk; chunk = byIndex.get(usable.length)) {
    if (chunk.model !== plan.model || chunk.nextStartSeconds.length !== plan.channelCount) break
    if (chunk.plannedSeconds !== lengthOfChunk(plan.chunkSeconds, chunk.index)) break
    usable.push(chunk)
  }
  return usable
}
