import type { Span } from './speech-engine.js'

/** What was heard in one chunk of a recording. Plain data: it is kept until the whole recording is transcribed. */
export interface ChunkResult {
  index: number
  /** Of the engine that heard it; another one's chunks cannot be continued. */
  model: string
  /** Where each channel goes on: the start of the speech that the chunk's end cut off, or a little before its end. */
  nextStartSeconds: readonly number[]
  clips: readonly ClipResult[]
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

/** One byte a dimension: 3 hours of windows are 4 MB instead of 15, and the cosine with the original is over 0.999. */
export function packVector(vector: Float32Array): string {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9)
  return Buffer.from(Int8Array.from(vector, (value) => Math.round((value / largest) * 127)).buffer).toString(
    'base64',
  )
}

/** Of length 1, as all voice vectors are. */
export function unpackVector(packed: string): Float32Array {
  const vector = Float32Array.from(new Int8Array(Buffer.from(packed, 'base64')))
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

/** The chunks that a run may build on: from the first one without a gap, heard by the same engine on the same channels. */
export function continuableChunks(
  chunks: readonly ChunkResult[],
  model: string,
  channelCount: number,
): ChunkResult[] {
  const byIndex = new Map(chunks.map((chunk) => [chunk.index, chunk]))
  const usable: ChunkResult[] = []
  for (let chunk = byIndex.get(0); chunk; chunk = byIndex.get(usable.length)) {
    if (chunk.model !== model || chunk.nextStartSeconds.length !== channelCount) break
    usable.push(chunk)
  }
  return usable
}
