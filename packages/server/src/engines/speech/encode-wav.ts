/** RIFF with one chunk of 16-bit PCM, mono: 44 bytes, then two for each sample. */
export function encodeWav(samples: Float32Array, rateHz: number): Buffer {
  const size = samples.length * 2
  const wav = Buffer.alloc(44 + size)
  wav.write('RIFF', 0, 'latin1')
  wav.writeUInt32LE(36 + size, 4)
  wav.write('WAVEfmt ', 8, 'latin1')
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(rateHz, 24)
  wav.writeUInt32LE(rateHz * 2, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36, 'latin1')
  wav.writeUInt32LE(size, 40)
  for (const [index, sample] of samples.entries()) wav.writeInt16LE(toInt16(sample), 44 + index * 2)
  return wav
}

/** What is louder than full scale is cut, and what is no number is silence. */
function toInt16(sample: number): number {
  if (Number.isNaN(sample)) return 0
  return Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)))
}
