import type { ChunkResult } from './chunk-result.js'

/** In less speech a cough, a name and a laugh weigh too much. */
const speechSecondsMin = 20

/**
 * How sure the recognizer was of all that was spoken, second by second, with nothing for what it gave up. People who read English
 * 0.86 to 0.92, also in a noisy room, a synthesizer under noise 0.70; Russian 0 to 0.07, French to 0.27, Italian to 0.41, Spanish
 * 0.24 to 0.64. What lies between is taken for English: its clinician sees what was heard.
 */
const understoodMin = 0.42

/** Where another language is to be expected: above all Spanish and below all English that was measured. */
const understoodMinOfOther = 0.67

/** Music and noise that pass for speech are a small part of what they are heard in; somebody who speaks fills their recording. */
const speechShareMin = 0.3

/** Of a call of which one side is heard, somebody speaks in a quarter: three minutes of it are no noise. */
const speechSecondsEnough = 180

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
export function isNotUnderstood(
  heard: Heard | null,
  durationSeconds: number,
  { isOtherExpected = false }: { isOtherExpected?: boolean } = {},
): boolean {
  if (heard === null || heard.speechSeconds < speechSecondsMin) return false
  const min = isOtherExpected ? understoodMinOfOther : understoodMin
  const enough = Math.min(speechShareMin * durationSeconds, speechSecondsEnough)
  return heard.speechSeconds >= enough && heard.understood < min
}
