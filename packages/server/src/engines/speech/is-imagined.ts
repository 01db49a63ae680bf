import type { Transcription } from './transcribe-recording.js'

/** "Thank you.", "You.", "Okay, bye.": what recognizers make of a chord or a cough. */
const wordsMost = 3
/** Of a score of pieces of music and noise one gave such words: a second of its 300, and again in a cut of 90. */
const shareMost = 0.02
/** They were heard with 0.71 and 0.78; short words that were really said, with 0.67 to 0.92. */
const sureConfidence = 0.85

/** Whether a few doubtful words in a long recording are all that was heard: nobody spoke, and no note may rest on them. */
export function isImagined({ items, durationSeconds, confidence }: Transcription): boolean {
  let wordCount = 0
  for (const { transcript } of items) {
    wordCount += (transcript.match(/\S+/g) ?? []).length
    // Nearly always at once, however long the talk.
    if (wordCount > wordsMost) return false
  }
  const heardSeconds = items.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0)
  return confidence < sureConfidence && heardSeconds < shareMost * durationSeconds
}
