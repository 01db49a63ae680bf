/** Writers that could not return to their header leave 0 or the largest number in it. */
const dataLengthMax = 0x7fff_f000

export interface WavData {
  /** As RIFF numbers them: 1 is PCM. */
  format: number
  rateHz: number
  bytesPerSecond: number
  /** Bytes of one sample of all channels. */
  blockBytes: number
  dataByte: number
  /** As it says. */
  dataBytes: number
}

/** Null: no WAV file, or one whose sound does not begin in its head. */
export function findWavData(head: Buffer): WavData | null {
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE') return null
  let said = { format: 0, rateHz: 0, bytesPerSecond: 0, blockBytes: 0 }
  let offset = 12
  while (offset + 8 <= head.length) {
    const kind = head.toString('latin1', offset, offset + 4)
    const length = head.readUInt32LE(offset + 4)
    if (kind === 'fmt ' && offset + 22 <= head.length)
      said = {
        format: head.readUInt16LE(offset + 8),
        rateHz: head.readUInt32LE(offset + 12),
        bytesPerSecond: head.readUInt32LE(offset + 16),
        blockBytes: head.readUInt16LE(offset + 20),
      }
    if (kind === 'data') return { ...said, dataByte: offset + 8, dataBytes: length }
    // Chunks are padded to an even length.
    offset += 8 + length + (length % 2)
  }
  return null
}

/** Null: as `findWavData`, or one that does not say how long its sound is. */
export function findMeasuredWav(head: Buffer): WavData | null {
  const found = findWavData(head)
  if (found === null) return null
  const { dataBytes, bytesPerSecond } = found
  return dataBytes > 0 && dataBytes < dataLengthMax && bytesPerSecond > 0 ? found : null
}
