import { findNumbers } from '../text/find-numbers.js'
import { isContentWord, tokenizeWords } from '../text/tokenize-words.js'
import type { Spoken } from './read-session.js'

/** "They can do that": a clause of function words. */
export const saysNothing = (text: string): boolean => {
  const words = tokenizeWords(text).filter(({ lower }) => isContentWord(lower) && !emptyWords.has(lower))
  return words.length < 2 && findNumbers(tokenizeWords(text)).length === 0
}

/** "They do that": not one word of its own. */
export const isHollow = (text: string): boolean => {
  const tokens = tokenizeWords(text.replace(/^asked [^,]+, /, ''))
  return findNumbers(tokens).length === 0 && tokens.every(({ lower }) => !isContentWord(lower) || lower === 'client' || lower === 'reported')
}

const emptyWords = new Set(
  'right boy god gosh meh weird client reported reports asked think mean say said know want sure try trying okay fine guess see participant plans'.split(
    ' ',
  ),
)

/** "Let me take your blood pressure. It's 132 over 86." */
export const nameMeasure = (text: string, { previous }: Spoken): string => {
  const measure = /\b(?:blood pressure|weight|pulse|temperature|score)\b/i.exec(previous?.clean ?? '')?.[0]
  return measure === undefined ? text : text.replace(/^it is\b/i, `${measure.toLowerCase()} is`)
}
