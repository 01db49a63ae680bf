import { sampleRate } from './speech-engine.js'

/** The samples of a channel that are not settled yet: from the end of what was heard to the end of what was decoded. */
export interface OpenChannel {
  channel: number
  startSample: number
  samples: Float32Array
}

export function appendSamples(open: OpenChannel, added: Float32Array): OpenChannel {
  const samples = new Float32Array(open.samples.length + added.length)
  samples.set(open.samples)
  samples.set(added, open.samples.length)
  return { ...open, samples }
}

export function dropUntil(open: OpenChannel, seconds: number): OpenChannel {
  const startSample = Math.round(seconds * sampleRate)
  // A copy, so that the long buffer can go.
  const samples = open.samples.slice(Math.max(0, startSample - open.startSample))
  return { ...open, startSample, samples }
}

export const endSampleOf = (open: OpenChannel): number => open.startSample + open.samples.length
export const startSecondsOf = (open: OpenChannel): number => open.startSample / sampleRate

export function samplesBetween(open: OpenChannel, startSeconds: number, endSeconds: number): Float32Array {
  const from = Math.round(startSeconds * sampleRate) - open.startSample
  const to = Math.round(endSeconds * sampleRate) - open.startSample
  return open.samples.subarray(Math.max(0, from), to)
}
