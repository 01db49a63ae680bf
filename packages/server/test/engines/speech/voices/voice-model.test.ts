import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleRate, type Span } from '../../../../src/engines/speech/speech-engine.js'
import {
  cutAtVoiceChanges,
  groupVoices,
  openVoiceModel,
  type VoiceModel,
} from '../../../../src/engines/speech/voices/index.js'
import { makeAudio } from '../../../support/make-audio.mjs'

/** A buzz through resonances: nobody's voice, but never the same for long. */
function hum(seconds: number, pitchHz: number, formantsHz: readonly number[]): Float32Array {
  const samples = new Float32Array(seconds * sampleRate)
  for (let harmonic = 1; harmonic * pitchHz < 3500; harmonic++) {
    const hz = harmonic * pitchHz
    const gain = formantsHz.reduce((sum, formant) => sum + 1 / (1 + ((hz - formant) / 120) ** 2), 0.01)
    for (let i = 0; i < samples.length; i++) {
      const vibrato = 0.6 * Math.sin((2 * Math.PI * 5 * i) / sampleRate)
      samples[i]! += 0.02 * gain * Math.sin((2 * Math.PI * hz * i) / sampleRate + vibrato * harmonic)
    }
  }
  return samples
}

const sampleFile = (ending: string) =>
  new URL(`../../../../samples/medication-management.${ending}`, import.meta.url)
const turns = JSON.parse(readFileSync(sampleFile('json'), 'utf8')) as (Span & { role: string })[]

function decodeSample(): Float32Array {
  const file = fileURLToPath(sampleFile('ogg'))
  const bytes = makeAudio(['-i', file, '-f', 'f32le', '-ar', String(sampleRate), 'pipe:1'])
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)

describe('the voice model', () => {
  let model: VoiceModel
  beforeAll(async () => {
    model = await openVoiceModel()
  })
  afterAll(() => model.close())

  it('lays windows over the speech in the seconds of the recording, each with a vector of length 1', async () => {
    const samples = hum(6, 120, [500, 1500])
    const windows = await model.track(samples, 100, [
      { startSeconds: 100.5, endSeconds: 101 },
      { startSeconds: 102, endSeconds: 105.1 },
    ])
    expect(windows[0]).toMatchObject({ startSeconds: 100.5, endSeconds: 101 })
    expect(windows.at(-1)!.endSeconds).toBeCloseTo(105.1, 6)
    expect(windows).toHaveLength(1 + 8)
    for (const { vector } of windows) {
      expect(vector).toHaveLength(128)
      expect(Math.hypot(...vector)).toBeCloseTo(1, 4)
    }
  })

  it('hears the two voices of the sample, turn by turn', async () => {
    const samples = decodeSample()
    const windows = await model.track(samples, 0, turns)
    const clips = turns.map((turn) => ({
      ...turn,
      channel: 0,
      vectors: windows
        .filter(
          ({ startSeconds, endSeconds }) =>
            startSeconds >= turn.startSeconds && endSeconds <= turn.endSeconds + 1e-6,
        )
        .map(({ vector }) => vector),
    }))
    expect(groupVoices(clips)).toEqual(turns.map(({ role }) => (role === 'clinician' ? 0 : 1)))
  })

  it('gives the same vector whatever the place in the recording', async () => {
    const samples = hum(4, 110, [600, 1100])
    const [first] = await model.track(samples, 0, [{ startSeconds: 0.5, endSeconds: 2 }])
    const [again] = await model.track(samples, 50, [{ startSeconds: 50.5, endSeconds: 52 }])
    expect(cosine(first!.vector, again!.vector)).toBeGreaterThan(0.9999)
  })

  it('leaves the event loop free, and takes more than a message of speech', async () => {
    const samples = hum(70, 150, [500])
    let beats = 0
    const timer = setInterval(() => beats++, 20)
    const windows = await model.track(samples, 0, [{ startSeconds: 0, endSeconds: 69 }])
    clearInterval(timer)
    expect(windows.length).toBeGreaterThan(260)
    expect(beats).toBeGreaterThan(5)
  })

  it('cuts two voices apart on its thread as the function does', async () => {
    const samples = decodeSample().subarray(0, 40 * sampleRate)
    const speech = [{ startSeconds: 0, endSeconds: 40 }]
    const windows = await model.track(samples, 0, speech)
    const cut = await model.cut(speech, windows)
    expect(cut.length).toBeGreaterThan(3)
    expect(cut).toEqual(cutAtVoiceChanges(speech, windows))
  })

  it('has nothing to say about no speech, and speech beyond the samples', async () => {
    expect(await model.track(new Float32Array(16_000), 0, [])).toEqual([])
    const windows = await model.track(new Float32Array(16_000), 0, [{ startSeconds: 0, endSeconds: 3 }])
    expect(windows.every(({ vector }) => vector.every(Number.isFinite))).toBe(true)
  })

  it('refuses what is asked after it was closed', async () => {
    const closed = await openVoiceModel()
    await closed.close()
    await closed.close()
    await expect(
      closed.track(new Float32Array(16_000), 0, [{ startSeconds: 0, endSeconds: 1 }]),
    ).rejects.toThrow('closed')
  })
})
