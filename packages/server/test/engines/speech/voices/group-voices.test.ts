import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cutAtVoiceChanges,
  groupVoices,
  type VoicedClip,
} from '../../../../src/engines/speech/voices/index.js'

/** Windows of one voice have a cosine of about 0.5, of two voices about 0.2: as the network's are. */
function makeSpeakers(count: number, seed: number): (speaker: number) => Float32Array {
  let state = seed
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2_147_483_648 - 1
  }
  const direction = () => toUnit(Float32Array.from({ length: 128 }, random))
  const shared = direction()
  const own = Array.from({ length: count }, direction)
  return (speaker) => {
    const noise = direction()
    return toUnit(noise.map((value, i) => value + 0.65 * shared[i]! + 0.8 * own[speaker]![i]!))
  }
}

function toUnit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

function makeClips(voiceOf: (clip: number) => number, count: number, speakers: number): VoicedClip[] {
  const speak = makeSpeakers(speakers, 7)
  return Array.from({ length: count }, (_, i) => ({
    startSeconds: i * 4,
    endSeconds: i * 4 + 3,
    channel: 0,
    vectors: Array.from({ length: 7 }, () => speak(voiceOf(i))),
  }))
}

describe('groupVoices', () => {
  it.each([1, 2, 3, 4])('finds %i voices and gives each clip its own', (speakers) => {
    const clips = makeClips((i) => i % speakers, 40, speakers)
    expect(groupVoices(clips)).toEqual(clips.map((_, i) => i % speakers))
  })

  it('hears the second voice when it says a tenth', () => {
    const isSecond = (i: number) => (i % 10 === 9 ? 1 : 0)
    expect(groupVoices(makeClips(isSecond, 100, 2))).toEqual(
      Array.from({ length: 100 }, (_, i) => isSecond(i)),
    )
  })

  it('keeps the channels apart, and goes on with the last voice where a clip has no vector', () => {
    const clips = makeClips(() => 0, 6, 1).map((clip, i) => ({ ...clip, channel: i % 2 }))
    clips[4] = { ...clips[4]!, vectors: [] }
    expect(groupVoices(clips)).toEqual([0, 1, 0, 1, 0, 1])
    expect(groupVoices([])).toEqual([])
  })

  it('groups three hours of short turns', () => {
    const clips = makeClips((i) => i % 2, 3600, 2)
    expect(new Set(groupVoices(clips)).size).toBe(2)
  })
})

describe('cutAtVoiceChanges', () => {
  const speak = makeSpeakers(2, 11)
  /** Windows as the model lays them; one over a change is a mix of both voices. */
  const track = (endSeconds: number, voiceAt: (seconds: number) => number) =>
    Array.from({ length: Math.ceil((endSeconds - 1.5) / 0.25) + 1 }, (_, i) => {
      const startSeconds = Math.min(i * 0.25, endSeconds - 1.5)
      const parts = [0.25, 0.75, 1.25].map((at) => speak(voiceAt(startSeconds + at)))
      const mixed = toUnit(parts[0]!.map((value, at) => value + parts[1]![at]! + parts[2]![at]!))
      return { startSeconds, endSeconds: startSeconds + 1.5, vector: mixed }
    })

  it('cuts where the voice changes, to a third of a second', () => {
    const changes = [6, 9, 16]
    const windows = track(24, (seconds) => changes.filter((change) => seconds >= change).length % 2)
    const pieces = cutAtVoiceChanges([{ startSeconds: 0, endSeconds: 24 }], windows)
    expect(pieces).toHaveLength(4)
    for (const [i, change] of changes.entries())
      expect(Math.abs(pieces[i]!.endSeconds - change)).toBeLessThan(0.34)
  })

  it('leaves one voice whole', () => {
    const speech = [{ startSeconds: 0, endSeconds: 24 }]
    expect(
      cutAtVoiceChanges(
        speech,
        track(24, () => 0),
      ),
    ).toEqual(speech)
  })

  it('returns pieces that cover exactly what was given', () => {
    const voices = fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 12, maxLength: 12 })
    fc.assert(
      fc.property(voices, (turns) => {
        const windows = track(24, (seconds) => turns[Math.min(11, Math.floor(seconds / 2))]!)
        const pieces = cutAtVoiceChanges(
          [
            { startSeconds: 0, endSeconds: 10.3 },
            { startSeconds: 11, endSeconds: 24 },
          ],
          windows,
        )
        const edges = pieces.flatMap(({ startSeconds, endSeconds }) => [startSeconds, endSeconds])
        expect(edges).toEqual(edges.toSorted((a, b) => a - b))
        const total = pieces.reduce((sum, piece) => sum + piece.endSeconds - piece.startSeconds, 0)
        expect(total).toBeCloseTo(23.3, 6)
      }),
      { numRuns: 40 },
    )
  })
})
