import { readAnswer } from '../../text/read-answer.js'
import { partExchanges, type Line } from './line.js'
import { hasDangerWord } from './quote-finding.js'
import { countSaidWords, heatOfSaid, shareOfPlace, type Said } from './read-turns.js'
import { isAsked, needOf, standsBelow } from './stands.js'
import { hasHint, isWitnessed } from './two-witnesses.js'

/** Below this an exchange without a word for danger is of something else, however near to it. */
const coldShare = 0.3
/** What is cut off says something by itself from so many words on, and is then quoted elsewhere. */
const leftWordsMin = 6
const leftWorthMin = 0.35
const leftHeatMin = 0.5

/**
 * A line under Danger begins and ends with it: "They make my stomach hurt." before "Anybody hurting you?" is of something else, and
 * so is what was asked behind the last answer. What is cut off stands under Other, if it says something. In between everything stays but what only shows
 * that somebody listened.
 */
export function trimDanger(line: Line, reportSection: string): Line[] {
  const parts = partExchanges(line.quoted)
  if (line.quoted.some(({ isTyped }) => isTyped)) return [line]
  const from = findStart(parts)
  const to = findEnd(parts, from)
  const kept = withoutNods(dropOpen(withoutCold(parts.slice(from, to + 1).flat())))
  // What came there for its neighbours alone is for the gate to judge.
  if (kept.length === 0 || !isWitnessed(kept)) return [line]
  const left = [parts.slice(0, from).flat(), parts.slice(to + 1).flat()].map(dropOpen)
  return [
    { ...line, quoted: kept },
    ...left
      .filter((quoted) => saysSomething(quoted))
      .map((quoted): Line => ({ ...line, section: reportSection, heading: 'Other', label: '', quoted })),
  ]
}

const isCold = (part: readonly Said[]): boolean =>
  !isWitnessed(part) && !hasHint(part) && shareOf(part) < coldShare

const shareOf = (part: readonly Said[]): number => {
  const answers = part.filter(({ speaker }) => speaker !== 'clinician')
  return Math.max(shareOfPlace(part, 'danger'), answers.length > 0 ? shareOfPlace(answers, 'danger') : 0)
}

/** The first exchange that is of danger and can begin a quote; what leads to one that cannot stays before it. */
function findStart(parts: readonly (readonly Said[])[]): number {
  const hot = parts.findIndex((part) => !isCold(part))
  const [first] = parts[hot] ?? []
  const stands =
    first !== undefined && (needOf(first) < standsBelow || (isAsked(first) && hasDangerWord([first])))
  return hot > 0 && stands ? hot : 0
}

/** "Was he close to you?" */
const pointsBack = /\b(?:he|she|him|her|his|they|them|their|it|that|those|this|there|then)\b/i

/** Behind the last exchange that is of danger, unless what follows is understood by what was before. */
function findEnd(parts: readonly (readonly Said[])[], from: number): number {
  const hot = parts.findLastIndex((part, at) => at <= from || !isCold(part))
  // "Define overdose.": what was asked is told behind it.
  const answer = (parts[hot] ?? []).filter(({ speaker }) => speaker !== 'clinician')
  const isOpen =
    countSaidWords(answer) <= openWordsMax && answer.every(({ text }) => readAnswer(text) === 'open')
  const [next] = parts[hot + 1] ?? []
  const isOwn = next !== undefined && needOf(next) < standsBelow && !pointsBack.test(next.raw)
  return isOwn && !isOpen ? hot : parts.length - 1
}
const openWordsMax = 8

/** "I used to fish every Saturday." before "Carl, my buddy, passed. He shot himself.": what is of another turn and asks nothing. */
function withoutCold(quoted: readonly Said[]): readonly Said[] {
  const hot = quoted.find((said) => said.asks || !isCold([said]))
  const from = quoted.findIndex(({ turn }) => turn === hot?.turn)
  const isColdest = quoted
    .slice(0, from)
    .every(({ speaker, figures }) => speaker !== 'clinician' && (figures.places.danger ?? 0) < coldestShare)
  return from > 0 && isColdest && !opensPointing.test(quoted[from]?.raw ?? '') ? quoted.slice(from) : quoted
}
const coldestShare = 0.1
const opensPointing =
  /^\W*(?:(?:and|but|so|well|yeah|no|yes),? )*(?:he|she|it|that|this|they|those|these|him|her)\b/i

/** A question behind which a line ends was answered elsewhere, or not at all. */
function dropOpen(quoted: readonly Said[]): readonly Said[] {
  const last = quoted.findLastIndex((said) => !isAsked(said) || hasDangerWord([said]))
  return last < 0 ? quoted : quoted.slice(0, last + 1)
}

/** "Thank you for an honest answer." before the next question, or at the end. */
const nodWordsMax = 10
const nodWorthMax = 0.25

const withoutNods = (quoted: readonly Said[]): Said[] =>
  quoted.filter((said, at) => {
    const next = quoted[at + 1]
    const isLast = next === undefined || (next.turn === said.turn && isAsked(next))
    return !(
      at > 0 &&
      isLast &&
      said.speaker === 'clinician' &&
      !said.asks &&
      said.words <= nodWordsMax &&
      said.figures.worth < nodWorthMax &&
      (said.figures.places.danger ?? 0) < coldShare &&
      !hasDangerWord([said]) &&
      !hasHint([said])
    )
  })

/** What is neither of worth nor may be of danger is left out. */
export const saysSomething = (quoted: readonly Said[]): boolean =>
  quoted.some((said) => !isAsked(said)) &&
  countSaidWords(quoted) >= leftWordsMin &&
  quoted.some((said) => said.figures.worth >= leftWorthMin || heatOfSaid(said) >= leftHeatMin)
