import { Tensor } from 'onnxruntime-node'
import { openOnnxSession } from '../onnx-session.js'
import { sampleRate } from '../speech-engine.js'

/** Samples that one probability is about: 32 ms. */
export const frameLength = 512
/** What the model wants to see again of the frame before. */
const contextLength = 64

export interface SileroModel {
  /** The probability of speech in each frame, from a fresh state. */
  score(samples: Float32Array): Promise<Float32Array>
  close(): Promise<void>
}

export async function openSilero(file: string): Promise<SileroModel> {
  // The model is too small for a second thread to pay.
  const session = await openOnnxSession(file, 1)
  const rate = new Tensor('int64', [BigInt(sampleRate)], [])
  return {
    async score(samples) {
      const scores = new Float32Array(Math.ceil(samples.length / frameLength))
      let state = new Tensor('float32', new Float32Array(2 * 128), [2, 1, 128])
      for (let frame = 0; frame < scores.length; frame += 1) {
        const input = new Tensor('float32', readFrame(samples, frame), [1, contextLength + frameLength])
        const results = await session.run({ input, state, sr: rate })
        scores[frame] = Number((results['output'] as Tensor).data[0])
        state = results['stateN'] as typeof state
      }
      return scores
    },
    close: () => session.release(),
  }
}

function readFrame(samples: Float32Array, frame: number): Float32Array {
  const input = new Float32Array(contextLength + frameLength)
  const start = frame * frameLength - contextLength
  const first = Math.max(0, start)
  input.set(samples.subarray(first, start + input.length), first - start)
  return input
}
