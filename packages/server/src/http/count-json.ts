/** The largest note with its evidence sent back has some 60,000. Depth needs no bound of its own: each level is a value. */
const valuesMax = 100_000

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openList = 0x5b
const openObject = 0x7b

/**
 * Whether parsing a body would take longer than a turn may: a megabyte of nothing but brackets does. One walk over the
 * bytes; of what is no JSON the parser says so afterwards.
 */
export function isTooMuchJson(bytes: Buffer): boolean {
  let values = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === quote) at = findEndOfText(bytes, at)
    else if (byte === comma || byte === openList || byte === openObject) values++
  }
  return values > valuesMax
}

/** Where the quote stands that closes a text; the end of the body where none does. */
function findEndOfText(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === backslash) at++
    else if (bytes[at] === quote) return at
  }
  return bytes.length
}
