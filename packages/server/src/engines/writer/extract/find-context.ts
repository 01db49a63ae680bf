import type { Reading } from '../../reader/reading.js'
import { contentOf, stemsOf } from './content-words.js'
import type { Said, Talk } from './read-turns.js'

/** Points at what was said before it, or is no sentence by itself. */
const pointsBack =
  /^(?:(?:but|and|so|because|'cause|cause|or|also|then|well|i mean|plus|which)\b[, ]*)*(?:(?:it|that|this(?! (?:week|morning|month|year|time|weekend|past|summer|winter|spring|fall|autumn))|they|he|she|those|these|them|him|her|its|his|their|one|ones|both|neither|either|same|which|who|because|or|then|also|not|maybe|about|around|just|more|less|until|since|probably|mostly|sometimes|usually|occasionally|every|only|once|twice|yes|yeah|yep|yup|no|nope|nah|never|none|nothing|correct|exactly|right|sort of|kind of|pretty|quite|very|too|up|down|at|in|on|for|from|with|like|or|to)\b|(?:it|that|they|he|she)['’])/i

const hasSubject =
  /\b(?:i|we|he|she|they|it|you|there|my|our|nobody|everybody|everyone|people|someone)\b|\b(?:i|we|he|she|they|it|you|there|that)['’]|\b(?:the|a|an|his|her) \w+ (?:is|was|are|were|says|said|has|had|does|did|goes|went|gets|got|helps|makes|made|took|takes|came|comes|feels|hurts)\b/i
const pointsAway = /\b(?:it|that|them|him|her|they|he|she|this|those)\b(?! (?:week|morning|month|year|time))/i

/** Whether a reader who sees only this sentence would have to guess. */
export function needsContext(said: Said): boolean {
  const content = contentOf(said.text)
  if (said.words <= 3 || content <= 1 || (content <= 2 && said.words <= 6)) return true
  if (pointsBack.test(said.text)) return true
  if (!hasSubject.test(said.text) && said.words <= fragmentWordsMax && said.speaker !== 'clinician')
    return true
  return content <= 3 && pointsAway.test(said.text)
}

/** Needs what stands before it, and nothing does: such a sentence means nothing in a note. */
export const isAdrift = (said: Said, context: readonly Said[]): boolean =>
  context.length === 0 && needsContext(said) && contentOf(said.text) <= adriftContentMax

const adriftContentMax = 2

/** Without a subject, up to so many words are an answer and no statement. */
const fragmentWordsMax = 12

/** How many sentences back an understanding may need; behind that a clinician looks at the transcript. */
const stepsMax = 3

/**
 * The sentences without which this one cannot be understood, the earliest first: what the same person said just before,
 * the question it answers, else what it replies to.
 */
export function makeContextFinder(talk: Talk, reading: Reading): (said: Said) => readonly Said[] {
  const known = new Map<number, readonly Said[]>()
  return (said) => {
    const found = known.get(said.index) ?? walkBack(said, talk, reading)
    known.set(said.index, found)
    return found
  }
}

function walkBack(said: Said, talk: Talk, reading: Reading): Said[] {
  const found: Said[] = []
  let current = said
  for (let step = 0; step < stepsMax && needsContext(current); step += 1) {
    const before = findBefore(current, talk, reading)
    if (before === null) break
    found.unshift(before)
    current = before
    // Behind a question stands another matter, unless it asks about what was said before: "how often?"
    if (before.asks && !asksOn(before)) break
  }
  return found
}

/** "How often?", "Like what?", "And with him?": says nothing without what stood before. */
const asksOn = (said: Said): boolean =>
  contentOf(said.text) === 0 || (said.words <= 6 && (onward.test(said.text) || pointsAway.test(said.text)))

const onward =
  /^(?:(?:and|so|but|okay|oh|well)[, ]+)*(?:how (?:often|long|much|many|so|come|bad|about)|since when|for how long|when|where|why|like what|such as|what (?:kind|sort|else|about|happened|then)|who|which|anything else|any other|and|more)\b/i

/** Between two sentences of a turn stand at most a few words of a listener. */
const stepsBackMax = 8

function findBefore(said: Said, talk: Talk, reading: Reading): Said | null {
  for (let back = 1; back <= stepsBackMax; back += 1) {
    const one = talk.sentences[said.index - back]
    if (one === undefined || (one.turn !== said.turn && !one.isBackchannel)) break
    // Before a short question a word like "ouch" helps nobody.
    const isEmpty = said.asks && said.speaker === 'clinician' && contentOf(one.text) <= 1
    if (one.turn === said.turn && !one.isBackchannel && !isEmpty) return one
  }
  const asked = findQuestion(said, talk, reading)
  // A clinician goes on to something new: what the client said last is not what they speak of.
  return asked ?? (said.speaker === 'clinician' && !said.asks ? null : findReplied(said, talk))
}

/** A question that more sentences follow is not what was answered. */
const sentencesOfQuestionMax = 12

/** The question that an item answers, as the reader found it. */
export function findQuestion(said: Said, talk: Talk, reading: Reading): Said | null {
  const asked = said.items.map((item) => reading.questionOf[item]).find((item) => item !== undefined)
  if (asked === undefined) return null
  const there = (talk.byItem[asked] ?? [])
    .slice(-sentencesOfQuestionMax)
    .filter((one) => one.index < said.index && one.speaker !== said.speaker)
  return there.findLast((one) => one.asks) ?? there.at(-1) ?? null
}

/** Said out of kindness: what follows goes on with what was said before. */
const comments =
  /^(?:that(?:['’]s| is| was| sounds| must| makes)|i(?:['’]m| am) (?:so |really |very )?(?:sorry|glad)|i (?:hear|bet|see|understand|can (?:hear|see|imagine))|wow|oh|good|great|right|okay|sure|it sounds|sounds like|thank)\b/i

/** How far back a speaker goes on with their own words. */
const sentencesBackMax = 6

/** The last words of the other if nothing stands between; where they only commented, the speaker's own before. */
function findReplied(said: Said, talk: Talk): Said | null {
  const back = talk.sentences
    .slice(Math.max(0, said.index - sentencesBackMax), said.index)
    .filter((one) => !one.isBackchannel)
  const before = back.at(-1)
  if (before === undefined || before.speaker === said.speaker) return null
  const own = back.findLast((one) => one.speaker === said.speaker)
  const isComment = comments.test(before.text) || (own !== undefined && repeats(before, own))
  if (before.asks || !isComment) return before
  const between = own === undefined ? [] : back.filter((one) => one.index > own.index)
  return own !== undefined && between.every((one) => !one.asks) ? own : before
}

/** "Four or five times." after "four, five times a night". */
function repeats(said: Said, own: Said): boolean {
  const there = new Set(stemsOf(own.text))
  return stemsOf(said.text).every((stem) => there.has(stem))
}
