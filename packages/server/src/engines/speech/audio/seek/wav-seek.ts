import { findWavData } from '../find-wav-data.js'

/** PCM, floating point, A-law and μ-law; of the others, samples are no bytes that can be counted. */
const countable = new Set([1, 3, 6, 7, 0xfffe])

/** Null: no WAV whose samples are all of one size. */
export function findWavStart(head: Buffer, fromSeconds: number): { head: Buffer; byte: number } | null {
  const found = findWavData(head)
  if (found === null || !countable.has(found.format) || found.blockBytes === 0) return null
  const { rateHz, blockBytes, dataByte } = found
  const byte = dataByte + Math.floor(fromSeconds * rateHz) * blockBytes
  return { head: head.subarray(0, dataByte), byte }
}
