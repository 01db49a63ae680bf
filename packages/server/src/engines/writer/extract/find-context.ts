import type { Reading, Stands } from '../../reader/reading.js'
import { isContentWord, tokenizeWords } from '../../text/tokenize-words.js'
import type { Said, Talk } from './read-turns.js'

/** How many sentences before it an understanding may need; behind that a clinician looks at the transcript. */
const sentencesMax = 3
/** Between two sentences that belong together stand at most so many that say nothing. */
const emptyMax = 6
/** From this share on it is not taken for a sentence that stands. */
const standsAt = 0.5
const mayStandAt = 0.15
const pointingStandsAt = 0.7
const shredAt = 0.5
const goesOnAt = 0.5

/** What must be quoted with a sentence, the earliest first, itself included; null: it cannot be understood with that either. */
export interface ContextFinder {
  (said: Said): readonly Said[] | null
  /** With the one sentence that it rests on, whether or not that can be understood. */
  nearest: (said: Said) => readonly Said[] | null
}

export function makeContextFinder(talk: Talk, reading: Reading): ContextFinder {
  const known = new Map<number, readonly Said[] | null>()
  const find = (said: Said): readonly Said[] | null => {
    const found = known.get(said.index)
    if (found !== undefined) return found
    const all = findNeeded(said, talk, reading)
    const needed = all !== null && isInOrder(all) ? all : null
    known.set(said.index, needed)
    return needed
  }
  const nearest = (said: Said): readonly Said[] | null => {
    if (isShred(said) || isAsked(said)) return null
    const before = findBefore(said, talk, reading)
    return before === null ? null : [before, said]
  }
  return Object.assign(find, { nearest })
}

/** What was said in the middle of a sentence that went on answers nothing of it. */
const isInOrder = (sentences: readonly Said[]): boolean =>
  sentences.every((said, at) => at === 0 || (sentences[at - 1]?.items.at(-1) ?? 0) <= (said.items[0] ?? 0))

const share = (said: Said, stands: Stands): number => said.figures.stands[stands] ?? 0

const isShred = (said: Said): boolean => said.isBackchannel || share(said, 'shred') >= shredAt

/** "Veto." is nothing by itself, whatever its figures. */
const wordsMin = 3
/** A question of so many words that points nowhere says what it asks about. */
const questionWordsMin = 5

/** Taken to stand if it is likely enough, or possible and no word of it points anywhere. */
function standsAlone(said: Said): boolean {
  if (isShred(said) || (said.words < wordsMin && !isAsked(said))) return false
  if (isAsked(said) && said.words >= questionWordsMin && !pointing.test(said.text)) return true
  const alone = share(said, 'alone') + share(said, 'goes_on')
  if (alone < mayStandAt) return false
  if (opensPointing.test(said.text)) return alone >= pointingStandsAt
  return alone >= standsAt || pointsNowhere(said)
}

const opensPointing =
  /^(?:(?:and|but|so|then|because|or),? )*(?:it|that|this|these|those|they|he|she|makes|made)\b/i
const pointing =
  /\b(?:it|its|that|this|these|those|they|them|their|he|him|his|she|her|hers|one|ones|both|there|then|same|other|another|too|also|either|neither|else|instead|again)\b/i
/** "Twenty-five for six days." leaves out of what. */
const hasSubject = /\b(?:i|we|you|my|our|your)\b/i
const contentWordsMin = 4

const pointsNowhere = ({ text }: Said): boolean =>
  !pointing.test(text) &&
  hasSubject.test(text) &&
  tokenizeWords(text).filter(({ lower }) => isContentWord(lower)).length >= contentWordsMin

/** Nothing for a note: between sentences it is left out, and nothing rests on it. */
const isEmpty = (said: Said): boolean => said.isBackchannel || said.place === 'none' || isShred(said)

function findNeeded(said: Said, talk: Talk, reading: Reading): readonly Said[] | null {
  if (isShred(said)) return null
  const needed = findGround(said, talk, reading) ?? findExchange(said, talk, reading)
  if (needed === null) return null
  if (isAsked(said)) {
    const answer = findAnswer(said, talk)
    return answer === null ? null : [...needed, answer]
  }
  if (share(said, 'goes_on') < goesOnAt) return needed
  const next = findNext(said, talk)
  return next === null ? null : [...needed, next]
}

/** Back from one to the next that it rests on, up to one that stands. */
function findGround(said: Said, talk: Talk, reading: Reading): Said[] | null {
  const needed = [said]
  let first = said
  while (!standsAlone(first)) {
    if (needed.length > sentencesMax && isStory(needed)) break
    const before = findBefore(first, talk, reading)
    if (before === null || needed.length > sentencesMax || isOverlapping(before, first)) return null
    needed.unshift(before)
    first = before
  }
  return needed
}

/** An unbroken exchange of so few words is understood, if its first sentence likely is. */
const exchangeWordsMax = 30
const exchangeSentencesMax = 6
const opensAt = 0.4
const openingWordsMin = 4

/** All that was said before it in its turn, and in the other's before that, from a question or what may stand on. */
function findExchange(said: Said, talk: Talk, { questionOf }: Reading): Said[] | null {
  const asked = said.items.map((item) => questionOf[item]).find((item) => item !== undefined)
  const needed = [said]
  let words = said.words
  for (let at = said.index - 1; at >= 0 && needed.length < exchangeSentencesMax; at -= 1) {
    const one = talk.sentences[at]
    if (one === undefined || isOverlapping(one, said)) return null
    if (one.isBackchannel) continue
    const isNear = one.turn === said.turn || one.turn === said.turn - 1
    words += one.words
    if (!isNear || words > exchangeWordsMax) return null
    // It answers another question than this.
    if (one.asks && one.turn !== said.turn && asked !== undefined && !one.items.includes(asked)) return null
    if (!isEmpty(one) || one.asks) needed.unshift(one)
    if (mayOpen(one)) return needed
  }
  return null
}

const mayOpen = (said: Said): boolean =>
  said.words >= openingWordsMin &&
  !isShred(said) &&
  (isAsked(said) ||
    (said.place !== 'none' &&
      share(said, 'alone') + share(said, 'goes_on') >= opensAt &&
      !opensPointing.test(said.text)))

/** A sentence that a "mm-hmm" broke ends after what was said meanwhile, and is no ground of it. */
const isOverlapping = (before: Said, after: Said): boolean =>
  (before.items.at(-1) ?? 0) > (after.items[0] ?? 0)

/** So many words of one matter are understood, even if they do not begin at its beginning. */
const storyWordsMin = 25

function isStory(needed: readonly Said[]): boolean {
  const [first] = needed
  const last = needed.at(-1)
  return (
    first !== undefined &&
    first.words >= wordsMin &&
    needed.every((said) => said.asks || said.place === last?.place) &&
    needed.reduce((sum, { words }) => sum + words, 0) >= storyWordsMin
  )
}

/** A clinician's question, which says nothing without its answer. */
export const isAsked = (said: Said): boolean => said.speaker === 'clinician' && said.asks

/** The next words, if they are another's, and no question back. */
function findAnswer(said: Said, talk: Talk): Said | null {
  const next = talk.sentences[said.index + 1]
  return next === undefined || next.speaker === said.speaker || next.asks ? null : next
}

/** The sentence that this one rests on: the question that it answers, what the same person said just before, or what it replies to. */
function findBefore(said: Said, talk: Talk, reading: Reading): Said | null {
  const own = lookBack(said, talk)
  const question = findQuestion(said, talk, reading)
  if (share(said, 'answers') > share(said, 'points_back')) return question ?? own
  return own ?? question ?? findReplied(said, talk)
}

/** In the same turn; what is empty is passed over. */
function lookBack(said: Said, talk: Talk): Said | null {
  for (let back = 1; back <= emptyMax; back += 1) {
    const one = talk.sentences[said.index - back]
    if (one === undefined || (one.turn !== said.turn && !one.isBackchannel)) return null
    if (one.turn === said.turn && !isEmpty(one)) return one
  }
  return null
}

function findNext(said: Said, talk: Talk): Said | null {
  for (let ahead = 1; ahead <= emptyMax; ahead += 1) {
    const one = talk.sentences[said.index + ahead]
    if (one === undefined || (one.turn !== said.turn && !one.isBackchannel)) return null
    if (one.turn === said.turn && !isEmpty(one)) return one
  }
  return null
}

/** Sentences between a question and a later sentence of its answer. */
const answerSentencesMax = 12

/** The question that the turn answers, as the reader found it, if nobody else asked since; else the one right before it. */
function findQuestion(said: Said, talk: Talk, reading: Reading): Said | null {
  const asked = said.items.map((item) => reading.questionOf[item]).find((item) => item !== undefined)
  const back = talk.sentences.slice(Math.max(0, said.index - answerSentencesMax), said.index)
  const last = back.findLast((one) => one.speaker !== said.speaker && !one.isBackchannel)
  const latest = back.findLast((one) => one.speaker !== said.speaker && one.asks)
  if (latest === undefined) return null
  return asked === undefined
    ? latest === last
      ? latest
      : null
    : latest.items.includes(asked)
      ? latest
      : null
}

/** The last words of the other, if they say something: "That one made me dizzy." after "And the sertraline." */
function findReplied(said: Said, talk: Talk): Said | null {
  const back = talk.sentences.slice(Math.max(0, said.index - emptyMax), said.index)
  const before = back.findLast((one) => !isEmpty(one))
  return before === undefined || before.turn === said.turn ? null : before
}
