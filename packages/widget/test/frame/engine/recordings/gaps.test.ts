import { describe, expect, it } from 'vitest'
import { placeBack } from '../../../../src/frame/engine/recordings/gaps.js'

describe('where the recorder places what was just said', () => {
  const segment = (seconds?: number) => ({
    uploadId: '',
    mimeType: '',
    bytes: 1,
    sentBytes: 0,
    isClosed: true,
    isSent: false,
    ...(seconds === undefined ? {} : { durationMs: seconds * 1_000 }),
  })

  it('so much recorded sound before its end, over segments; behind it what is not stored yet', () => {
    const segments = [segment(100), segment(0), segment(20)]
    expect(placeBack(segments, 5)).toEqual({ segment: 2, seconds: 15 })
    expect(placeBack(segments, 60)).toEqual({ segment: 0, seconds: 60 })
    expect(placeBack(segments, 600)).toEqual({ segment: 0, seconds: 0 })
    expect(placeBack(segments, -1)).toEqual({ segment: 2, seconds: 21 })
  })

  it('nowhere, where an earlier version did not count', () => {
    expect(placeBack([segment(), segment(20)], 30)).toBeUndefined()
    expect(placeBack([], 1)).toBeUndefined()
  })
})
