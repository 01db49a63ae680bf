import { findSaidMedicines } from '../../lexicon/said-medicines.js'
import type { Said, Talk } from './read-turns.js'
import { remember } from './remember.js'
import { isAsked, isHollow, needOf, passOver, standsBelow } from './stands.js'

const sentencesMax = 4
const wordsMax = 60

/** A sentence with what was said before it, back to one that stands; the nearest ones where none does. */
export function findGround(said: Said, talk: Talk): Said[] {
  const needed = [said]
  let words = 0
  for (let at = said.index - 1; at >= 0 && needOf(needed[0] ?? said) >= standsBelow; at -= 1) {
    const one = talk.sentences[at]
    if (one === undefined || needed.length > sentencesMax || words + one.words > wordsMax) break
    if (passOver(one, talk) < 1 && !opensMatter(one)) continue
    needed.unshift(one)
    words += one.words
    if (opensMatter(one)) break
  }
  return needed
}

/** "Now the mood.", "And cravings?", "And this bottle, lorazepam, …": what is said behind it is of that. */
const isTopic =
  /^\W*(?:(?:okay|so|all right|right|good),? )?(?:now|and|next)?,? ?(?:(?:to|about) )?(?:(?:the|your) )?\p{L}{4,20}[.?]\s*$/iu
const matterWordsMax = 4

/** Whether a clinician names with it what is spoken of next. */
export const opensMatter = remember(
  (said: Said): boolean =>
    said.speaker === 'clinician' &&
    ((said.words <= matterWordsMax && opensTopic(said)) ||
      (needOf(said) < namedBelow && findSaidMedicines(said.raw).length > 0)),
)

/** What names a medicine says more than its first words do. */
const namedBelow = 0.6

const opensTopic = ({ raw }: Said): boolean =>
  isTopic.test(raw) && (/\?\s*$/.test(raw) || /\b(?:now|next)\b/i.test(raw))

/** "Are you still seeing her?", "It's got a number thing.": what is meant stands right before it. */
const opensWithIt = /^\W*(?:(?:and|but|so|well|yeah),? )*(?:it|that|those|these|they)(?:['’]\p{L}{1,2})?\b/iu
const endsWithIt = /\b(?:it|them|those|that|her|him)\W*$/i
/** "I stopped it.": a longer statement may name it itself. */
const shortWordsMax = 5
/** Fewer words name nothing, more are another quote. */
const namedWords = { min: 4, max: 25 }

/** What a quote that begins with a pronoun stands for: the sentence before it in its turn, or the question that it answers. */
export function findNamed(said: Said, { sentences }: Talk): Said[] {
  const before = sentences[said.index - 1]
  if (before === undefined || said.isTyped) return []
  const isOwn = before.turn === said.turn && !isHollow(before)
  const isAnswer = isAsked(before) && said.speaker !== 'clinician'
  const endsOpen = (isAsked(said) || said.words <= shortWordsMax) && endsWithIt.test(said.text)
  const points = opensWithIt.test(said.text) || endsOpen
  return points && (isOwn || isAnswer) && before.words >= namedWords.min && before.words <= namedWords.max
    ? [before]
    : []
}
