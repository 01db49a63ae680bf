import { randomInt } from 'node:crypto'

/** The largest note with its evidence sent back has some 60,000. Depth needs no bound of its own: each level is a value. */
const valuesMax = 100_000

/**
 * Names that no object before had in that place, after the same names. Each makes the engine describe one more kind of object: a megabyte
 * of nothing else takes it fifty times as long as one of objects alike, 126 ms and 1.7 ms on two busy cores, and so many take 10 ms.
 * Our own bodies have some hundred: a transcript's map of speakers is the largest.
 */
const placesMax = 5_000

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openList = 0x5b
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

/** Nobody outside knows which names count as one. */
const seed = randomInt(2 ** 30)

/**
 * Whether parsing a body would take longer than a turn may: a megabyte of nothing but brackets does, and one of nothing but names. One
 * walk over the bytes; of what is no JSON the parser says so afterwards.
 */
export function isTooMuchJson(bytes: Buffer): boolean {
  let values = 0
  const places = new Set<number>()
  const around: number[] = []
  let place = seed
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === quote) {
      const end = findEndOfText(bytes, at)
      if (isName(bytes, end)) {
        place = hashFrom(place, bytes, at + 1, end)
        places.add(place)
        if (places.size > placesMax) return true
      }
      at = end
    } else if (byte === comma) values++
    else if (byte === openList || byte === openObject) {
      values++
      around.push(place)
      place = seed
    } else if (byte === closeList || byte === closeObject) place = around.pop() ?? seed
    if (values > valuesMax) return true
  }
  return false
}

/** Where the quote stands that closes a text; the end of the body where none does. */
function findEndOfText(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === backslash) at++
    else if (bytes[at] === quote) return at
  }
  return bytes.length
}

function isName(bytes: Buffer, end: number): boolean {
  let at = end + 1
  // Space, tab and both line breaks are all the white space that JSON knows.
  while (at < bytes.length && (bytes[at] as number) <= 0x20) at++
  return bytes[at] === colon
}

/** FNV-1a, of 30 bits: what is larger is no small integer to the engine. */
function hashFrom(start: number, bytes: Buffer, from: number, to: number): number {
  let hash = start
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  return (hash ^ (hash >>> 15)) & 0x3fffffff
}
