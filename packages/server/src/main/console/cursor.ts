import { Type } from 'typebox'
import { refuse } from '../../kernel/refuse.js'

/** A page of the console's lists. */
export const pageMax = 50

/** Made by `writeCursor`. */
export const Cursor = Type.Optional(Type.String())

/** Where the next page begins, as a text that means nothing to the page. */
export const writeCursor = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url')

/** Null: there is none. Any other text than ours is a 400, not a page from somewhere. */
export function readCursor<Value>(
  text: string | undefined,
  isOurs: (value: unknown) => value is Value,
): Value | null {
  if (text === undefined) return null
  const value = parse(text)
  if (!isOurs(value)) throw refuse.invalid(['cursor must be one that a page gave'])
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined // Somebody typed it.
  }
}

export const readNumber = (text: string | undefined): number | null =>
  readCursor(text, (value): value is number => Number.isSafeInteger(value))

/** A time as we write it, of a year that PostgreSQL reads, too. */
export function isOurTime(text: unknown): text is string {
  if (typeof text !== 'string' || !/^[12]\d{3}-/.test(text)) return false
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
}

/** Reads a time of somebody's own writing, and gives it in ours. */
export function readTime(name: string, text: string): string {
  const time = new Date(text)
  const ours = Number.isNaN(time.getTime()) ? null : time.toISOString()
  if (!isOurTime(ours)) throw refuse.invalid([`${name} must be a valid ISO 8601 date string`])
  return ours
}

/** One more was asked for than is shown: that tells whether there is another page. */
export function pageOfRows<Row, Shown>(
  rows: readonly Row[],
  show: (row: Row) => Shown,
  cursorOf: (row: Row) => unknown,
): { data: Shown[]; next: string | null } {
  const shown = rows.slice(0, pageMax)
  const last = shown.at(-1)
  return {
    data: shown.map(show),
    next: rows.length > pageMax && last !== undefined ? writeCursor(cursorOf(last)) : null,
  }
}
