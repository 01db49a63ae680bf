import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lengthOfChunk, planChunks } from '../../../src/engines/speech/plan-chunks.js'

/** What a decoder gives that cuts so: the lengths of the chunks, the last one shorter. */
function cut(durationSeconds: number): number[] {
  const plan = planChunks(durationSeconds)
  const lengths: number[] = []
  for (let left = durationSeconds; left > 0; left -= lengthOfChunk(plan, lengths.length - 1))
    lengths.push(Math.min(left, lengthOfChunk(plan, lengths.length)))
  return lengths
}

describe('the chunks of a recording', () => {
  it('are never longer than a minute, and none is a stub that one process would hear alone', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 3 * 3600, noNaN: true }), (durationSeconds) => {
        const lengths = cut(durationSeconds)
        for (const length of lengths) expect(length).toBeLessThanOrEqual(60)
        if (lengths.length > 1) expect(lengths.at(-1)).toBeGreaterThanOrEqual(15)
      }),
    )
  })

  it('are as many as a minute each makes, and a short one in front', () => {
    expect(cut(19)).toEqual([19])
    expect(cut(100)).toEqual([20, 40.25, 39.75])
    expect(cut(222)).toHaveLength(5)
    expect(cut(3 * 3600)[0]).toBe(20)
    expect(cut(3 * 3600)).toHaveLength(181)
  })
})
