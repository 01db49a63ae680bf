import { readAnswer } from '../../text/read-answer.js'
import { findGround } from './find-ground.js'
import { tellsTooMuch } from './grave-words.js'
import { betweenWordsMax, joinedWordsMax, partExchanges, union, type Line } from './line.js'
import { findAnchors, type Anchors } from './find-anchors.js'
import { goOnToAnswer, hasDangerWord } from './quote-finding.js'
import { countSaidWords, heatOfSaid, mayBeFigure, shareOfPlace, type Said, type Talk } from './read-turns.js'
import { remember } from './remember.js'
import { isAsked, isSilent, needOf, standsBelow } from './stands.js'
import { isTwiceWitnessed } from './two-witnesses.js'

export interface Raising {
  talk: Talk
  reportSection: string
  riskSection: string
  /** Whether an exchange speaks of danger by itself. */
  isPlain: (quoted: readonly Said[]) => boolean
}

/**
 * What stands elsewhere and belongs under Danger: an exchange that speaks of it by itself, and one of the same stretch of talk as
 * another that does, of which the encoder is sure, though it has no word for danger ("Is it locked up?" "It's on a rack."). A clinician who
 * reads nothing but Danger must find the date, the means and what was done there.
 */
export function raiseDanger(lines: readonly Line[], raising: Raising): Line[] {
  const { talk } = raising
  const anchors = findAnchors(
    lines.flatMap((line) =>
      line.heading === 'Danger' && line.quoted.length > 0
        ? [line.quoted]
        : canRise(line, raising)
          ? partExchanges(line.quoted).filter((part) => isByItself(part, raising))
          : [],
    ),
  )
  const danger = lines.filter(({ heading }) => heading === 'Danger')
  const rest: Line[] = []
  for (const line of lines) {
    if (line.heading === 'Danger') continue
    if (!canRise(line, raising)) {
      rest.push(line)
      continue
    }
    for (const { isDanger, quoted } of groupParts(line, anchors, raising)) {
      if (isDanger) addDanger(danger, { ...line, section: raising.riskSection, label: '', quoted }, talk)
      else rest.push({ ...line, quoted })
    }
  }
  return [...danger.map((line) => ({ ...line, quoted: withAnswer(line.quoted, talk) })), ...rest]
}

/** Reports only: what is planned, judged or seen has its own place, and a label says what the line is. */
const canRise = ({ section, heading, label, quoted }: Line, { reportSection }: Raising): boolean =>
  section === reportSection &&
  (heading === null || heading === 'Other') &&
  label === '' &&
  quoted.length > 0 &&
  quoted.every(({ isTyped }) => !isTyped)

const isByItself = (part: readonly Said[], { isPlain }: Raising): boolean =>
  isPlain(part) || isTwiceWitnessed(part)

interface Group {
  isDanger: boolean
  quoted: readonly Said[]
}

function groupParts(line: Line, anchors: Anchors, raising: Raising): Group[] {
  const groups: Group[] = []
  for (const part of partExchanges(line.quoted)) {
    const last = groups.at(-1)
    const isDanger =
      isByItself(part, raising) ||
      isOfStretch(part, anchors, raising.talk) ||
      // "How long was that?", right behind it, would be asked of something else.
      (last?.isDanger === true && isNeedy(part) && heatOf(part) >= needyHeat)
    // What stands between two parts may be in another line about danger, to which the second belongs.
    const isApart =
      isDanger && countCold((last?.quoted.at(-1)?.index ?? 0) + 1, part[0]!.index, raising.talk, Infinity) > 0
    if (last === undefined || last.isDanger !== isDanger || isApart) groups.push({ isDanger, quoted: part })
    else groups.splice(-1, 1, { isDanger, quoted: [...last.quoted, ...part] })
  }
  return groups.map((group, at) =>
    at === 0 || group.isDanger || !isNeedy(group.quoted)
      ? group
      : { ...group, quoted: union(findGround(group.quoted[0]!, raising.talk), group.quoted) },
  )
}

/** "Mood in general? Any thoughts that life's not worth it?" says what it asks about. */
function isNeedy(quoted: readonly Said[]): boolean {
  const [first] = quoted
  if (first === undefined) return false
  const opening = isAsked(first) ? quoted.filter((said) => said.turn === first.turn) : [first]
  // "The voices?"
  if (isAsked(first) && hasDangerWord(opening)) return false
  return opening.every((said) => needOf(said) >= standsBelow || asksOn.test(said.raw))
}

/** "How often would you say?" */
const asksOn =
  /^\W*(?:(?:and|so|but|okay),? )*(?:how (?:often|long|strong|many times)|when was|since when)\b(?![^?]{0,30}\b(?:since|the|your)\b)[^?]{0,30}\?/i
const needyHeat = 0.3

/** How sure the encoder must be of an exchange behind one that speaks of danger, right behind one, and before one. */
const shareBehind = 0.5
const shareRightBehind = 0.3
const shareBefore = 0.65
const shareBeforeAlone = 0.8
/** "Is there a part of you that wants to stop the medicine?", before the first question about danger. */
const isOfMedicine = (said: Said): boolean =>
  isAsked(said) && /\b(?:medicines?|medications?|meds|dose|drink(?:ing)?)\b/i.test(said.raw)
const heatMin = 0.7
/** An overdose is told before anybody asks what it was meant to do. */
const tooMuchSentences = 40

function isOfStretch(part: readonly Said[], anchors: Anchors, talk: Talk): boolean {
  const [first, last] = [part[0]!.index, part.at(-1)!.index]
  if (isOfTooMuch(part, talk)) return anchors.areIn(first - tooMuchSentences, last + tooMuchSentences)
  if (part.some(isFigure)) return false
  const share = shareOf(part)
  if (anchors.areIn(first, last) && share >= shareBehind) return true
  const [to, from] = [anchors.endBefore(first), anchors.startBehind(last)]
  if (to !== null) {
    const isRight =
      share >= shareRightBehind && isNeedy(part) && countCold(to + 1, first, talk, Infinity) <= rightWordsMax
    if (isRight || (heatOf(part) >= heatMin && share >= shareBehind && isOne(to, first, talk))) return true
  }
  return (
    from !== null &&
    heatOf(part) >= heatMin &&
    !part.some(isOfMedicine) &&
    share >= (hasDangerWord(part) || isLed(from, talk) ? shareBefore : shareBeforeAlone) &&
    isOne(last, from, talk)
  )
}

/** "I literally wanted to die. Not like that." */
const isFigure = (said: Said): boolean => mayBeFigure(said) && hasDangerWord([said])

/** From here the encoder takes an item for talk of danger. */
const hotAt = 0.5
/** More words of something else end a stretch. */
const coldWordsMax = 25
const rightWordsMax = 12
/** A question that says what it is about, and is about something else, ends it, too. */
const ownQuestion = { need: 0.3, words: 4 }

const isOne = (from: number, to: number, talk: Talk): boolean =>
  countCold(from + 1, to, talk, hotAt) <= coldWordsMax && countBetween(talk, 'asked', from + 1, to) === 0

const asksElse = (said: Said): boolean =>
  isAsked(said) &&
  said.words >= ownQuestion.words &&
  needOf(said) < ownQuestion.need &&
  heatOf([said]) < hotAt

/** So many sentences before a question about danger were of it already: what led there is of one stretch with it. */
const ledSentences = 6

const isLed = (index: number, talk: Talk): boolean =>
  index >= ledSentences && countCold(index - ledSentences, index, talk, hotAt) === 0

const countCold = (from: number, to: number, talk: Talk, hot: number): number =>
  countBetween(talk, hot === Infinity ? 'words' : 'cold', from, to)

interface Sums {
  /** Up to each sentence: words, words that are not hot, and questions about something else. */
  words: readonly number[]
  cold: readonly number[]
  asked: readonly number[]
}

const sumUp = remember(({ sentences }: Talk): Sums => {
  const sums = { words: [0], cold: [0], asked: [0] }
  for (const [at, said] of sentences.entries()) {
    sums.words.push((sums.words[at] ?? 0) + said.words)
    sums.cold.push((sums.cold[at] ?? 0) + (heatOf([said]) >= hotAt ? 0 : said.words))
    sums.asked.push((sums.asked[at] ?? 0) + (asksElse(said) ? 1 : 0))
  }
  return sums
})

function countBetween(talk: Talk, what: keyof Sums, from: number, to: number): number {
  const sums = sumUp(talk)[what]
  return to <= from ? 0 : (sums[to] ?? 0) - (sums[from] ?? 0)
}

const heatOf = (quoted: readonly Said[]): number => Math.max(0, ...quoted.map(heatOfSaid))

/** By the words of an exchange, or of what was answered in it: a question seldom says what it is about. */
function shareOf(part: readonly Said[]): number {
  const answers = part.filter(({ speaker }) => speaker !== 'clinician')
  return Math.max(shareOfPlace(part, 'danger'), answers.length > 0 ? shareOfPlace(answers, 'danger') : 0)
}

/** "I took too many." "Too many of what?" "The clonazepam." "Do you know how many?" */
const tooMuchBefore = 4
const asksHowMany = /\bhow (?:many|much)\b|\bof what\b|\bwhich ones?\b/i

export function isOfTooMuch(quoted: readonly Said[], { sentences }: Talk): boolean {
  const [first] = quoted
  if (first === undefined || quoted.some(({ raw }) => tellsTooMuch(raw))) return first !== undefined
  const before = sentences.slice(Math.max(0, first.index - tooMuchBefore), first.index)
  const asking = isAsked(first) ? first : before.at(-1)
  return (
    asking !== undefined &&
    isAsked(asking) &&
    asksHowMany.test(asking.raw) &&
    before.some(({ raw }) => tellsTooMuch(raw))
  )
}

/** With the line that it shares words with, or that it needs and goes on from; else a line of its own. */
function addDanger(danger: Line[], line: Line, talk: Talk): void {
  const [first] = line.quoted
  if (first === undefined) return
  const same = danger.findIndex(({ quoted }) => quoted.some((said) => line.quoted.includes(said)))
  const before = danger.findLastIndex(({ quoted }) => (quoted.at(-1)?.index ?? Infinity) < first.index)
  const at = same >= 0 ? same : isNeedy(line.quoted) ? nearest(danger, first, talk) : -1
  const there = danger[at]
  if (there === undefined)
    danger.splice(before + 1, 0, {
      ...line,
      heading: 'Danger',
      quoted: isNeedy(line.quoted) ? union(findGround(first, talk), line.quoted) : line.quoted,
    })
  else {
    const end = there.quoted.at(-1)?.index ?? first.index
    const between = talk.sentences.slice(end + 1, first.index).filter((said) => !isSilent(said, talk))
    danger[at] = { ...there, quoted: union(union(there.quoted, between), line.quoted) }
  }
}

/** The line right before it, if both are not too long to be one. */
function nearest(danger: readonly Line[], first: Said, { sentences }: Talk): number {
  const ends = danger.map(({ quoted }) => quoted.at(-1)?.index ?? Infinity)
  const end = Math.max(...ends.filter((index) => index < first.index))
  const at = ends.indexOf(end)
  const isNear = countSaidWords(sentences.slice(end + 1, first.index)) <= betweenWordsMax
  return isNear && countSaidWords(danger[at]?.quoted ?? []) <= joinedWordsMax ? at : -1
}

/** "Um. Define overdose.", "What do you mean?": what is asked is told behind it. */
const evades =
  /^\W*(?:(?:um|uh|well|hm+|okay|oh),?\.? )*(?:define|depends|it depends|what do you mean|how do you mean|like what|meaning what|what counts|what do you call)\b/i
const evasionWordsMax = 8

function withAnswer(quoted: readonly Said[], talk: Talk): readonly Said[] {
  const turn = quoted.at(-1)?.turn
  const answer = quoted.filter((said) => said.turn === turn)
  const [first] = answer
  if (first === undefined || first.speaker === 'clinician' || countSaidWords(answer) > evasionWordsMax)
    return quoted
  const isEvasion = readAnswer(first.text) === 'open' && evades.test(answer.map(({ raw }) => raw).join(' '))
  return isEvasion ? union(quoted, goOnToAnswer(answer, talk)) : quoted
}
