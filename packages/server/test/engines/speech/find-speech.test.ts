import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSpeech } from '../../../src/engines/speech/silero/find-speech.js'

const frames = (...stretches: [count: number, score: number][]): Float32Array =>
  Float32Array.from(stretches.flatMap(([count, score]) => Array.from({ length: count }, () => score)))

describe('speech in a row of probabilities', () => {
  it('is padded, and ends after a third of a second of silence', () => {
    const scores = frames([20, 0.1], [30, 0.9], [20, 0.1], [30, 0.9], [20, 0.1])
    expect(findSpeech(scores, scores, true).spans).toEqual([
      { start: 16, end: 54 },
      { start: 66, end: 104 },
    ])
  })

  it('goes on over a short pause', () => {
    const scores = frames([20, 0.1], [30, 0.9], [8, 0.1], [30, 0.9], [20, 0.1])
    expect(findSpeech(scores, scores, true).spans).toHaveLength(1)
  })

  it('is not a click', () => {
    const scores = frames([20, 0.1], [3, 0.9], [40, 0.1])
    expect(findSpeech(scores, scores, true).spans).toEqual([])
  })

  it('that the end cuts off is left open', () => {
    const scores = frames([20, 0.1], [30, 0.9], [40, 0.1], [30, 0.9])
    expect(findSpeech(scores, scores, false)).toEqual({ spans: [{ start: 16, end: 54 }], openFrom: 86 })
  })

  it('of half a minute is cut where it is quietest', () => {
    const scores = frames([900, 0.9])
    const levels = scores.map((_, frame) => (frame > 300 && frame < 310 ? 0.001 : 0.5))
    const { spans } = findSpeech(scores, levels, true)
    expect(spans[0]?.end).toBeGreaterThan(300)
    expect(spans[0]?.end).toBeLessThan(310)
  })

  it('is always in order, apart and at most 12 s long', () => {
    const score = fc.constantFrom(0, 0.2, 0.4, 0.6, 1)
    const stretch = fc.tuple(fc.integer({ min: 1, max: 500 }), score)
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 20 }), fc.boolean(), (stretches, isLast) => {
        const scores = frames(...stretches)
        const { spans, openFrom } = findSpeech(scores, scores, isLast)
        let end = 0
        for (const span of spans) {
          expect(span.start).toBeGreaterThanOrEqual(end)
          expect(span.end - span.start).toBeGreaterThan(0)
          expect(span.end - span.start).toBeLessThanOrEqual(375)
          end = span.end
        }
        expect(end).toBeLessThanOrEqual(scores.length)
        if (openFrom !== null) expect(openFrom).toBeGreaterThanOrEqual(end)
      }),
    )
  })
})
