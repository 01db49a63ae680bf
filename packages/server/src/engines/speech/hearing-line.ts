import type { Checkpoints, ChunkResult } from './chunk-result.js'
import { hearChunk, type PlannedChunk } from './hear-chunk.js'
import type { AudioClip, SpeechEngine } from './speech-engine.js'

export interface ChunkInLine extends PlannedChunk {
  /** What it adds to the recording. */
  seconds: number
}

export interface HearingLine {
  /** Waits for its place. */
  add(chunk: ChunkInLine): Promise<void>
  /** What was heard, in the order of the recording. Throws what went wrong in any chunk. */
  finish(): Promise<ChunkResult[]>
  /** Waits until nothing is heard or kept any more, however it ended. */
  settle(): Promise<void>
}

/**
 * Chunks on their way through the engine, two at a time: while the last clips of one are heard, the other processes go on
 * with the next one. They are kept in their order, so a kill costs a chunk and what was heard of the next beside its end.
 */
export function makeHearingLine(
  {
    engine,
    checkpoints,
    signal,
    owner,
  }: { engine: SpeechEngine; checkpoints: Checkpoints; signal: AbortSignal; owner?: string },
  tellHeard: (seconds: number) => void,
): HearingLine {
  const results: ChunkResult[] = []
  let older: Promise<void> = Promise.resolve()
  let newer: Promise<void> = older
  const hear = async (chunk: ChunkInLine): Promise<ChunkResult> => {
    const { seconds, clips } = chunk
    const sampleCount = clips.reduce((sum, clip) => sum + clip.samples.length, 0)
    if (sampleCount === 0) tellHeard(seconds)
    const onHeard = (clip: AudioClip): void => tellHeard((seconds * clip.samples.length) / sampleCount)
    return hearChunk(chunk, { engine, signal, ...(owner === undefined ? {} : { owner }) }, onHeard)
  }
  const keep = async (before: Promise<void>, hearing: Promise<ChunkResult>): Promise<void> => {
    const [result] = await Promise.all([hearing, before])
    await checkpoints.save(result)
    results.push(result)
  }
  return {
    async add(chunk) {
      await older
      older = newer
      newer = keep(older, hear(chunk))
      // It is awaited later; until then its failure must not pass for one that nobody handles.
      newer.catch(() => undefined)
    },
    async finish() {
      await newer
      return results
    },
    async settle() {
      await Promise.allSettled([older, newer])
    },
  }
}
