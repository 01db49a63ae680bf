import { isContentWord, stemWord, tokenizeWords } from '../../text/tokenize-words.js'

/** Words that say something, as they are compared. */
export const stemsOf = (text: string): string[] =>
  tokenizeWords(text)
    .map(({ lower }) => lower)
    .filter(isContentWord)
    .map(stemWord)

export const contentOf = (text: string): number =>
  tokenizeWords(text).filter(({ lower }) => isContentWord(lower)).length
