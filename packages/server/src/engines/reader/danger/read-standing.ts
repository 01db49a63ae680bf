import { readAnswer } from '../questions/read-answer.js'
import type { Standing } from '../reading.js'
import type { Hit } from './mark-items.js'

const denies =
  /(?:\b(?:no|not|never|without|nothing|nobody|none|deny|denies|denied|neither|nor|cannot)\b|n't\b)(?=[^.?!,;]{0,40}$)(?![^.?!]*\b(?:but|because|so|and then|just|only|until|since)\b)[^.?!,;]{0,40}$/
/** "Wouldn't mind not waking up": what is denied is the minding. */
const ownWay = /^(?:mind|care|sorry|bad|hop|wish|pray|rather)/
const doubts =
  /\b(?:i guess|maybe|i don't know if|not sure (?:if|whether|i)|i wonder (?:if|whether)|i don't know (?:that|whether)|kind of|sort of|might|probably)\b/
const doubled = /\bnot not\b|\bnever say never\b|\bisn't that i don't\b/

/** Whether danger is affirmed, denied or left unclear by words that answer no question. */
export const readVolunteered = (hit: Hit): Standing => {
  const { before, matched, sentence } = hit
  if (doubled.test(sentence.plain)) return 'unclear'
  if (/^(?:n't|not|never|without)\b/.test(matched)) return doubts.test(before) ? 'unclear' : 'affirmed'
  if (denies.test(before) && !ownWay.test(matched)) return /\bbut\b/.test(hit.behind) ? 'unclear' : 'denied'
  if (sentence.asks) return 'unclear'
  return doubts.test(before) || !hit.isSure ? 'unclear' : 'affirmed'
}

const isOpen =
  /^(?:(?:and|so|but|okay|well|then|now|right|yeah)[, ]+)*(?:what|how|when|where|who|why|which|tell me|describe|walk me|say more)\b(?! about (?:thoughts|plans?|any)|'s your plan)/
const checksDenial =
  /^(?:(?:so|and|okay|but|then|right|alright)[, ]+)*(?:no\b|not\b|never\b|none\b|nothing\b|you(?:'re| are|'ve| have| do)(?:n't| not| never)|you don't|you haven't|nobody\b)/

export interface AskedAnswer {
  question: string
  answer: string
  /** Whether the answer speaks of the danger by itself. */
  hasOwnWords: boolean
  /** The encoder's figure for the answer. */
  score: number
}

/** An answer that is believed to be about the danger though it says neither yes nor no. */
const tellsAt = 0.4
const tellsWordsMin = 4
/** "Yeah, that's right." */
const agreeingWordsMax = 4

/** What an answer says of the thing that was asked; only a plain denial is one. */
export const readAnswered = ({ question, answer, hasOwnWords, score }: AskedAnswer): Standing => {
  const said = readAnswer(answer)
  if (said === 'no') return hasOwnWords ? 'unclear' : 'denied'
  if (said === 'unclear')
    return hasOwnWords && !/\b(?:joke|joking|kidding)\b/.test(answer) ? 'affirmed' : 'unclear'
  // "So no thoughts of dying?" – "Right."; but "Not even at night?" – "Well, yeah, at night they come."
  if (checksDenial.test(question)) {
    if (hasOwnWords) return 'affirmed'
    const agrees =
      answer.split(' ').length <= agreeingWordsMax || /\b(?:no|not|never|nothing|none)\b/.test(answer)
    return said === 'yes' && agrees ? 'denied' : 'unclear'
  }
  if (said === 'yes' || hasOwnWords || isOpen.test(question)) return 'affirmed'
  return score >= tellsAt && answer.split(' ').length >= tellsWordsMin ? 'affirmed' : 'unclear'
}
