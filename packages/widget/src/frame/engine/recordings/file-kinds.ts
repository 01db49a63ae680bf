/** What the service's decoder reads (`run-ffmpeg.ts` names the same), by how such files begin. */
export type FileKind = 'mp3' | 'aac' | 'wav' | 'flac' | 'ogg' | 'mp4' | 'webm'

/** Recordings, but of kinds that the service does not read; told apart so that the words can be of use. */
export type ForeignKind = 'wma' | 'avi' | 'amr' | 'aiff' | 'caf'

const textAt = (bytes: Uint8Array, at: number, text: string): boolean =>
  Array.from(text, (character) => character.charCodeAt(0)).every((code, index) => bytes[at + index] === code)

const bytesAt = (bytes: Uint8Array, expected: readonly number[]): boolean =>
  expected.every((byte, index) => bytes[index] === byte)

/** The boxes with which an MP4 or QuickTime file begins. */
const firstBoxes = ['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot']

/** Reads as many bytes of a file as an MP3's first frames need, from a place on. */
type Read = (from: number) => Promise<Uint8Array>

/** Taggers leave a second one at times. Who has more in front has no recording to lose. */
const tagsMost = 4

/**
 * What lies behind the tags: players of MP3 put them before AAC and FLAC as well. `isTagged`: somebody took it for sound, so
 * that where none is told, it may lie deeper than was looked.
 */
export async function findKind(
  read: Read,
): Promise<{ kind: FileKind | ForeignKind | null; isTagged: boolean }> {
  let from = 0
  for (let tags = 0; tags < tagsMost; tags += 1) {
    const head = await read(from)
    const tagBytes = skipTag(head)
    if (tagBytes === 0) return { kind: tellKind(head), isTagged: tags > 0 }
    from += tagBytes
  }
  return { kind: null, isTagged: true }
}

/** By the first bytes, never by a name. Null: nothing that is known. An MP3 may begin in the middle of a frame. */
export function tellKind(head: Uint8Array): FileKind | ForeignKind | null {
  const isRiff = textAt(head, 0, 'RIFF') || textAt(head, 0, 'RF64') || textAt(head, 0, 'BW64')
  if (isRiff && textAt(head, 8, 'WAVE')) return 'wav'
  if (isRiff && textAt(head, 8, 'AVI ')) return 'avi'
  if (textAt(head, 0, 'fLaC')) return 'flac'
  if (textAt(head, 0, 'OggS')) return 'ogg'
  if (bytesAt(head, [0x1a, 0x45, 0xdf, 0xa3])) return 'webm'
  if (firstBoxes.some((box) => textAt(head, 4, box))) return 'mp4'
  if (bytesAt(head, [0x30, 0x26, 0xb2, 0x75])) return 'wma'
  if (textAt(head, 0, '#!AMR')) return 'amr'
  if (textAt(head, 0, 'FORM') && textAt(head, 8, 'AIF')) return 'aiff'
  if (textAt(head, 0, 'caff')) return 'caf'
  // ADTS has no layer; MPEG audio of layer III has.
  if (head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0) return 'aac'
  return hasMp3Frames(head) ? 'mp3' : null
}

/** The bytes of an ID3 tag; 0 without one. */
function skipTag(head: Uint8Array): number {
  if (!textAt(head, 0, 'ID3')) return 0
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] ?? 0) & 0x7f), 0)
  const hasFooter = ((head[5] ?? 0) & 0x10) !== 0
  return 10 + size + (hasFooter ? 10 : 0)
}

const bitRates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const sampleRates = [44_100, 48_000, 32_000]

/** Null: no header of a frame of MPEG layer III. The other layers are rare, and left to the player's look. */
function measureFrame(bytes: Uint8Array, at: number): number | null {
  const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3)
  if (first !== 0xff || (second & 0xe6) !== 0xe2) return null
  const version = (second >> 3) & 3
  if (version === 1) return null
  const rate = bitRates[version === 3 ? 1 : 2][third >> 4]
  const samples = sampleRates[(third >> 2) & 3]
  if (rate === undefined || rate === 0 || samples === undefined) return null
  const divisor = version === 3 ? 1 : version === 2 ? 2 : 4
  const padding = (third >> 1) & 1
  return Math.floor(((version === 3 ? 144_000 : 72_000) * rate) / (samples / divisor)) + padding
}

/** Three headers, each where the frame before it ends: bytes that only happen to look like one are not followed by two more. */
function hasMp3Frames(bytes: Uint8Array): boolean {
  for (let start = 0; start + 4 <= bytes.length; start += 1) {
    if (bytes[start] !== 0xff) continue
    let at = start
    let found = 0
    for (let length = measureFrame(bytes, at); length !== null && found < 3; found += 1) {
      at += length
      // A short file ends with its second frame, or its first.
      if (at >= bytes.length) return found > 0 || at === bytes.length
      length = measureFrame(bytes, at)
    }
    if (found === 3) return true
  }
  return false
}
