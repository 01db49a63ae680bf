import { toPlain } from '../talk/read-talk.js'
import { DANGER_WORDS } from './danger-words.js'
import { withoutFigures } from './figures-of-speech.js'

/** Whether a sentence has words of danger, sure ones or such as have a harmless use, too. */
export const namesDanger = (sentence: string): boolean => {
  const plain = toPlain(sentence)
  // Figures cost more to look for than words, and most sentences have none of them.
  return hasWord(plain) && hasWord(withoutFigures(plain))
}

const hasWord = (plain: string): boolean => DANGER_WORDS.some(({ pattern }) => pattern.test(plain))
