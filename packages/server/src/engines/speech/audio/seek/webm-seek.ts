import type { SeekPlan, SyncPoint } from './seekable-audio.js'

// Ids of RFC 9559, with the bits that tell their length.
const ebml = 0x1a45dfa3
const segment = 0x18538067
const info = 0x1549a966
const timestampScale = 0x2ad7b1
const cluster = 0x1f43b675
const timestamp = 0xe7
const simpleBlock = 0xa3
const blockGroup = 0xa0
const block = 0xa1

const clusterId = Buffer.from('1f43b675', 'hex')
const defaultScaleNs = 1_000_000

interface Element {
  id: number
  dataByte: number
  /** Null: unknown, as of what is still being written. */
  size: number | null
}

function readElement(bytes: Buffer, byte: number): Element | null {
  const idBytes = Math.clz32(bytes[byte] ?? 0) - 23
  const sizeByte = byte + idBytes
  const sizeBytes = Math.clz32(bytes[sizeByte] ?? 0) - 23
  if (idBytes > 4 || sizeBytes > 8 || sizeByte + sizeBytes > bytes.length) return null
  const id = bytes.readUIntBE(byte, idBytes)
  const [first = 0, ...rest] = bytes.subarray(sizeByte, sizeByte + sizeBytes)
  const size = readUnsigned([first % 2 ** (8 - sizeBytes), ...rest])
  // All ones, which is one less than can be written.
  return { id, dataByte: sizeByte + sizeBytes, size: size === 2 ** (7 * sizeBytes) - 1 ? null : size }
}

const readUnsigned = (bytes: Iterable<number>): number =>
  [...bytes].reduce((sum, byte) => sum * 256 + byte, 0)

/** Null: no WebM or other Matroska file, or one whose sound does not begin in its head. */
export function planWebmSeek(head: Buffer): SeekPlan | null {
  const opening = readElement(head, 0)
  if (opening?.id !== ebml || opening.size === null) return null
  const whole = readElement(head, opening.dataByte + opening.size)
  if (whole?.id !== segment) return null
  let scaleNs = defaultScaleNs
  let byte = whole.dataByte
  for (;;) {
    const element = readElement(head, byte)
    if (element === null) return null
    if (element.id === cluster) break
    if (element.size === null) return null
    if (element.id === info)
      scaleNs = readScale(head.subarray(element.dataByte, element.dataByte + element.size))
    byte = element.dataByte + element.size
  }
  const seconds = readClusterTime(head, byte)
  if (seconds === null) return null
  const perTick = scaleNs / 1e9
  return {
    head: head.subarray(0, byte),
    first: { byte, seconds: seconds * perTick },
    findSync: (bytes) => findSync(bytes, perTick),
  }
}

function readScale(bytes: Buffer): number {
  for (let byte = 0; byte < bytes.length;) {
    const element = readElement(bytes, byte)
    if (element === null || element.size === null) break
    const { id, dataByte, size } = element
    if (id === timestampScale) return readUnsigned(bytes.subarray(dataByte, dataByte + size))
    byte = dataByte + size
  }
  return defaultScaleNs
}

function findSync(bytes: Buffer, perTick: number): SyncPoint | null {
  for (let byte = bytes.indexOf(clusterId); byte >= 0; byte = bytes.indexOf(clusterId, byte + 1)) {
    const ticks = readClusterTime(bytes, byte)
    if (ticks !== null) return { byte, seconds: ticks * perTick }
  }
  return null
}

/** When its first block is heard, in ticks. Null: the bytes only look like a cluster, or it is cut off. */
function readClusterTime(bytes: Buffer, byte: number): number | null {
  const opened = readElement(bytes, byte)
  if (opened?.id !== cluster) return null
  const time = readElement(bytes, opened.dataByte)
  if (time?.id !== timestamp || time.size === null || time.size > 8) return null
  const start = readUnsigned(bytes.subarray(time.dataByte, time.dataByte + time.size))
  const next = readElement(bytes, time.dataByte + time.size)
  const inner = next?.id === blockGroup ? readElement(bytes, next.dataByte) : next
  if (inner?.id !== simpleBlock && inner?.id !== block) return null
  // The number of its track, one byte for the first 127, then its time within the cluster.
  return inner.dataByte + 3 > bytes.length ? null : start + bytes.readInt16BE(inner.dataByte + 1)
}
