import type { Transcription } from './transcribe-recording.js'

/** Shorter ones are a test, a message or the end of a session that broke off: one voice there means nothing. */
const recordingSecondsMin = 180
/** Seconds that the lines take together. A second voice is told apart once it has spoken for 2.5 s; in a minute of talk somebody would have answered. */
const speechSecondsMin = 60

/** Whether a whole talk was heard of one voice alone: most often the other one is in the clinician's headphones. */
export function isOneVoice({
  items,
  durationSeconds,
}: Pick<Transcription, 'items' | 'durationSeconds'>): boolean {
  if (durationSeconds < recordingSecondsMin) return false
  if (new Set(items.map(({ speaker }) => speaker)).size !== 1) return false
  return items.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0) >= speechSecondsMin
}
