import { readAmounts } from './read-amounts.js'
import { tokenizeWords } from './tokenize-words.js'

const fillers = new Set('um uh uhm er erm hmm mm mhm ah eh'.split(' '))
const fillerPairs = new Set(['you know', 'i mean'])

/** Words in lower case, numbers as digits, with a space around each. */
export const plainWords = (text: string): string => {
  const tokens = tokenizeWords(text)
  const amounts = new Map(
    readAmounts(text, tokens)
      .filter(({ form }) => form === 'words' || form === 'digits')
      .map((amount) => [amount.firstToken, amount]),
  )
  const words: string[] = []
  for (let index = 0; index < tokens.length; index++) {
    const amount = amounts.get(index)
    if (amount !== undefined) {
      words.push(amount.values[0] ?? '')
      index = amount.lastToken
      continue
    }
    const word = (tokens[index]?.lower ?? '').replaceAll("'", '')
    const next = tokens[index + 1]?.lower ?? ''
    if (fillers.has(word)) continue
    if (fillerPairs.has(`${word} ${next}`)) {
      index += 1
      continue
    }
    words.push(word)
  }
  return ` ${dropRepeats(words).join(' ')} `
}

/** How many words a false start takes up, at most: "I was going to, I was going to". */
const restartWordsMax = 4

const dropRepeats = (words: readonly string[]): string[] => {
  const kept: string[] = []
  for (const word of words) {
    kept.push(word)
    for (let length = 1; length <= restartWordsMax && kept.length >= length * 2; length++) {
      const [before, again] = [kept.slice(-length * 2, -length), kept.slice(-length)]
      if (!before.every((one, index) => one === again[index])) continue
      kept.length -= length
      break
    }
  }
  return kept
}

/** Marks in pairs, in one walk; one that is never closed opens nothing. */
export const takeQuotes = (sentence: string): { plain: string; quotes: string[] } => {
  const quotes: string[] = []
  const parts: string[] = []
  let from = 0
  let openAt = -1
  for (let at = 0; at < sentence.length; at++) {
    const mark = sentence[at]
    if (mark !== '"' && mark !== '“' && mark !== '”') continue
    if (openAt < 0) openAt = at
    else {
      parts.push(sentence.slice(from, openAt), ' … ')
      quotes.push(sentence.slice(openAt + 1, at))
      from = at + 1
      openAt = -1
    }
  }
  parts.push(sentence.slice(from))
  return { plain: parts.join(''), quotes }
}
