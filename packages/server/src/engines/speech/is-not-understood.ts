import type { ChunkResult } from './chunk-result.js'

/** In less speech a cough, a name and a laugh weigh too much. */
const speechSecondsMin = 20

/**
 * How sure the recognizer was of all that was spoken, second by second, with nothing for what it gave up. Put through it:
 * English of four accents 0.77 to 0.85, under noise 0.70 and more; eight other languages 0 to 0.15.
 */
const understoodMin = 0.35

/** Music and noise that pass for speech are a small part of what they are heard in; somebody who speaks fills their recording. */
const speechShareMin = 0.3

interface Heard {
  understood: number
  speechSeconds: number
}

/** Null: some of it was heard before this was measured. */
export function measureUnderstood(chunks: readonly ChunkResult[]): Heard | null {
  let speechSeconds = 0
  let understood = 0
  for (const chunk of chunks) {
    if (chunk.speechSeconds === undefined) return null
    speechSeconds += chunk.speechSeconds
    for (const { startSeconds, endSeconds, confidence } of chunk.clips)
      understood += (endSeconds - startSeconds) * confidence
  }
  return { understood: speechSeconds === 0 ? 0 : understood / speechSeconds, speechSeconds }
}

/** Whether words that were made of it would be misheard ones: another language, or hardly to be heard (decision 0033). */
export function isNotUnderstood(heard: Heard | null, durationSeconds: number): boolean {
  if (heard === null || heard.speechSeconds < speechSecondsMin) return false
  return heard.speechSeconds >= speechShareMin * durationSeconds && heard.understood < understoodMin
}
