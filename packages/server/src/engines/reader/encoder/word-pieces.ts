/** Special pieces of the vocabulary, by their number. */
export const PAD = 0
export const UNKNOWN = 100
export const CLS = 101
export const SEP = 102

/** A longer word is no word: the encoder was trained with the same bound. */
const wordCharsMax = 100

const dropped = /[\0\uFFFD\p{Cc}\p{Cf}\p{Co}]/u
const chinese =
  /[\u{4E00}-\u{9FFF}\u{3400}-\u{4DBF}\u{20000}-\u{2A6DF}\u{2A700}-\u{2B81F}\u{2B820}-\u{2CEAF}\u{F900}-\u{FAFF}\u{2F800}-\u{2FA1F}]/u
const standsAlone = /[\p{P}$+<=>^`|~]/u

export interface WordPieces {
  /** The numbers of a text's pieces, without the special ones at its ends. */
  encode(text: string): number[]
}

/** BERT's uncased pieces; the vocabulary has one a line, and its line is its number. */
export const makeWordPieces = (vocabulary: string): WordPieces => {
  const numbers = new Map<string, number>()
  for (const [number, piece] of vocabulary.split('\n').entries()) if (piece !== '') numbers.set(piece, number)
  // Talk repeats its words; the bound keeps a hostile transcript from growing it without end.
  const known = new Map<string, readonly number[]>()
  const knownMax = 20_000
  const encodeWord = (word: string): readonly number[] => {
    const before = known.get(word)
    if (before !== undefined) return before
    const pieces = cutWord(word, numbers)
    if (known.size < knownMax) known.set(word, pieces)
    return pieces
  }
  return { encode: (text) => splitWords(normalize(text)).flatMap(encodeWord) }
}

const normalize = (text: string): string => {
  let clean = ''
  for (const char of text) {
    if (/\s/.test(char)) clean += ' '
    else if (dropped.test(char)) continue
    else clean += chinese.test(char) ? ` ${char} ` : char
  }
  return clean
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
}

const splitWords = (text: string): string[] => {
  const words: string[] = []
  let word = ''
  const end = () => {
    if (word !== '') words.push(word)
    word = ''
  }
  for (const char of text) {
    if (char === ' ') end()
    else if (standsAlone.test(char)) {
      end()
      words.push(char)
    } else word += char
  }
  end()
  return words
}

/** The longest piece that fits, then the longest that fits the rest; a word with a rest that nothing fits is unknown. */
const cutWord = (word: string, numbers: ReadonlyMap<string, number>): readonly number[] => {
  const chars = Array.from(word)
  if (chars.length > wordCharsMax) return [UNKNOWN]
  const pieces: number[] = []
  for (let start = 0; start < chars.length;) {
    let end = chars.length
    let found: number | undefined
    for (; end > start; end--) {
      found = numbers.get((start > 0 ? '##' : '') + chars.slice(start, end).join(''))
      if (found !== undefined) break
    }
    if (found === undefined) return [UNKNOWN]
    pieces.push(found)
    start = end
  }
  return pieces
}
