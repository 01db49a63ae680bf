import type { Readable } from 'node:stream'

/** A recording whose bytes can be read from anywhere. */
export interface SeekableAudio {
  sizeBytes: number
  openAt: (fromByte: number) => Readable
}

/** A place from which a recording can be read, if its head comes first. */
export interface SyncPoint {
  byte: number
  /** On the recording's own clock. */
  seconds: number
}

/** What is known of a recording from its head. */
export interface SeekPlan {
  /** All that must come before the sound, wherever that begins. */
  head: Buffer
  first: SyncPoint
  /** The first sync point that lies whole within these bytes of the recording; null: there is none. */
  findSync: (bytes: Buffer) => SyncPoint | null
}

/** So many bytes from there on, or what is left. */
export async function readAt({ openAt }: SeekableAudio, fromByte: number, length: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let gathered = 0
  for await (const piece of openAt(fromByte)) {
    pieces.push(piece as Buffer)
    gathered += (piece as Buffer).length
    if (gathered >= length) break
  }
  return Buffer.concat(pieces).subarray(0, length)
}
