import { Tensor } from 'onnxruntime-node'
import { openOnnxSession } from '../onnx-session.js'

/** Samples that one probability is about: 32 ms. */
export const frameLength = 512
/** What the model wants to see again of the frame before. */
const contextLength = 64
/** Mirrored at the end, as the publisher's model does by itself. */
const mirrorLength = 64
const inputLength = contextLength + frameLength + mirrorLength

export interface SileroModel {
  /** The probability of speech in each frame, from a fresh state. */
  score(samples: Float32Array): Promise<Float32Array>
  close(): Promise<void>
}

/**
 * Opens the model that takes all frames in one run (models/README.md). A minute takes 0.13 s of a core; frame by frame, as
 * the publisher's file runs, it was 0.70 s, most of it spent on 1,875 calls. The memory of a run is 30 MB a minute.
 */
export async function openSilero(file: string): Promise<SileroModel> {
  // The model is too small for a second thread to pay.
  const session = await openOnnxSession(file, { threads: 1, isArena: false })
  return {
    async score(samples) {
      const count = Math.ceil(samples.length / frameLength)
      if (count === 0) return new Float32Array(0)
      const frames = new Tensor('float32', layFrames(samples, count), [count, 1, inputLength])
      const { scores } = await session.run({ frames })
      return Float32Array.from(scores!.data as Float32Array)
    },
    close: () => session.release(),
  }
}

function layFrames(samples: Float32Array, count: number): Float32Array {
  const frames = new Float32Array(count * inputLength)
  for (let frame = 0; frame < count; frame += 1) {
    const start = frame * frameLength - contextLength
    const first = Math.max(0, start)
    const own = frames.subarray(frame * inputLength, (frame + 1) * inputLength)
    own.set(samples.subarray(first, start + contextLength + frameLength), first - start)
    const last = contextLength + frameLength - 1
    for (let step = 1; step <= mirrorLength; step += 1) own[last + step] = own[last - step]!
  }
  return frames
}
