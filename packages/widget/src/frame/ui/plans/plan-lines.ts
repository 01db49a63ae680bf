const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** An entry is one line where it is typed, whatever breaks somebody wrote into it elsewhere. */
export const toLine = (text: string): string => linesOf(text).join(' ')

export const toLines = (texts: readonly string[]): string => texts.map(toLine).join('\n')

/**
 * A line that stays is the same entry, as it was worded: it keeps its id, and with it what notes are linked to. Each entry once: of two
 * equal lines the second is the second entry, or a new one. Where there are as many lines as before, one that was worded anew is the entry
 * that stood in its place, with its id. Nothing that a line does not show may be lost with a wrong guess: what has more than a text is typed in
 * rows (`objective-rows.tsx`).
 */
export function readLines<Known extends { text: string }>(
  typed: string,
  known: readonly Known[],
): (Known | { text: string })[] {
  const left = new Set(known)
  const take = (entry: Known | undefined): Known | undefined =>
    entry !== undefined && left.delete(entry) ? entry : undefined
  const isSame = (entry: Known | undefined, line: string): boolean =>
    entry !== undefined && toLine(entry.text) === line
  const lines = linesOf(typed)
  const inPlace = lines.map((line, at) => (isSame(known[at], line) ? take(known[at]) : undefined))
  const same = lines.map((line, at) => inPlace[at] ?? take([...left].find((one) => isSame(one, line))))
  return lines.map((line, at) => {
    const stayed = same[at]
    if (stayed !== undefined) return stayed
    const before = lines.length === known.length ? take(known[at]) : undefined
    return { ...before, text: line }
  })
}
