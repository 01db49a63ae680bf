import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChunkResult, ClipResult } from './chunk-result.js'
import type { PreparedChunk } from './prepare-chunk.js'
import type { AudioClip, SpeechEngine } from './speech-engine.js'

export interface PlannedChunk
  extends PreparedChunk, Pick<ChunkResult, 'index' | 'plannedSeconds' | 'soundHash'> {}

/** Eight channels of the densest talk have thousands in a minute. */
const clipsPerTurn = 500

/** What an engine hears in one chunk; clips without a word are left out. */
export async function hearChunk(
  { clips, ...chunk }: PlannedChunk,
  { engine, signal, owner }: { engine: SpeechEngine; signal: AbortSignal; owner?: string },
  onHeard?: (clip: AudioClip) => void,
): Promise<ChunkResult> {
  const heard = await engine.recognize(clips, signal, onHeard, owner)
  const withWords: ClipResult[] = []
  for (const [position, { samples: _samples, ...clip }] of clips.entries()) {
    if (position % clipsPerTurn === 0) await nextTurn()
    const { text, confidence } = heard[position] ?? { text: '', confidence: 0 }
    if (text !== '') withWords.push({ ...clip, text, confidence })
  }
  const speechSeconds = clips.reduce(
    (sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds,
    0,
  )
  const { index, plannedSeconds, nextStartSeconds, soundHash } = chunk
  const bound = soundHash === undefined ? {} : { soundHash }
  return {
    index,
    plannedSeconds,
    model: engine.model,
    nextStartSeconds,
    clips: withWords,
    speechSeconds,
    ...bound,
  }
}
