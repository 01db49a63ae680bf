import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cosine,
  findNearest,
  meanDirection,
  refineCentres,
  splitByGroup,
  toUnitLength,
  type VoiceVector,
} from '../../../../src/engines/speech/voices/cluster-vectors.js'

/** Every member compared with every centre in every round. */
function refinePlainly(members: readonly VoiceVector[], start: readonly Float32Array[]): Float32Array[] {
  let centres = [...start]
  let groups: number[] = []
  for (let round = 0; round < 12; round++) {
    const next = members.map(({ vector }) => findNearest(vector, centres))
    if (next.every((group, i) => group === groups[i])) break
    groups = next
    centres = splitByGroup(members, groups).map((group) => meanDirection(group))
  }
  return centres
}

const vector = fc
  .array(fc.integer({ min: -100, max: 100 }), { minLength: 8, maxLength: 8 })
  .filter((values) => values.some((value) => value !== 0))
  .map((values) => toUnitLength(Float32Array.from(values)))
const members = fc
  .array(fc.record({ vector, weight: fc.integer({ min: 1, max: 4 }) }), { minLength: 6, maxLength: 80 })
  .map((list) => list.map((member, i) => ({ ...member, startSeconds: i })))

describe('refineCentres', () => {
  it('ends where comparing everything in every round ends', () => {
    fc.assert(
      fc.property(members, fc.integer({ min: 1, max: 6 }), (list, count) => {
        const start = list.slice(0, count).map((member) => member.vector)
        expect(refineCentres(list, start)).toEqual(refinePlainly(list, start))
      }),
      { numRuns: 300 },
    )
  })
})

describe('cosine', () => {
  it('is the product of two vectors of length 1', () => {
    fc.assert(
      fc.property(vector, vector, (one, other) => {
        const expected = one.reduce((sum, value, i) => sum + value * other[i]!, 0)
        expect(cosine(one, other)).toBeCloseTo(expected, 12)
      }),
    )
  })
})
