/** The encoder was trained on turns of at most 130 words and judges no more of one. */
const wholeWordsMax = 130
/** Less than the bound above, so that a piece's pieces of words fit into its window. */
const pieceWordsMax = 110

export const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

const endsSentence = (word: string): boolean => /[.?!…]["”’')]*$/.test(word)
const endsClause = (word: string): boolean => /[,;:—–]$/.test(word)

/**
 * The words of an item, in pieces of whole sentences if it is long; a sentence longer than a piece is cut behind its last
 * comma, and one without commas at the bound.
 */
export const cutItem = (text: string): string[][] => {
  const words = wordsOf(text)
  if (words.length <= wholeWordsMax) return [words]
  const pieces: string[][] = []
  for (let start = 0; start < words.length;) {
    const end = findCut(words, start)
    pieces.push(words.slice(start, end))
    start = end
  }
  return pieces
}

const findCut = (words: readonly string[], start: number): number => {
  const bound = start + pieceWordsMax
  if (words.length <= bound) return words.length
  for (const isEnd of [endsSentence, endsClause])
    for (let end = bound; end > start; end--) if (isEnd(words[end - 1] ?? '')) return end
  return bound
}
