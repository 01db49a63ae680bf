const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** An entry is one line where it is typed, whatever breaks somebody wrote into it elsewhere. */
const toLine = (text: string): string => linesOf(text).join(' ')

export const toLines = (texts: readonly string[]): string => texts.map(toLine).join('\n')

/**
 * A line that stays is the same entry, as it was worded: it keeps its id, and with it what notes are linked to. Each entry once: of two
 * equal lines the second is the second entry, or a new one.
 */
export function readLines<Known extends { text: string }>(
  typed: string,
  known: readonly Known[],
): (Known | { text: string })[] {
  const left = [...known]
  return linesOf(typed).map((line) => {
    const at = left.findIndex(({ text }) => toLine(text) === line)
    const [entry] = at === -1 ? [] : left.splice(at, 1)
    return entry ?? { text: line }
  })
}
