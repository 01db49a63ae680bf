import type { ChunkResult } from './chunk-result.js'
import type { PreparedChunk } from './prepare-chunk.js'
import type { AudioClip, SpeechEngine } from './speech-engine.js'

export interface PlannedChunk
  extends PreparedChunk, Pick<ChunkResult, 'index' | 'plannedSeconds' | 'soundHash'> {}

/** What an engine hears in one chunk; clips without a word are left out. */
export async function hearChunk(
  { clips, ...chunk }: PlannedChunk,
  { engine, signal, owner }: { engine: SpeechEngine; signal: AbortSignal; owner?: string },
  onHeard?: (clip: AudioClip) => void,
): Promise<ChunkResult> {
  const heard = await engine.recognize(clips, signal, onHeard, owner)
  const withWords = clips.flatMap(({ samples: _samples, ...clip }, position) => {
    const { text, confidence } = heard[position] ?? { text: '', confidence: 0 }
    return text === '' ? [] : [{ ...clip, text, confidence }]
  })
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
