import { createRequire } from 'node:module'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findOwnModel } from '../../../src/engines/speech/model-files.js'
import { frameLength, openSilero, type SileroModel } from '../../../src/engines/speech/silero/silero-model.js'
import { makeAudio, samplePath } from './speech-fixture.js'

/** Frame by frame, as its publisher runs it. */
async function scoreFrameByFrame(samples: Float32Array): Promise<number[]> {
  const folder = createRequire(import.meta.url)
    .resolve('@ricky0123/vad-web')
    .replace(/dist\/.*$/, 'dist/')
  const session = await InferenceSession.create(`${folder}silero_vad_v5.onnx`)
  const scores: number[] = []
  let state = new Tensor('float32', new Float32Array(256), [2, 1, 128])
  for (let start = 0; start < samples.length; start += frameLength) {
    const input = new Float32Array(64 + frameLength)
    for (let i = 0; i < input.length; i += 1) input[i] = samples[start - 64 + i] ?? 0
    const results = await session.run({
      input: new Tensor('float32', input, [1, input.length]),
      state,
      sr: new Tensor('int64', [16_000n], []),
    })
    scores.push(Number(results['output']!.data[0]))
    state = results['stateN'] as typeof state
  }
  await session.release()
  return scores
}

function decode(name: string): Float32Array {
  const bytes = makeAudio('-i', samplePath(name), '-ar', '16000', '-ac', '1', '-f', 'f32le')
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

describe('the voice activity model', () => {
  let model: SileroModel
  beforeAll(async () => {
    model = await openSilero(findOwnModel('silero-sequence'))
  })
  afterAll(() => model.close())

  it("gives for all frames at once what the publisher's model gives one by one", async () => {
    const samples = decode('reader-0870.ogg').subarray(0, 16_000 * 4 + 77)
    const expected = await scoreFrameByFrame(samples)
    const scores = await model.score(samples)
    expect(scores).toHaveLength(expected.length)
    expect(Math.max(...expected)).toBeGreaterThan(0.9)
    scores.forEach((score, frame) => expect(score).toBeCloseTo(expected[frame]!, 4))
  })

  it('has no frame to judge in no samples, and one in a few', async () => {
    expect(await model.score(new Float32Array(0))).toHaveLength(0)
    expect(await model.score(new Float32Array(3))).toHaveLength(1)
  })
})
