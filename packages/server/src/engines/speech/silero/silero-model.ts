import { Tensor } from 'onnxruntime-node'
import { openOnnxSession, type Weights } from '../../onnx-session.js'

/** Samples that one probability is about: 32 ms. */
export const frameLength = 512
/** What the model wants to see again of the frame before. */
const contextLength = 64
/** Mirrored at the end, as the publisher's model does by itself. */
const mirrorLength = 64
const inputLength = contextLength + frameLength + mirrorLength
/** The model sees a frame through windows, each half over the one before. */
const windowLength = 256
const windowCount = 4

export interface SileroModel {
  /** The probability of speech in each frame, from a fresh state. */
  score(samples: Float32Array): Promise<Float32Array>
  close(): Promise<void>
}

/**
 * Opens the model that takes all frames in one run (models/README.md). A minute takes 0.10 s of a core and 19 MB; with its
 * convolutions left as such it took 0.23 s in the same run.
 */
export async function openSilero(weights: Weights): Promise<SileroModel> {
  // The model is too small for a second thread to pay.
  const session = await openOnnxSession(weights, { threads: 1, isArena: false })
  return {
    async score(samples) {
      const count = Math.ceil(samples.length / frameLength)
      if (count === 0) return new Float32Array(0)
      const windows = new Tensor('float32', layWindows(samples, count), [count, windowCount, windowLength])
      const { scores } = await session.run({ windows })
      return Float32Array.from(scores!.data as Float32Array)
    },
    close: () => session.release(),
  }
}

function layWindows(samples: Float32Array, count: number): Float32Array {
  const windows = new Float32Array(count * windowCount * windowLength)
  const input = new Float32Array(inputLength)
  for (let frame = 0; frame < count; frame += 1) {
    fillInput(input, samples, frame)
    for (let window = 0; window < windowCount; window += 1) {
      const start = (window * windowLength) / 2
      const target = (frame * windowCount + window) * windowLength
      windows.set(input.subarray(start, start + windowLength), target)
    }
  }
  return windows
}

function fillInput(input: Float32Array, samples: Float32Array, frame: number): void {
  const start = frame * frameLength - contextLength
  const first = Math.max(0, start)
  input.fill(0)
  input.set(samples.subarray(first, start + contextLength + frameLength), first - start)
  const last = contextLength + frameLength - 1
  for (let step = 1; step <= mirrorLength; step += 1) input[last + step] = input[last - step]!
}
