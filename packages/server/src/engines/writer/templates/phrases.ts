/** How a phrase is looked for: whole words, whatever their case, and any space or dash between them. */
export function makePhraseFinder(phrases: readonly string[]): (text: string) => string | null {
  const wanted = phrases
    .map((phrase) => ({ phrase, words: toWords(phrase) }))
    .filter(({ words }) => words.trim() !== '')
  return (text) => {
    if (wanted.length === 0) return null
    const words = toWords(text)
    return wanted.find((one) => words.includes(one.words))?.phrase ?? null
  }
}

/** Looks for many phrases in one text, which is split once. */
export function openPhrases(text: string): (phrases: readonly string[]) => string | null {
  const words = toWords(text)
  return (phrases) =>
    phrases.find((phrase) => {
      const wanted = toWords(phrase)
      return wanted.trim() !== '' && words.includes(wanted)
    }) ?? null
}

/** Between blanks, so that "art" is not found in "heart"; curly and straight apostrophes are one. */
const toWords = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll('’', "'")
    .split(/[^\p{L}\p{N}'%]+/u)
    .filter((word) => word !== '')
    .join(' ')} `
