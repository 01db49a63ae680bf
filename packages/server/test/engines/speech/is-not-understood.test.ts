import { describe, expect, it } from 'vitest'
import type { ChunkResult } from '../../../src/engines/speech/chunk-result.js'
import { isNotUnderstood, measureUnderstood } from '../../../src/engines/speech/is-not-understood.js'

/** A minute of speech in clips of ten seconds, each with how sure the recognizer was; null: it gave no word. */
const chunkOf = (...confidences: (number | null)[]): ChunkResult => ({
  index: 0,
  plannedSeconds: 60,
  model: 'test',
  nextStartSeconds: [60],
  speechSeconds: confidences.length * 10,
  clips: confidences.flatMap((confidence, at) =>
    confidence === null
      ? []
      : [
          {
            startSeconds: at * 10,
            endSeconds: at * 10 + 10,
            channel: 0,
            text: 'words',
            confidence,
            level: -30,
            voices: [],
          },
        ],
  ),
})

const judge = (...confidences: (number | null)[]): boolean =>
  isNotUnderstood(measureUnderstood([chunkOf(...confidences)]), 60)

describe('talk that nobody here understands', () => {
  it('is known by how little of the speech gave words that the recognizer is sure of', () => {
    // As Spanish, German, Portuguese and French came out of the English recognizer.
    expect(judge(null, 0.58, null, null, null)).toBe(true)
    expect(judge(null, null, 0.46, null, null)).toBe(true)
    expect(judge(0.48, null, null, null)).toBe(true)
    expect(judge(null, null, null, null, null)).toBe(true)
  })

  it('is no English with an accent, under noise, or with a few lost clips', () => {
    expect(judge(0.78, 0.74, 0.75, 0.75, 0.87)).toBe(false)
    expect(judge(0.77, 0.63, 0.68, 0.66, 0.77)).toBe(false)
    expect(judge(0.7, null, 0.66, 0.7, null, 0.63)).toBe(false)
  })

  it('is expected of somebody whose record names another language', () => {
    const heard = measureUnderstood([chunkOf(0.64, 0.58, 0.66, 0.62)])
    expect(isNotUnderstood(heard, 60)).toBe(false)
    expect(isNotUnderstood(heard, 60, { isOtherExpected: true })).toBe(true)
    const english = measureUnderstood([chunkOf(0.7, 0.71, 0.69, 0.72)])
    expect(isNotUnderstood(english, 60, { isOtherExpected: true })).toBe(false)
  })

  it('is known in a long call of which one side is heard', () => {
    // Twelve minutes of French in fifty.
    const heard = { understood: 0.2, speechSeconds: 750 }
    expect(isNotUnderstood(heard, 3_000)).toBe(true)
    expect(isNotUnderstood({ ...heard, speechSeconds: 170 }, 3_000)).toBe(false)
  })

  it('is not judged by a few seconds, by noise in a long silence, or by what an earlier version heard', () => {
    expect(judge(null)).toBe(false)
    expect(isNotUnderstood(measureUnderstood([chunkOf(null, null, null)]), 600)).toBe(false)
    const { speechSeconds: _unknown, ...earlier } = chunkOf(null, null, null)
    expect(isNotUnderstood(measureUnderstood([earlier]), 60)).toBe(false)
  })
})
