/** One second of sound, or one of the two pages before it (RFC 3533, RFC 7845). */
export type OggPage = Buffer

const headerBytes = 27
const endOfStream = 4
const samplesOfSecond = 48_000

/** The pages of a file that has one stream of Opus and a page for each second, as the sample does. */
export function splitOgg(file: Buffer): { head: OggPage[]; seconds: OggPage[] } {
  const pages: OggPage[] = []
  for (let at = 0; at < file.length;) {
    const segments = file.subarray(at + headerBytes, at + headerBytes + file.readUInt8(at + 26))
    const length = headerBytes + segments.length + segments.reduce((sum, bytes) => sum + bytes, 0)
    pages.push(file.subarray(at, at + length))
    at += length
  }
  // The last page is no whole second.
  return { head: pages.slice(0, 2), seconds: pages.slice(2, -1) }
}

/** The page as the `index`th second of another file. */
export function placeSecond(page: OggPage, index: number, { isLast }: { isLast: boolean }): OggPage {
  const placed = Buffer.from(page)
  placed.writeUInt8(isLast ? endOfStream : 0, 5)
  placed.writeBigInt64LE(BigInt((index + 1) * samplesOfSecond), 6)
  placed.writeUInt32LE(index + 2, 18)
  placed.writeUInt32LE(0, 22)
  placed.writeUInt32LE(checksum(placed), 22)
  return placed
}

/** CRC-32 of RFC 3533: unreflected, from 0, which zlib's is not. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte << 24
  for (let bit = 0; bit < 8; bit += 1) rest = (rest << 1) ^ (rest < 0 ? 0x04c11db7 : 0)
  return rest
})

function checksum(bytes: Buffer): number {
  let crc = 0
  for (const byte of bytes) crc = (crc << 8) ^ (table[(crc >>> 24) ^ byte] ?? 0)
  return crc >>> 0
}
