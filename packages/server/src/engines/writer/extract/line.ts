import { readAnswer } from '../../text/read-answer.js'
import { hasDangerWord } from './quote-finding.js'
import { countSaidWords, shareOfPlace, type Said, type Talk } from './read-turns.js'
import { renderLine } from './render-line.js'
import { isAsked, isHollow, needOf, standsBelow } from './stands.js'

/** More between two lines about danger, and the second is of something else. */
export const betweenWordsMax = 30
/** How many words lines that are joined may have together: a longer line is not read. */
export const joinedWordsMax = 160

/** Sub-headings that a line can stand under, in the order in which they stand in a section. */
export const HEADINGS = ['Danger', 'Medicines', 'Allergies', 'Interventions', 'Other'] as const
export type Heading = (typeof HEADINGS)[number]

/** One line of a note. */
export interface Line {
  section: string
  heading: Heading | null
  /** What the reader knows exactly, before the quote; empty for a plain quote. */
  label: string
  /** Sentences that are quoted in it, in the order of the session. */
  quoted: readonly Said[]
  /** The worth of its weightiest sentence. */
  worth: number
}

/** Where each sentence is quoted: a quote stands in one section. */
export const sectionsOf = (lines: readonly Line[]): Map<Said, string> =>
  new Map(lines.flatMap(({ section, quoted }) => quoted.map((said) => [said, section] as const)))

export const textOf = ({ label, quoted }: Line): string =>
  [label, renderLine(quoted)].filter(Boolean).join(' ')

export const itemsOf = (lines: readonly Line[]): number[] =>
  [...new Set(lines.flatMap(({ quoted }) => quoted.flatMap(({ items }) => items)))].toSorted((a, b) => a - b)

/**
 * What was added about danger stands once: the rest of an answer in the line that has its question, a question of its own in a
 * line of its own, which stands in `reportSection` where it is about something else by then.
 */
export function mergeLines(
  danger: readonly Line[],
  added: readonly Line[],
  { reportSection }: { reportSection: string },
): Line[] {
  const lines = [...danger]
  const lineOf = new Map(danger.flatMap((line, at) => line.quoted.map((said) => [said, at] as const)))
  for (const line of added) {
    if (line.heading !== 'Danger') {
      lines.push(line)
      continue
    }
    let at: number | undefined
    for (const said of line.quoted) {
      const known = lineOf.get(said)
      const there = lines[at ?? -1]
      if (known !== undefined) at = known
      else if (there === undefined || opensLine(said, there)) at = lines.push({ ...line, quoted: [said] }) - 1
      else lines[at ?? -1] = { ...there, quoted: union(there.quoted, [said]) }
      lineOf.set(said, at ?? -1)
    }
  }
  return joinAsked(lines).flatMap((line) => {
    if (line.label !== '' || line.heading !== 'Danger' || hasDangerWord(line.quoted)) return [line]
    // "And your own mood?", of one breath with what was asked about danger.
    if (line.quoted.length > 0 && line.quoted.every(isAsked)) return []
    return !isOfAnother(line) ? [line] : [{ ...line, section: reportSection, heading: 'Other' as const }]
  })
}

/** A question begins another matter, unless it points back or was asked in one breath with one that stands there. */
const opensLine = (said: Said, { quoted }: Line): boolean =>
  isAsked(said) &&
  needOf(said) < standsBelow &&
  quoted.at(-1)?.asks !== true &&
  !quoted.some(({ turn }) => turn === said.turn)

/** Below this the encoder takes what is quoted for talk about something else. */
const dangerShareMin = 0.5

/** "I told my grandma I'd be here for her birthday." – "When's her birthday?" */
const isOfAnother = ({ quoted }: Line): boolean =>
  quoted.length > 0 && shareOfPlace(quoted, 'danger') < dangerShareMin

/** Sentences between a question that was left open and the next one. */
const openSentencesMax = 3

/** A question about danger that nobody answered at once stands with the next one of the same stretch. */
function joinAsked(lines: readonly Line[]): Line[] {
  const joined: Line[] = []
  const inTime = lines.toSorted((a, b) => (a.quoted[0]?.index ?? Infinity) - (b.quoted[0]?.index ?? Infinity))
  for (const line of inTime) {
    const at = joined.findLastIndex(({ heading }) => heading === 'Danger')
    const open = joined[at]
    const distance = (line.quoted[0]?.index ?? Infinity) - (open?.quoted.at(-1)?.index ?? 0)
    if (
      line.heading === 'Danger' &&
      open !== undefined &&
      open.quoted.length > 0 &&
      open.quoted.every(isAsked) &&
      (hasDangerWord(open.quoted) || isAnsweredBy(open, line)) &&
      distance <= openSentencesMax
    )
      joined[at] = { ...line, quoted: union(open.quoted, line.quoted) }
    else joined.push(line)
  }
  return joined
}

/** Another's words, right behind it. */
const isAnsweredBy = ({ quoted: asked }: Line, { quoted: [first] }: Line): boolean =>
  first !== undefined && first.speaker !== asked[0]?.speaker && first.index - (asked.at(-1)?.index ?? 0) === 1

/** So many sentences of one turn may stand between a question and its end. */
const behindSentencesMax = 2
/** "No, doctor.": longer answers say themselves what they are about. */
const bareWordsMax = 3
/** More between two answers was another matter. */
const answersWordsMax = 20

/**
 * An answer stands behind what it answers. Where a line begins with a yes or a no, or behind a question of its turn and goes on to what
 * another says to it, it begins with the question; where an answer was passed over ("Yeah, yeah."), or what somebody said between two answers, it stands there.
 */
export function closeGaps(line: Line, { sentences, turns }: Talk): Line {
  const [first, ...rest] = line.quoted
  if (first === undefined || first.isTyped) return line
  const quoted = [...askedBefore(first, rest, sentences), first]
  for (const said of rest) {
    const before = quoted.at(-1) ?? first
    const between = sentences.slice(before.index + 1, said.index)
    if (said.turn !== before.turn && isAnswerLost(before, said, { between, quoted }))
      quoted.push(...between.filter((one) => said.speaker !== before.speaker || !one.isBackchannel))
    quoted.push(said)
  }
  return { ...line, quoted: union(quoted, answersToSeveral(quoted, turns)) }
}

/** A longer answer says by itself what it is about. */
const wholeAnswerWordsMax = 30

/** "Can you see out of it? Any double vision?" "No. I see fine.": without its second half the no is to the wrong question. */
const answersToSeveral = (quoted: readonly Said[], turns: Talk['turns']): Said[] =>
  quoted.flatMap((said, at) => {
    const before = quoted[at - 1]
    if (before === undefined || !isAsked(before) || said.speaker === 'clinician') return []
    const asked = quoted.filter((one) => one.turn === before.turn && isAsked(one))
    const answer = turns[said.turn]?.sentences ?? []
    return asked.length > 1 && countSaidWords(answer) <= wholeAnswerWordsMax ? answer : []
  })

function askedBefore(first: Said, rest: readonly Said[], sentences: readonly Said[]): readonly Said[] {
  const before = sentences[first.index - 1]
  if (before !== undefined && isAsked(before) && first.speaker !== 'clinician')
    return first.words > bareWordsMax || readAnswer(first.text) === 'open' ? [] : breathOf(before, sentences)
  const next = rest.find(({ turn }) => turn !== first.turn)
  if (first.speaker !== 'clinician' || first.asks || next === undefined || next.speaker === first.speaker)
    return []
  const there = sentences.slice(Math.max(0, first.index - behindSentencesMax), first.index)
  const at = there.findIndex((said) => said.turn === first.turn && isAsked(said))
  // What was asked later in the turn is answered first.
  return at < 0 || rest.some((said) => said.turn === first.turn && said.asks) ? [] : there.slice(at)
}

/** A question with those that were asked right before it in its turn. */
function breathOf(asked: Said, sentences: readonly Said[]): readonly Said[] {
  const there = sentences.slice(Math.max(0, asked.index - behindSentencesMax), asked.index + 1)
  return there.filter((said) => said.turn === asked.turn && isAsked(said))
}

function isAnswerLost(
  before: Said,
  said: Said,
  { between, quoted }: { between: readonly Said[]; quoted: readonly Said[] },
): boolean {
  if (said.speaker === 'clinician' || countSaidWords(between) > answersWordsMax) return false
  const answer = between.findIndex(
    ({ speaker, text }) => speaker === said.speaker && readAnswer(text) !== 'open',
  )
  if (before.speaker === 'clinician')
    return answer >= 0 && between.slice(answer).some(({ speaker }) => speaker !== said.speaker)
  const asked = quoted.findLast(({ turn }) => turn !== before.turn)
  return (
    before.speaker === said.speaker &&
    asked !== undefined &&
    isAsked(asked) &&
    between.some(({ speaker, isBackchannel }) => speaker !== said.speaker && !isBackchannel)
  )
}

export const union = (some: readonly Said[], others: readonly Said[]): Said[] =>
  [...new Set([...some, ...others])].toSorted((a, b) => a.index - b.index)

export const has = (text: string, words: string): boolean => text.toLowerCase().includes(words.toLowerCase())

/** What a clinician says or asks, and what is said to it. */
export function partExchanges(quoted: readonly Said[]): Said[][] {
  const parts: Said[][] = []
  for (const said of quoted) {
    const part = parts.at(-1)
    const before = part?.at(-1)
    const opens = said.speaker === 'clinician' && before?.speaker !== 'clinician'
    if (part === undefined || opens) parts.push([said])
    else part.push(said)
  }
  return parts
}

/** "Thank you for telling me." before the next question, or at the end: what only shows that somebody heard. */
const nodWordsMax = 10
const nodWorthMax = 0.08

/** "It's one hundred over sixty." */
const tellsNumber =
  /\d|\b(?:half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w{3,5}teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|\w{3,6}day)\b/i

/** "I slept" "mm-hmm" "the whole night.": what a listener said in the midst of a sentence was not said behind it. */
export const withoutInterjections = (quoted: readonly Said[]): Said[] =>
  quoted.filter(({ items: [item = 0] }, at) => {
    const before = quoted[at - 1]?.items
    return (
      before === undefined || item < (before[0] ?? 0) || item > (before.at(-1) ?? 0) || before.includes(item)
    )
  })

/** A quote without it; a number in it may settle something. */
export const withoutNods = (quoted: readonly Said[]): Said[] =>
  quoted.filter((said, at) => {
    const next = quoted[at + 1]
    return !(
      at > 0 &&
      (next === undefined || (next.turn === said.turn && needOf(next) < standsBelow)) &&
      quoted[at - 1]?.raw.trimEnd().endsWith('?') !== true &&
      said.speaker === 'clinician' &&
      !said.asks &&
      !said.isTyped &&
      said.words <= nodWordsMax &&
      said.figures.worth < nodWorthMax &&
      isHollow(said) &&
      !tellsNumber.test(said.raw) &&
      quoted[at - 1]?.turn !== said.turn
    )
  })
