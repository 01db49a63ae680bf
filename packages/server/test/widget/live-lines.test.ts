import { describe, expect, it } from 'vitest'
import { describeLive } from '../../src/features/widget/recordings/describe-live.js'

const live = {
  arrivedBytes: 0,
  fedBytes: null,
  heardMs: null,
  isGivenUp: false,
  isBeingHeard: false,
  draft: [],
}

describe('how far the lines of a recording are', () => {
  it.each([
    ['ended', null],
    ['unavailable', { ...live, isGivenUp: true }],
    // The first seconds.
    ['live', { ...live, arrivedBytes: 40_000 }],
    // Half a minute, and nobody hears it.
    ['waiting', { ...live, arrivedBytes: 120_000 }],
    ['waiting', { ...live, arrivedBytes: 120_000, fedBytes: 0, heardMs: 0 }],
    // Somebody hears it, and has no line yet: half a minute, and more than one.
    ['live', { ...live, arrivedBytes: 120_000, isBeingHeard: true }],
    ['behind', { ...live, arrivedBytes: 280_000, isBeingHeard: true }],
    // 4,000 bytes a second: 50 s are left, and 70.
    ['live', { ...live, arrivedBytes: 600_000, fedBytes: 400_000, heardMs: 100_000 }],
    ['behind', { ...live, arrivedBytes: 680_000, fedBytes: 400_000, heardMs: 100_000 }],
    // Another recorder's rate.
    ['live', { ...live, arrivedBytes: 680_000, fedBytes: 400_000, heardMs: 50_000 }],
  ] as const)('%s', (state, found) => expect(describeLive(found)).toBe(state))
})
