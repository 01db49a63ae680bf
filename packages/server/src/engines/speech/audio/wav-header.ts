/** RIFF with one chunk of 16-bit PCM behind it. Null: written while its length is not known, which the largest number says. */
export function makeWavHeader(format: {
  rateHz: number
  channelCount: number
  dataBytes: number | null
}): Buffer {
  const { rateHz, channelCount, dataBytes } = format
  const unknown = 0xffff_ffff
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(dataBytes === null ? unknown : 36 + dataBytes, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channelCount, 22)
  header.writeUInt32LE(rateHz, 24)
  header.writeUInt32LE(rateHz * 2 * channelCount, 28)
  header.writeUInt16LE(2 * channelCount, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(dataBytes ?? unknown, 40)
  return header
}
