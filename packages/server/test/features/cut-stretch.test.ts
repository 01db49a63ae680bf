import type { TranscriptItem } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import { Silence, silenceStretches } from '../../src/engines/speech/audio/silence-stretches.js'
import { sampleRate } from '../../src/engines/speech/speech-engine.js'
import { cutStretch, makeLineOf } from '../../src/features/strikes/cut-stretch.js'

const line = (startTime: number, endTime: number): TranscriptItem => ({
  startTime,
  endTime,
  speaker: 'client',
  transcript: `${startTime}`,
})
const items = [line(0, 4), line(5, 9), line(9.2, 15), line(20, 30)]

describe('a stretch of a transcript', () => {
  it('takes every line of which anything lies in it, as a whole', () => {
    expect(cutStretch(items, { start: 8.9, end: 9.3 })).toMatchObject({ struck: [1, 2], kept: [0, 3] })
  })

  it('takes no line that only touches it', () => {
    expect(cutStretch(items, { start: 4, end: 5 })).toMatchObject({ struck: [], kept: [0, 1, 2, 3] })
  })

  it('takes half a second of sound around, and nothing of a line that stays', () => {
    expect(cutStretch(items, { start: 6, end: 7 })).toMatchObject({ start: 4.5, end: 9.2 })
    expect(cutStretch(items, { start: 22, end: 23 })).toMatchObject({ start: 19.5, end: 30.5 })
    expect(cutStretch(items, { start: 0, end: 1 })).toMatchObject({ start: 0, end: 4.5 })
  })

  it('takes a line without a length where it begins', () => {
    const pointed = [line(3, 3), line(8, 8)]
    expect(cutStretch(pointed, { start: 3, end: 4 }).struck).toEqual([0])
    expect(cutStretch(pointed, { start: 4, end: 9 }).struck).toEqual([1])
  })

  it('takes what was said across it and stays whole beside it', () => {
    // Two voices at once: the one that lies outside stays, though the other reached into it.
    const crossed = [line(0, 10), line(9, 12), line(11, 20)]
    expect(cutStretch(crossed, { start: 9.5, end: 9.8 })).toMatchObject({ struck: [0, 1], kept: [2] })
  })

  it('leaves the others in their order, with new numbers', () => {
    const lineOf = makeLineOf(cutStretch(items, { start: 6, end: 7 }))
    expect([0, 2, 3].map(lineOf)).toEqual([0, 1, 2])
    expect(() => lineOf(1)).toThrow('no place')
  })
})

describe('silence in the place of a stretch', () => {
  const sound = (): Float32Array => new Float32Array(10 * sampleRate).fill(0.5)
  const stretches = [
    { start: 1.00001, end: 2.5 },
    { start: 9.5, end: 400 },
  ]

  it('is the same in pieces of any length', () => {
    const whole = sound()
    silenceStretches([whole], 0, stretches)
    for (const length of [777, sampleRate, 3 * sampleRate]) {
      const pieces = sound()
      for (let from = 0; from < pieces.length; from += length)
        silenceStretches([pieces.subarray(from, from + length)], from, stretches)
      expect(Buffer.from(pieces.buffer).equals(Buffer.from(whole.buffer))).toBe(true)
    }
  })

  it('leaves all other sound as it is, in every channel', () => {
    const channels = [sound(), sound()]
    silenceStretches(channels, 0, stretches)
    for (const samples of channels) {
      expect(samples[sampleRate - 1]).toBe(0.5)
      expect(samples[sampleRate]).toBe(0)
      expect(samples[2.5 * sampleRate]).toBe(0.5)
      expect(samples[9.5 * sampleRate]).toBe(0)
      expect(samples.at(-1)).toBe(0)
    }
  })
})

describe('a stretch that is told by segments', () => {
  /** Segments of 4 s, with these numbers; which seconds of the whole are silent. */
  function findSilent(silence: Silence, segments: readonly number[]): number[] {
    const silent: number[] = []
    for (const [index, segment] of segments.entries()) {
      silence.enter(segment)
      for (let second = 0; second < 4; second += 1) {
        const samples = new Float32Array(sampleRate).fill(0.5)
        silence.apply([samples])
        if (samples.every((sample) => sample === 0)) silent.push(index * 4 + second)
      }
    }
    return silent
  }
  const about = { start: 100, end: 101 }

  it('lies where its segment’s sound is, whatever the recorder’s clock said', () => {
    const within = { ...about, from: { segment: 1, seconds: 1 }, to: { segment: 1, seconds: 3 } }
    const silence = new Silence([within])
    expect(findSilent(silence, [0, 1, 2])).toEqual([5, 6])
    expect(silence.listPlaced().map(({ placed }) => placed)).toEqual([{ start: 5, end: 7 }])
    const across = { ...about, from: { segment: 0, seconds: 3 }, to: { segment: 2, seconds: 1 } }
    expect(findSilent(new Silence([across]), [0, 1, 2])).toEqual([3, 4, 5, 6, 7, 8])
  })

  it('goes no further than its segment, and over one without sound to the next', () => {
    const long = { ...about, from: { segment: 0, seconds: 3 }, to: { segment: 0, seconds: 60 } }
    expect(findSilent(new Silence([long]), [0, 1])).toEqual([3])
    const lost = { ...about, from: { segment: 1, seconds: 2 }, to: { segment: 2, seconds: 1 } }
    expect(findSilent(new Silence([lost]), [0, 2])).toEqual([4])
    const open = { ...about, from: { segment: 0, seconds: 3 }, to: { segment: 1, seconds: 1 } }
    expect(findSilent(new Silence([open]), [0, 2])).toEqual([3])
    const gone = { ...about, from: { segment: 5, seconds: 0 }, to: { segment: 5, seconds: 9 } }
    expect(findSilent(new Silence([gone]), [0, 1])).toEqual([])
  })

  it('a frame of before told it by its clock', () => {
    expect(findSilent(new Silence([{ start: 2, end: 5 }]), [0, 1])).toEqual([2, 3, 4])
  })
})
