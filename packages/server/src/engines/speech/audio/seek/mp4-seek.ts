import type { SeekPlan, SyncPoint } from './seekable-audio.js'

interface Box {
  kind: string
  byte: number
  dataByte: number
  endByte: number
}

/** ISO/IEC 14496-12. Null: there is none; one that is cut off has its end beyond the bytes. */
function readBox(bytes: Buffer, byte: number): Box | null {
  if (byte < 0 || byte + 8 > bytes.length) return null
  const size = bytes.readUInt32BE(byte)
  // Larger ones, and those to the end of the file, hold the sound of a file that is no series of fragments.
  if (size < 8) return null
  return {
    kind: bytes.toString('latin1', byte + 4, byte + 8),
    byte,
    dataByte: byte + 8,
    endByte: byte + size,
  }
}

function listBoxes(bytes: Buffer, { dataByte, endByte }: Pick<Box, 'dataByte' | 'endByte'>): Box[] {
  const boxes: Box[] = []
  const end = Math.min(endByte, bytes.length)
  for (
    let box = readBox(bytes, dataByte);
    box !== null && box.endByte <= end;
    box = readBox(bytes, box.endByte)
  )
    boxes.push(box)
  return boxes
}

/** The only one of each kind along the way; null: there is none, or more. */
function findBox(bytes: Buffer, within: Pick<Box, 'dataByte' | 'endByte'>, ...kinds: string[]): Box | null {
  let found = within as Box
  for (const kind of kinds) {
    const [only, ...others] = listBoxes(bytes, found).filter((box) => box.kind === kind)
    if (only === undefined || others.length > 0) return null
    found = only
  }
  return found
}

/** A plan for MP4 that is recorded in fragments, as Safari does it, with one track. Null: it is anything else. */
export function planMp4Seek(head: Buffer): SeekPlan | null {
  const whole = { dataByte: 0, endByte: head.length }
  if (readBox(head, 0)?.kind !== 'ftyp') return null
  const header = findBox(head, whole, 'moov', 'trak', 'mdia', 'mdhd')
  const first = findSync(head, 1)
  if (header === null || first === null) return null
  const ticksPerSecond = head.readUInt32BE(header.dataByte + (head[header.dataByte] === 1 ? 20 : 12))
  if (ticksPerSecond === 0) return null
  return {
    head: head.subarray(0, first.byte),
    first: { byte: first.byte, seconds: first.seconds / ticksPerSecond },
    findSync: (bytes) => findSync(bytes, ticksPerSecond),
  }
}

function findSync(bytes: Buffer, ticksPerSecond: number): SyncPoint | null {
  for (let mark = bytes.indexOf('moof'); mark >= 0; mark = bytes.indexOf('moof', mark + 1)) {
    const fragment = readBox(bytes, mark - 4)
    const ticks =
      fragment === null || fragment.endByte > bytes.length ? null : readFragmentTime(bytes, fragment)
    if (ticks !== null && fragment !== null) return { byte: fragment.byte, seconds: ticks / ticksPerSecond }
  }
  return null
}

/** Null: it says where its sound is counted from the beginning of the file, or not when it is heard. */
function readFragmentTime(bytes: Buffer, fragment: Box): number | null {
  const header = findBox(bytes, fragment, 'traf', 'tfhd')
  const time = findBox(bytes, fragment, 'traf', 'tfdt')
  if (header === null || time === null || bytes.readUIntBE(header.dataByte + 1, 3) % 2 === 1) return null
  if (bytes[time.dataByte] === 1)
    return time.endByte - time.dataByte < 12 ? null : Number(bytes.readBigUInt64BE(time.dataByte + 4))
  return time.endByte - time.dataByte < 8 ? null : bytes.readUInt32BE(time.dataByte + 4)
}
