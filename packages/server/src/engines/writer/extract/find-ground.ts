import type { Said, Talk } from './read-turns.js'
import { needOf, passOver, standsBelow } from './stands.js'

const sentencesMax = 4
const wordsMax = 60

/** A sentence with what was said before it, back to one that stands; the nearest ones where none does. */
export function findGround(said: Said, talk: Talk): Said[] {
  const needed = [said]
  let words = 0
  for (let at = said.index - 1; at >= 0 && needOf(needed[0] ?? said) >= standsBelow; at -= 1) {
    const one = talk.sentences[at]
    if (one === undefined || needed.length > sentencesMax || words + one.words > wordsMax) break
    if (passOver(one, talk) < 1) continue
    needed.unshift(one)
    words += one.words
  }
  return needed
}
