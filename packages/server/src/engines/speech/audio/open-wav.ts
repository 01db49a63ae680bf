import { Readable } from 'node:stream'
import type { WavData } from './find-wav-data.js'
import type { OpenAudio } from './run-ffmpeg.js'

/** The head of a chunk, and the byte that fills up one of an odd length before it. */
const lookBytes = 9
/** Comments and pictures are smaller; sound that happens to spell a name rarely has the zero of such a length behind it. */
const trailerBytesMax = 0x100_0000

/**
 * A recorder that was killed leaves the length in the header that it wrote last, and ffmpeg would end there. So ffmpeg is
 * told of no length, and the bytes end where the sound does: before another chunk, or with the file.
 */
export const openWholeWav =
  (openAudio: OpenAudio, wav: WavData): OpenAudio =>
  () =>
    Readable.from(readWhole(openAudio() as AsyncIterable<Buffer>, wav), { objectMode: false })

async function* readWhole(
  source: AsyncIterable<Buffer>,
  { dataByte, dataBytes }: WavData,
): AsyncGenerator<Buffer> {
  const endByte = dataByte + dataBytes
  let buffered: Buffer = Buffer.alloc(0)
  let bufferedFrom = 0
  let isBeyond = false
  for await (const piece of source) {
    if (isBeyond) {
      yield piece
      continue
    }
    buffered = buffered.length === 0 ? piece : Buffer.concat([buffered, piece])
    if (bufferedFrom === 0) {
      if (buffered.length < dataByte) continue
      buffered = Buffer.from(buffered)
      buffered.writeUInt32LE(0xffff_ffff, dataByte - 4)
    }
    const known = Math.min(buffered.length, endByte - bufferedFrom)
    if (known > 0) yield buffered.subarray(0, known)
    buffered = buffered.subarray(known)
    bufferedFrom += known
    if (bufferedFrom < endByte || buffered.length < lookBytes) continue
    if (isChunk(buffered) || (dataBytes % 2 === 1 && isChunk(buffered.subarray(1)))) return
    yield buffered
    isBeyond = true
  }
}

const isChunk = (bytes: Buffer): boolean =>
  /^[A-Za-z0-9_ ]{4}$/.test(bytes.toString('latin1', 0, 4)) && bytes.readUInt32LE(4) < trailerBytesMax
