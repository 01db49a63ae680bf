import { describe, expect, it } from 'vitest'
import { isImagined } from '../../../src/engines/speech/is-imagined.js'

const heard = (transcript: string, { at = 120.94, seconds = 0.8, of = 300, confidence = 0.71 } = {}) => ({
  items: [{ startTime: at, endTime: at + seconds, speaker: 'speaker_1', transcript }],
  durationSeconds: of,
  confidence,
})

describe('a few words in a long recording', () => {
  it('that are doubtful are imagined: what five minutes of music gave, and what 90 seconds gave', () => {
    expect(isImagined(heard('Thank you.'))).toBe(true)
    expect(isImagined(heard('Thank you.', { at: 0.86, seconds: 0.93, of: 90, confidence: 0.78 }))).toBe(true)
  })

  it.each([
    ['were heard for sure', heard('Thank you.', { confidence: 0.91 })],
    ['are most of a short recording', heard('Hello.', { at: 0.1, seconds: 0.6, of: 1, confidence: 0.67 })],
    ['are more than a phrase', heard('I want to stop now.', { seconds: 1.5 })],
  ])('that %s were said', (_why, transcription) => {
    expect(isImagined(transcription)).toBe(false)
  })
})
