import type { SeekPlan, SyncPoint } from './seekable-audio.js'

/** The clock of Opus in Ogg, whatever was recorded (RFC 7845, section 4). */
const granulesPerSecond = 48_000

const pageHeaderBytes = 27

/** 255 packets of 20 ms. A first page that ends later was cut out of something, and its clock does not begin at 0. */
const pageSecondsMax = 5.1

interface Page {
  byte: number
  endByte: number
  serial: number
  /** Where its last whole packet ends; null: none ends in it. */
  endSeconds: number | null
  body: Buffer
}

/** RFC 3533. Null: there is no whole page. */
function readPage(bytes: Buffer, byte: number): Page | null {
  if (byte + pageHeaderBytes > bytes.length || bytes.toString('latin1', byte, byte + 5) !== 'OggS\0')
    return null
  const tableEnd = byte + pageHeaderBytes + bytes.readUInt8(byte + 26)
  const bodyBytes = bytes.subarray(byte + pageHeaderBytes, tableEnd).reduce((sum, size) => sum + size, 0)
  const endByte = tableEnd + bodyBytes
  if (endByte > bytes.length) return null
  const granule = bytes.readBigInt64LE(byte + 6)
  return {
    byte,
    endByte,
    serial: bytes.readUInt32LE(byte + 14),
    endSeconds: granule < 0n ? null : Number(granule) / granulesPerSecond,
    body: bytes.subarray(tableEnd, endByte),
  }
}

/** Null: not Opus in Ogg, or with something beside it. */
export function planOggSeek(head: Buffer): SeekPlan | null {
  const opening = readPage(head, 0)
  if (opening === null || opening.body.toString('latin1', 0, 8) !== 'OpusHead') return null
  const { serial } = opening
  // Comments may take several pages; the sound begins on one of its own.
  let page = readPage(head, opening.endByte)
  while (page !== null && page.serial === serial && (page.endSeconds ?? 0) === 0)
    page = readPage(head, page.endByte)
  if (page === null || page.serial !== serial || (page.endSeconds ?? 0) > pageSecondsMax) return null
  return {
    head: head.subarray(0, page.byte),
    first: { byte: page.byte, seconds: 0 },
    findSync: (bytes) => findSync(bytes, serial),
  }
}

/** What begins behind a page begins when the page ends. Two in a row are no accident of the sound's bytes. */
function findSync(bytes: Buffer, serial: number): SyncPoint | null {
  for (let byte = bytes.indexOf('OggS'); byte >= 0; byte = bytes.indexOf('OggS', byte + 1)) {
    const page = readPage(bytes, byte)
    if (page?.serial !== serial || page.endSeconds === null) continue
    if (readPage(bytes, page.endByte)?.serial === serial)
      return { byte: page.endByte, seconds: page.endSeconds }
  }
  return null
}
