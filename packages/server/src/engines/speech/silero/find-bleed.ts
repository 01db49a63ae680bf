import { sampleRate } from '../speech-engine.js'
import { frameLength } from './silero-model.js'

/** Voices carry most of their energy below 2 kHz, and a quarter of the samples is a sixteenth of the work. */
const thinning = 4
const windowLength = (sampleRate / thinning) * 0.512
const hopLength = windowLength / 2
/** Sound needs 60 ms for 20 m; what comes back later through a call is an echo that the far end cancels. */
const lagMax = (sampleRate / thinning) * 0.064
/** A quarter of the power: a headset hears the other side 15 to 40 dB lower, nobody talks that evenly. */
const quieterRatio = 0.25
/** Two voices at once stay under 0.3, a copy with room and noise in it over 0.6. */
const copyCorrelation = 0.45
const silentPower = 1e-9

/**
 * The frames in which a channel carries a quiet copy of another: the same words must not appear twice. One that speaks
 * softly while the other is loud is no copy, and stays.
 */
export function findBleed(own: Float32Array, others: readonly Float32Array[]): Uint8Array {
  const flags = new Uint8Array(Math.ceil(own.length / frameLength))
  const thinOwn = thin(own)
  for (const thinOther of others.map(thin)) {
    for (let start = 0; start < thinOwn.length; start += hopLength) {
      if (isQuietCopy(thinOwn, thinOther, start)) flagFrames(flags, start)
    }
  }
  return flags
}

function flagFrames(flags: Uint8Array, start: number): void {
  const first = Math.ceil((start * thinning) / frameLength)
  const last = Math.floor(((start + windowLength) * thinning) / frameLength)
  flags.fill(1, first, last)
}

function isQuietCopy(own: Float32Array, other: Float32Array, start: number): boolean {
  const end = Math.min(start + windowLength, own.length)
  const ownPower = powerOf(own, start, end)
  const otherPower = powerOf(other, start, end)
  if (ownPower < silentPower || ownPower > otherPower * quieterRatio) return false
  for (let lag = -lagMax; lag <= lagMax; lag += 1) {
    let product = 0
    for (let index = start; index < end; index += 1) product += (own[index] ?? 0) * (other[index - lag] ?? 0)
    const correlation =
      Math.abs(product) / Math.sqrt(ownPower * powerOf(other, start - lag, end - lag) + silentPower)
    if (correlation > copyCorrelation) return true
  }
  return false
}

function powerOf(samples: Float32Array, start: number, end: number): number {
  let sum = 0
  for (let index = Math.max(0, start); index < Math.min(end, samples.length); index += 1)
    sum += (samples[index] ?? 0) ** 2
  return sum
}

function thin(samples: Float32Array): Float32Array {
  const thinned = new Float32Array(Math.floor(samples.length / thinning))
  for (let index = 0; index < thinned.length; index += 1) {
    let sum = 0
    for (let part = 0; part < thinning; part += 1) sum += samples[index * thinning + part] ?? 0
    thinned[index] = sum / thinning
  }
  return thinned
}
