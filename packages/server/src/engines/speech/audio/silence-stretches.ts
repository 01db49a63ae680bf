import { sampleRate } from '../speech-engine.js'

/** In seconds from the start of a recording. */
export interface Stretch {
  start: number
  end: number
}

/**
 * Writes silence over what lies in the stretches. The samples begin at `fromFrame` of the recording; each sample is silenced whole or not at
 * all, so that sound in pieces of any length gives the same.
 */
export function silenceStretches(
  channels: readonly Float32Array[],
  fromFrame: number,
  stretches: readonly Stretch[],
): void {
  for (const { start, end } of stretches) {
    const first = Math.floor(start * sampleRate) - fromFrame
    const last = Math.ceil(end * sampleRate) - fromFrame
    if (last <= 0) continue
    for (const samples of channels) samples.fill(0, Math.max(0, first), Math.min(samples.length, last))
  }
}
