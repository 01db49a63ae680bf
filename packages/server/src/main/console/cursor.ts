/** A page of the console's lists. */
export const pageMax = 50

/** Where the next page begins, as a text that means nothing to the page. */
export const writeCursor = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url')

/** What is no cursor of ours begins at the beginning. */
export function readCursor(text: string | undefined): unknown {
  if (text === undefined) return null
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return null // Somebody typed it.
  }
}

export const readNumber = (text: string | undefined): number | null => {
  const value = readCursor(text)
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
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
