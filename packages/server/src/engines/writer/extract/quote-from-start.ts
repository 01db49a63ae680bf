import { readAnswer } from '../../text/read-answer.js'
import { findGround, opensMatter } from './find-ground.js'
import { sectionsOf, union, type Line } from './line.js'
import { namesMedicine } from './medicine-lines.js'
import { countSaidWords, type Said, type Talk } from './read-turns.js'
import { numbersOf } from './said-numbers.js'
import {
  asksAgain,
  isAsked,
  isSilent,
  lacksSubject,
  leavesUnnamed,
  needOf,
  opensUnknown,
  pointsAtUnknown,
  saysClause,
  standsBelow,
} from './stands.js'

/** Words that a question before an answer may have, and what is said before a shred. */
const askedWordsMax = 20
const groundWordsMax = 30
const dangerGroundMax = 50
/** An answer that stands by itself less than this begins with its question; and what needs so much of what was before, with that. */
const answerNeed = 0.15
const shredNeed = 0.6

/**
 * A quote begins with what it answers: the questions of one breath before a client's first words, all of a breath of which a line about danger has the last
 * ones, and what a shred of a sentence goes on from.
 */
export const quoteFromStart = (lines: readonly Line[], talk: Talk): Line[] =>
  beginWith(lines, (line) => findBefore(line, talk))

/** "Would you come to emergency? I'd go along. See a doctor." "No.": what a clinician went on to say is not what the no is to. */
export const askWhole = (lines: readonly Line[], talk: Talk): Line[] =>
  beginWith(lines, (line) => [askedInTurn(line, talk)])

/** Each line with the first of `find`'s beginnings that no other section has. */
function beginWith(lines: readonly Line[], find: (line: Line) => readonly (readonly Said[])[]): Line[] {
  const sections = sectionsOf(lines)
  return lines.map((line) => {
    const isFree = (before: readonly Said[]): boolean => {
      const taken = before.filter((said) => (sections.get(said) ?? line.section) !== line.section)
      return taken.length === 0 || isAllOf(union(before, line.quoted), taken, { line, lines })
    }
    const before = find(line).find(isFree) ?? []
    for (const said of before) sections.set(said, line.section)
    return before.length === 0 ? line : { ...line, quoted: union(before, line.quoted) }
  })
}

/** Under Danger a question may be taken from a line that has nothing else besides what stands there: then that line goes. */
const isAllOf = (
  quoted: readonly Said[],
  taken: readonly Said[],
  { line, lines }: { line: Line; lines: readonly Line[] },
): boolean =>
  line.heading === 'Danger' &&
  lines
    .filter((other) => other !== line && other.quoted.some((said) => taken.includes(said)))
    .every((other) => other.quoted.every((said) => quoted.includes(said)))

/** What a line can begin with: all that it needs, or the question alone. */
function findBefore(line: Line, talk: Talk): (readonly Said[])[] {
  const [first] = line.quoted
  if (first === undefined || line.quoted.some(({ isTyped }) => isTyped)) return []
  const asked = findAsked(line, first, talk)
  const opening = asked[0] ?? first
  const ground = groundOf(line, opening, talk)
  const isGrounded =
    ground.length > 1 &&
    (needOf(ground[0] ?? opening) < standsBelow || opensMatter(ground[0] ?? opening)) &&
    countSaidWords(ground) - opening.words <= (opensUnnamed(line) ? dangerGroundMax : groundWordsMax)
  return (isGrounded ? [union(asked, ground), asked] : [asked]).map((before) => [
    ...topicBefore(before[0] ?? first, line, talk),
    ...before,
  ])
}

/** "The beep test. I used to get eleven.", "So, memory. I'd like to do a short test.": what the rest of the turn is about. */
const isTopic =
  /^\W*(?:(?:so|and|now|okay|right|then|next),? )*(?:the|your|my|our) [\p{L}\d-]{2,20}(?:['’]s)?(?: [\p{L}\d-]{2,20}(?:['’]s)?){0,2}\.\s*$|^\W*(?:so|and|now|okay|right|next), (?:the |your |my )?\p{L}{5,}\.\s*$/iu

function topicBefore(first: Said, { heading }: Line, { sentences }: Talk): readonly Said[] {
  const before = sentences[first.index - 1]
  return before !== undefined &&
    (before.turn === first.turn ||
      (heading === 'Danger' && before.speaker === 'clinician' && first.speaker !== 'clinician')) &&
    isTopic.test(before.raw) &&
    numbersOf(before.raw).length === 0 &&
    !saysClause(before) &&
    readAnswer(before.text) === 'open'
    ? [before]
    : []
}

/** So many "mm-hmm" may stand before what a line answers. */
const silentMax = 4

/** What stands before the first words of a line, with them. */
function groundOf(line: Line, opening: Said, talk: Talk): readonly Said[] {
  if (isShred(opening, talk)) return findGround(opening, talk)
  const before = talk.sentences
    .slice(Math.max(0, opening.index - silentMax), opening.index)
    .findLast((said) => !isSilent(said, talk))
  if (before === undefined) return []
  if (line.heading !== 'Danger' && opensUnknown(opening)) {
    const ground = findGround(before, talk)
    // "My mom was on Zyprexa." "He'll start ten milligrams.": of another medicine.
    return ground.some(namesMedicine) ? [] : [...ground, opening]
  }
  if (before.turn === opening.turn) return []
  return answersInShort(opening, before) || opensUnnamed(line) ? [...findGround(before, talk), opening] : []
}

/** "Every day?" "Sitting and standing, three times a week.": a clinician's answer without a clause. */
const answersInShort = (said: Said, before: Said): boolean =>
  said.speaker === 'clinician' &&
  !said.asks &&
  before.raw.trimEnd().endsWith('?') &&
  before.speaker !== 'clinician' &&
  !saysClause(said)

/** "I just say things." "How often does that thought come?": which thought, was said before both. */
const opensUnnamed = ({ heading, quoted }: Line): boolean => {
  const asked = quoted.findIndex(isAsked)
  const [first, question] = [quoted[0], quoted[asked]]
  return (
    heading === 'Danger' &&
    first?.speaker !== 'clinician' &&
    question !== undefined &&
    leavesUnnamed(question) &&
    countSaidWords(quoted.slice(0, asked)) <= openingWordsMax
  )
}
const openingWordsMax = 8

/** "It pays after two years.", "Not without your okay." */
const opensPointing =
  /^\W*(?:(?:and|but|so|well|yeah|yes|no|oh),? )*(?:that|this|it|they|those|these|he|she|him|her|then|not|because|or)(?:['’]\p{L}{1,2})?\b/iu

/** "Were you?", and what opens with what was said before; "How's sleep?" says what it is about. */
const isShred = (said: Said, talk: Talk): boolean => {
  if (lacksSubject(said) || leavesUnnamed(said)) return true
  if (needOf(said) < shredNeed) return false
  if (isAsked(said)) return asksAgain(said) || pointsAtUnknown(said) || /\belse\b/i.test(said.raw)
  const before = talk.sentences[said.index - 1]
  return (
    said.asks || opensPointing.test(said.raw) || (before?.speaker !== said.speaker && before?.asks === true)
  )
}

function findAsked(line: Line, first: Said, talk: Talk): readonly Said[] {
  const asked = breathBefore(first, talk)
  const [question] = asked
  if (question === undefined || countSaidWords(asked) > askedWordsMax) return []
  if (isAsked(first)) return line.heading === 'Danger' ? ofOneBreath(first, asked) : []
  const isAnswerTo =
    first.speaker !== 'clinician' &&
    needOf(first) >= answerNeed &&
    !first.asks &&
    // "Tell me about it." says nothing of what is told then.
    (needOf(question) < standsBelow || needOf(first) >= standsBelow)
  return isAnswerTo ? asked : []
}

const askedInTurn = ({ quoted }: Line, { turns }: Talk): readonly Said[] => {
  const [first] = quoted
  if (first === undefined || !isAnsweredInShort(first, quoted)) return []
  const before = (turns[first.turn]?.sentences ?? []).filter(({ index }) => index < first.index)
  const at = before.findLastIndex(isAsked)
  const asked = before.slice(at)
  return at < 0 || countSaidWords(asked) > askedWordsMax ? [] : asked
}

const isAnsweredInShort = (first: Said, quoted: readonly Said[]): boolean => {
  const answer = quoted.find(({ turn }) => turn !== first.turn)
  return (
    first.speaker === 'clinician' &&
    answer !== undefined &&
    answer.speaker !== 'clinician' &&
    readAnswer(answer.text) !== 'open' &&
    !quoted.some((said) => said.turn === first.turn && isAsked(said))
  )
}

/** "Is there any part of you that wants to do it? Or that thinks she'd be better off?"; "Eating well?" before it is of something else. */
const breathShare = 0.15
const goesOnAsking = /^\W*(?:or|and) (?:that|to|of|do|are|is|have|has|any)\b/i

const ofOneBreath = (first: Said, asked: readonly Said[]): readonly Said[] => {
  if (goesOnAsking.test(first.raw)) return asked
  const other = asked.findLastIndex(({ figures }) => (figures.places.danger ?? 0) < breathShare)
  return asked.slice(other + 1)
}

/** The clinician's questions right before a sentence: of its own turn, or of the one before it. */
function breathBefore(first: Said, talk: Talk): Said[] {
  const asked: Said[] = []
  for (let at = first.index - 1; at >= 0; at -= 1) {
    const said = talk.sentences[at]
    if (said === undefined) break
    if (isSilent(said, talk)) continue
    const isOne = asked.length === 0 || said.turn === asked[0]?.turn
    const isNear = first.speaker !== 'clinician' || said.turn === first.turn
    if (!isAsked(said) || !isOne || !isNear) break
    asked.unshift(said)
  }
  return asked
}
