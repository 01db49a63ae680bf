/** By the two bits of a frame's header that name the version: 2.5, none, 2 and 1. */
const versions = [
  { rateDivisor: 4, frameSamples: 576 },
  null,
  { rateDivisor: 2, frameSamples: 576 },
  { rateDivisor: 1, frameSamples: 1152 },
]
const ratesHz = [44_100, 48_000, 32_000]

/** Behind a frame's header and side information, which are at most 38 bytes with a checksum. */
const countWithin = 48
/** The flag beside it which says that the number of frames is told. */
const framesFlag = 1

/**
 * How long an MP3 file says it is, in the frame that encoders put before its sound. Through a pipe ffmpeg tells no length,
 * and a cut-off file would pass for a whole one. Null: it does not say, or not within its head.
 */
export function readMp3Seconds(head: Buffer): number | null {
  const frame = head.subarray(skipTag(head))
  if (frame.length < countWithin + 12 || frame.readUInt16BE(0) >> 5 !== 0x7ff) return null
  const isLayer3 = ((frame[1] ?? 0) >> 1) % 4 === 1
  const version = versions[((frame[1] ?? 0) >> 3) % 4]
  const rateHz = ratesHz[((frame[2] ?? 0) >> 2) % 4]
  const mark = /Xing|Info/.exec(frame.toString('latin1', 0, countWithin))?.index
  if (!isLayer3 || version == null || rateHz === undefined || mark === undefined) return null
  if (frame.readUInt32BE(mark + 4) % 2 !== framesFlag) return null
  // An encoder that could not return to it leaves 0.
  const frames = frame.readUInt32BE(mark + 8)
  return frames === 0 ? null : (frames * version.frameSamples * version.rateDivisor) / rateHz
}

/** An ID3v2 tag tells its length in four times seven bits. */
function skipTag(head: Buffer): number {
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0
  return 10 + [6, 7, 8, 9].reduce((length, at) => length * 128 + (head[at] ?? 0), 0)
}
