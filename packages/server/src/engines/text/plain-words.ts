import { readAmounts } from './read-amounts.js'
import { countWords, tokenizeWords } from './tokenize-words.js'

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

/** Single marks are apostrophes, too: they hold a quote of so many words, or none. */
const singleQuoteWordsMin = 3
/** And names of techniques stand in them: what is quoted is in the first person, or somebody says it. */
const isOfSpeech = (before: string, words: string): boolean => saysNext.test(before) || ofOneself.test(words)
const ofOneself = /\b(?:i|me|my|mine|myself|we|us|our|you|your|it['’]s)\b/i
const saysNext =
  /(?:\b(?:sa(?:y|ys|id|ying)|stat(?:es|ed|ing)|report(?:s|ed|ing)|answer(?:s|ed)|repl(?:ies|ied)|respond(?:s|ed)|add(?:s|ed)|ask(?:s|ed)|th(?:inks?|inking|ought)|t(?:ells?|old) \w{1,20}|that|wr(?:ites|ote)|describes|described),?|[:("“”«…]) {0,2}$/i
const saysNextLengthMax = 40
/** Longer than any quote of a note: an apostrophe that opens nothing is soon known as one. */
const singleQuoteLengthMax = 600

const closers: Readonly<Record<string, string>> = {
  '"': '"“”',
  '“': '"“”',
  '”': '"“”',
  '«': '»',
  '‘': '’',
  "'": "'",
}

/** "the '90s", "told 'em", "rock 'n' roll" */
const elision = /^(?:[^\p{L}]|(?:em|til|cause|cuz|bout|tis|twas|n)\b)/iu

const isLetter = (mark: string | undefined): boolean => mark !== undefined && /[\p{L}\p{N}]/u.test(mark)

/** Where the quote that opens at this place ends; -1 where none opens. */
const findClose = (sentence: string, at: number): number => {
  const open = sentence[at] ?? ''
  const closing = closers[open]
  if (closing === undefined) return -1
  const isSingle = open === '‘' || open === "'"
  if (!isSingle) {
    for (let to = at + 1; to < sentence.length; to++) if (closing.includes(sentence[to] ?? '')) return to
    return -1
  }
  if (isLetter(sentence[at - 1]) || elision.test(sentence.slice(at + 1, at + 7))) return -1
  const end = Math.min(sentence.length, at + singleQuoteLengthMax)
  for (let to = at + 1; to < end; to++) {
    if (sentence[to] !== closing || isLetter(sentence[to + 1]) || sentence[to - 1] === ' ') continue
    const words = sentence.slice(at + 1, to)
    const isLong = countWords(words) >= singleQuoteWordsMin
    return isLong && isOfSpeech(sentence.slice(Math.max(0, at - saysNextLengthMax), at), words) ? to : -1
  }
  return -1
}

/** Marks in pairs; one that is never closed opens nothing. */
export const takeQuotes = (sentence: string): { plain: string; quotes: string[] } => {
  const quotes: string[] = []
  const parts: string[] = []
  let from = 0
  const unclosed = new Set<string>()
  for (let at = 0; at < sentence.length; at++) {
    const closing = closers[sentence[at] ?? '']
    if (closing === undefined || unclosed.has(closing)) continue
    const close = findClose(sentence, at)
    if (close === -1) {
      // Without such a mark behind it there is none behind the next, either.
      if (closing.length > 1 || closing === '»') unclosed.add(closing)
      continue
    }
    parts.push(sentence.slice(from, at), ' … ')
    quotes.push(sentence.slice(at + 1, close))
    from = close + 1
    at = close
  }
  parts.push(sentence.slice(from))
  return { plain: parts.join(''), quotes }
}
