import { toPlain } from '../talk/read-talk.js'
import { DANGER_WORDS } from './danger-words.js'
import { withoutFigures } from './figures-of-speech.js'

/** Whether a sentence has words of danger, sure ones or such as have a harmless use, too. */
export const namesDanger = (sentence: string): boolean => {
  const plain = withoutFigures(toPlain(sentence))
  return DANGER_WORDS.some(({ pattern }) => pattern.test(plain))
}
