import { makeWavHeader } from './audio/wav-header.js'

/** 16-bit PCM, mono: a header, then two bytes for each sample. */
export function encodeWav(samples: Float32Array, rateHz: number): Buffer {
  const data = Buffer.alloc(samples.length * 2)
  for (const [index, sample] of samples.entries()) data.writeInt16LE(toInt16(sample), index * 2)
  return Buffer.concat([makeWavHeader({ rateHz, channelCount: 1, dataBytes: data.length }), data])
}

/** What is louder than full scale is cut, and what is no number is silence. */
function toInt16(sample: number): number {
  if (Number.isNaN(sample)) return 0
  return Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)))
}
