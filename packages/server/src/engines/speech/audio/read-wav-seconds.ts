/** Writers that could not return to their header leave 0 or the largest number in it. */
const dataLengthMax = 0x7fff_f000

/** How long a WAV file says it is. Through a pipe ffmpeg believes no such header, and a cut-off file would pass for a whole one. */
export function readWavSeconds(head: Buffer): number | null {
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE') return null
  let bytesPerSecond = 0
  let offset = 12
  while (offset + 8 <= head.length) {
    const kind = head.toString('latin1', offset, offset + 4)
    const length = head.readUInt32LE(offset + 4)
    if (kind === 'fmt ' && offset + 20 <= head.length) bytesPerSecond = head.readUInt32LE(offset + 16)
    if (kind === 'data') {
      const isKnown = length > 0 && length < dataLengthMax && bytesPerSecond > 0
      return isKnown ? length / bytesPerSecond : null
    }
    // Chunks are padded to an even length.
    offset += 8 + length + (length % 2)
  }
  return null
}
