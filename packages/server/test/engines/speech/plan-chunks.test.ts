import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  lengthOfChunk,
  lengthOfSettled,
  planChunks,
  settlesAfterSeconds,
} from '../../../src/engines/speech/plan-chunks.js'

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
        if (lengths.length > 1) expect(lengths.at(-1)).toBeGreaterThanOrEqual(9)
      }),
    )
  })

  it('are as many as a minute each makes, and a short one in front', () => {
    expect(cut(19)).toEqual([19])
    expect(cut(100)).toEqual([20, 50, 30])
    expect(cut(222)).toHaveLength(5)
    expect(cut(79)).toEqual([20, 59])
    expect(cut(3 * 3600)[0]).toBe(20)
    expect(cut(3 * 3600)).toHaveLength(217)
  })

  it('are known before the recording has ended: what is settled stays, however long it becomes', () => {
    const seconds = fc.double({ min: 0.1, max: 3 * 3600, noNaN: true })
    fc.assert(
      fc.property(seconds, seconds, (soFar, more) => {
        const plan = planChunks(soFar + more)
        let startSeconds = 0
        for (let index = 0; soFar - startSeconds >= settlesAfterSeconds(index); index += 1) {
          expect(lengthOfChunk(plan, index)).toBe(lengthOfSettled(index))
          startSeconds += lengthOfSettled(index)
        }
      }),
    )
  })
})
