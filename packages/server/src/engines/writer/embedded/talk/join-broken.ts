/** A clause that cannot end here: "it made me". */
const isOpen = (sentence: string): boolean =>
  /\b(?:made|makes|make) (?:me|him|her|us|them)\.$/i.test(sentence)

/** "i missed. one.": what is counted stands behind the stop. */
const isCutFromCount = (sentence: string, next: string): boolean =>
  /\b(?:missed|skipped|gained|lost|took)\.$/i.test(sentence) &&
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|\d+|a few|a couple)\b/i.test(next)

/** The sentences of a turn without the stops that a recognizer set within a clause. */
export const joinBroken = (sentences: readonly string[]): string[] => {
  const joined: string[] = []
  for (const sentence of sentences) {
    const before = joined.at(-1)
    if (before !== undefined && (isOpen(before) || isCutFromCount(before, sentence)))
      joined[joined.length - 1] = `${before.slice(0, -1)} ${sentence}`
    else joined.push(sentence)
  }
  return joined
}
