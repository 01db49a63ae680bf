import type { Place } from '../../reader/reading.js'
import { readAnswer } from '../../text/read-answer.js'
import { isContentWord, stemWord, tokenizeWords } from '../../text/tokenize-words.js'
import { goOnToAnswer } from './quote-finding.js'
import { sectionsOf, union, type Heading, type Line } from './line.js'
import { countSaidWords, type Said, type Talk, type Turn } from './read-turns.js'
import { remember } from './remember.js'
import { numbersOf } from './said-numbers.js'
import { asksAgain, isAsked, isSilent } from './stands.js'

/*
 * A quote ends with the turn that decides. In three rounds of judging most of what misled was cut right before it: "Any falls?" "No.", and then
 * the daughter's "Dad. The bathroom."; "at eight, before your, no, you're on the truck."; a question of which the answer was left out.
 */

/** What is added to one line at most: turns that go to and fro, and their words. */
const turnsMax = 5
const addedWordsMax = 60
const dangerWordsMax = 150
/** Words of one turn that settles something; a longer one tells something else, too. */
const turnWordsMax = 25
/** Words of an answer to a question that a line left open: its first sentences. */
const answerWordsMax = 30
/** Behind what is strictly to be right, somebody who was not asked may say so much. */
const othersWordsMax = 25
/** "Dad." */
const callWordsMax = 2
/** "No.", "Yeah, I do." */
const bareWordsMax = 3
/** "Every day?", "Out of?" */
const askedAgainWordsMax = 6
/** "Third, then?" */
const takenUpWordsMax = 4
/** "Two, before noon." */
const anewWordsMax = 8

const placesOf: Readonly<Record<Heading, Place | null>> = {
  Danger: 'danger',
  Medicines: 'medicines',
  Allergies: 'allergies',
  Interventions: null,
  Other: null,
}

/** Headings under which a wrong answer does harm. */
const isStrict = ({ heading }: Line): boolean =>
  heading === 'Danger' || heading === 'Medicines' || heading === 'Allergies'

/**
 * The lines, each to the end of the exchange that it quotes. What stands in another line is not added. In `planSection` what is agreed may be put anew.
 */
export function quoteToEnd(lines: readonly Line[], talk: Talk, planSection: string): Line[] {
  const sections = sectionsOf(lines)
  return lines.map((line) => {
    const isThere = (said: Said): boolean => sections.has(said) && !line.quoted.includes(said)
    const quoted = goToEnd(line, talk, { isThere, isPlan: line.section === planSection })
    for (const said of quoted) sections.set(said, line.section)
    return { ...line, quoted, label: isLabelTrue(line, quoted) ? line.label : '' }
  })
}

/** A label was made of what a line had before: not where somebody says no to it then, or it breaks off. */
const isLabelTrue = (line: Line, quoted: readonly Said[]): boolean => {
  const last = quoted.at(-1)
  const added = quoted.filter((said) => !line.quoted.includes(said))
  const speakers = new Set(line.quoted.map(({ speaker }) => speaker))
  return (
    (last === undefined || !breaksOff(last)) &&
    !added.some((said) => readAnswer(said.text) === 'no' || corrects(said)) &&
    // What was offered anew, or by the other one, is another time.
    !(isAppointment.test(line.label) && added.some((said) => said.asks || numbersOf(said.raw).length > 0)) &&
    added.every(({ speaker }) => speaker === 'clinician' || speaker === 'client' || speakers.has(speaker))
  )
}

const isAppointment = /^Appointment\b/

function goToEnd(
  line: Line,
  talk: Talk,
  { isThere, isPlan }: { isThere: (said: Said) => boolean; isPlan: boolean },
): readonly Said[] {
  const end = line.quoted.at(-1)
  if (end === undefined || line.quoted.some(({ isTyped }) => isTyped)) return line.quoted
  const kind = { isStrict: isStrict(line), place: placesOf[line.heading ?? 'Other'], isPlan }
  const wordsMax = kind.place === 'danger' ? dangerWordsMax : addedWordsMax
  let quoted: readonly Said[] = line.quoted
  let words = 0
  for (let round = 0; round < turnsMax; round += 1) {
    const found = findMore(quoted, talk, kind)
    const there = found.findIndex(isThere)
    // What a plan was left for stands up to what another line of it has.
    const more = kind.isPlan && there > 0 && found[there - 1]?.asks !== true ? found.slice(0, there) : found
    words += countSaidWords(more)
    if (more.length === 0 || words > wordsMax || more.some(isThere)) break
    quoted = union(quoted, more)
  }
  // A question that was added with what stands before it, and is not answered, goes.
  const told = quoted.findLastIndex((said) => said.index <= end.index || !said.asks)
  return quoted.slice(0, told + 1)
}

interface Kind {
  isStrict: boolean
  /** Where what stands under its heading belongs. */
  place: Place | null
  isPlan: boolean
}

/** What has to stand behind the last sentence of a quote; nothing where it settles what was asked. */
function findMore(quoted: readonly Said[], talk: Talk, kind: Kind): readonly Said[] {
  const last = quoted.at(-1)
  if (last === undefined) return []
  const rest = restOfTurn(last, talk)
  const next = turnBehind(last, talk)
  return (
    firstOf(
      () => (isAsked(last) && (!kind.isStrict || isCutShort(last, talk)) ? findAnswer(last, talk) : []),
      () => (breaksOff(last) ? (rest.length > 0 ? rest.slice(0, 1) : startOf(next, turnWordsMax)) : []),
      () => (isCall(last, quoted) ? upTo(rest, turnWordsMax) : []),
      () => (leavesOpen(last, quoted) ? findAnswer(last, talk) : []),
      () => (asksBack(last, quoted, talk) ? goOnBehind(last, next, { talk, kind }) : []),
      () => (corrects(rest[0]) ? rest.slice(0, 1) : []),
      () => (kind.isPlan ? findAgreed(last, rest, { quoted, next, talk }) : []),
      () => (kind.place === 'danger' && isLastWord(last, rest) ? rest : []),
      () => (rest.length === 0 && next !== undefined ? findContest(last, next, { quoted, talk, kind }) : []),
    ) ?? []
  )
}

/** "How likely is it?" "With the beer in me, I don't know. Five.": the few words that an answer ends with may be the answer. */
const isLastWord = ({ speaker }: Said, rest: readonly Said[]): boolean =>
  speaker !== 'clinician' && rest.length > 0 && countSaidWords(rest) <= bareWordsMax

function firstOf(...ways: (() => readonly Said[])[]): readonly Said[] | undefined {
  for (const way of ways) {
    const found = way()
    if (found.length > 0) return found
  }
  return undefined
}

const restOfTurn = (last: Said, talk: Talk): Said[] =>
  (talk.turns[last.turn]?.sentences ?? []).filter((said) => said.index > last.index && !isSilent(said, talk))

/** Turns that only show that somebody listens are passed over; more of them in a row are no exchange. */
const listenedMax = 3

function turnBehind({ turn }: Pick<Said, 'turn'>, talk: Talk): Turn | undefined {
  return talk.turns
    .slice(turn + 1, turn + 1 + listenedMax)
    .find(({ sentences }) => sentences.some((said) => !isSilent(said, talk)))
}

function upTo(sentences: readonly Said[], wordsMax: number): Said[] {
  const taken: Said[] = []
  let words = 0
  for (const said of sentences) {
    words += said.words
    if (words > wordsMax && taken.length > 0) break
    taken.push(said)
  }
  return taken
}

const startOf = (turn: Turn | undefined, wordsMax: number): Said[] => upTo(turn?.sentences ?? [], wordsMax)

/** "At eight, before your, no, you're on the truck.", "I don't want to leave her with –": what is meant comes next. */
const isBroken =
  /[—–…,-]\s*$|,\s(?:no|wait|sorry|or no|scratch that|hang on|hold on),\s[^.?!]{0,60}[.!]?\s*$|\b(?:the|an|my|your|our|their|and|but|or|because)\W*$/i
/** "And?" */
const isWhole = /\?\s*$|^\P{L}*\p{L}+\P{L}*$/u

const breaksOff = remember(({ raw }: Said): boolean => isBroken.test(raw) && !isWhole.test(raw))

/** "Dad.", "Mum, come on." of somebody who was not asked: what they mean comes next. */
const isCall = (last: Said, quoted: readonly Said[]): boolean =>
  last.speaker !== 'clinician' &&
  last.words <= callWordsMax &&
  readAnswer(last.text) === 'open' &&
  quoted.filter(({ turn }) => turn === last.turn).length === 1 &&
  quoted.length > 1 &&
  quoted.at(-2)?.speaker !== 'clinician'

/** "Three hundred, how many times a day? It was written for three times a day.": asked in the last turn, and not answered. */
const leavesOpen = (last: Said, quoted: readonly Said[]): boolean =>
  last.speaker === 'clinician' &&
  !isAsked(last) &&
  quoted.some((said) => said.turn === last.turn && isAsked(said))

const answerSentencesMax = 6

/** "… no, you're on the truck. Four thirty?" */
const isCutShort = ({ index }: Said, { sentences }: Talk): boolean => {
  const before = sentences[index - 1]
  return before !== undefined && breaksOff(before)
}

/** What another says next, be it a nod, with what is said before it. */
function findAnswer(last: Said, talk: Talk): Said[] {
  const behind = talk.sentences.slice(last.index + 1, last.index + 1 + answerSentencesMax)
  const at = behind.findIndex(({ speaker }) => speaker !== 'clinician')
  const answer = behind[at]
  if (answer === undefined) return []
  if (countSaidWords(behind.slice(0, at)) > turnWordsMax) return []
  const nod = answer.isBackchannel ? [answer] : startOf(talk.turns[answer.turn], answerWordsMax)
  return [...behind.slice(0, at), ...nod]
}

/** "Do you feel safe at home?" "What is stays between?": asked back, and nothing answered. */
const asksBack = (last: Said, quoted: readonly Said[], talk: Talk): boolean =>
  last.speaker !== 'clinician' &&
  (talk.turns[last.turn]?.sentences ?? []).every((said) => said.asks || isSilent(said, talk)) &&
  quoted.some((said) => said.turn < last.turn && said.turn >= last.turn - 2 && isAsked(said))

/** What was asked, whole, what is said to somebody who asks back, and what they say then. */
function goOnBehind(last: Said, next: Turn | undefined, { talk, kind }: { talk: Talk; kind: Kind }): Said[] {
  const asking = talk.turns[last.turn - 1]?.sentences ?? []
  const asked = countSaidWords(asking) <= turnWordsMax ? asking.filter((said) => !isSilent(said, talk)) : []
  // "Ah. Damn. Yeah." answers nothing.
  if (kind.place === 'danger') return [...asked, ...goOnToAnswer([last], talk)]
  if (next?.speaker !== 'clinician') return [...asked, ...startOf(next, turnWordsMax)]
  const said = next.sentences.filter((one) => !isSilent(one, talk))
  const other = said.findIndex(isAsked)
  const reply = upTo(other < 0 ? said : said.slice(0, other), turnWordsMax)
  // Behind the rest of a longer reply something else may be answered.
  return reply.length < said.length
    ? [...asked, ...reply.slice(0, 1)]
    : [...asked, ...reply, ...startOf(turnBehind({ turn: next.index }, talk), turnWordsMax)]
}

/** "No, wait.", "Well, not every day.", "That wasn't a fall.", "Except weekends." */
const opensCorrecting =
  /^\W*(?:(?:but|well|oh|um|uh|sorry|okay|or|and|yeah|i),? ){0,3}(?:no,? (?:wait|not|it|that|he|she|they|i|the|\p{L}+day)\b|wait\b|actually\b|i mean\b|not (?:always|every|quite|all|any ?more|really|exactly|that)\b|except\b|unless\b|apart from\b|scratch that\b|that['’]?s not (?:an?|right|true|it|how|what|quite|me|mine|us)\b|that (?:wasn['’]t|isn['’]t|was not)\b|it (?:wasn['’]t|isn['’]t)\b|(?:he|she|you|they) (?:did|didn['’]t|does|doesn['’]t|was|wasn['’]t|do|don['’]t)(?:,|[.!]|$))/iu

const corrects = (said: Said | undefined): boolean =>
  said !== undefined && said.words <= turnWordsMax && !said.asks && opensCorrecting.test(said.raw)

/** What a clinician puts right of an answer. */
const takesBack = /^\W*(?:no, (?:wait|not|the)|wait|actually|scratch that|hang on)\b/i

interface Behind {
  quoted: readonly Said[]
  talk: Talk
  kind: Kind
}

/** What the next turn says against what a quote ends with, or asks once more about it. */
function findContest(last: Said, next: Turn, { quoted, talk, kind }: Behind): readonly Said[] {
  const said = next.sentences.filter((one) => !isSilent(one, talk))
  const words = countSaidWords(said)
  const [first] = said
  if (first === undefined) return []
  const isThird = next.speaker !== 'clinician' && next.speaker !== last.speaker
  if (last.speaker === 'clinician') {
    const isNo = readAnswer(first.text) === 'no' || opensCorrecting.test(first.raw)
    // A no to what a clinician tells may be to its last words alone: with the rest of it.
    if (next.speaker !== 'clinician' && isNo && (kind.isStrict || kind.isPlan))
      return upTo(said, turnWordsMax)
    return kind.isPlan || kind.isStrict ? findAnew(last, next, talk) : []
  }
  if (isThird && isAnswer(last, quoted)) {
    const isBare = countSaidWords(quoted.filter(({ turn }) => turn === last.turn)) <= bareWordsMax
    const isShort = words <= othersWordsMax && (kind.isStrict || isBare)
    return isShort || corrects(first) ? upTo(said, othersWordsMax) : []
  }
  if (isThird && isContested(quoted) && words <= othersWordsMax) return said
  if (next.speaker !== 'clinician') return []
  if (takesBack.test(first.raw) && first.words <= turnWordsMax) return [first]
  // "Every day?", and what is said to that.
  const isAgain = kind.isStrict && words <= askedAgainWordsMax && said.some(asksAgain)
  if (!isAgain) return []
  const again = [...said, ...startOf(turnBehind({ turn: next.index }, talk), turnWordsMax)]
  const own = again.map(({ figures }) => (kind.place === null ? 1 : (figures.places[kind.place] ?? 0)))
  return Math.max(...own) >= (kind.place === 'danger' ? hotAt : ofItAt) ? again : []
}

/** By the encoder's figure: under Danger nothing is added that is of something else, and little under Medicines and Allergies. */
const hotAt = 0.5
const ofItAt = 0.1

/** Whether a turn was asked for in the quote. */
const isAnswer = (last: Said, quoted: readonly Said[]): boolean => {
  const before = quoted.findLast(({ turn }) => turn < last.turn)
  return before !== undefined && quoted.some((said) => said.turn === before.turn && isAsked(said))
}

/** Two besides the clinician speak of it by turns. */
const isContested = (quoted: readonly Said[]): boolean => {
  const [last, before] = [quoted.at(-1), quoted.findLast(({ turn }) => turn !== quoted.at(-1)?.turn)]
  return before !== undefined && before.speaker !== 'clinician' && before.speaker !== last?.speaker
}

const stemsOf = (raw: string): Set<string> =>
  new Set(
    tokenizeWords(raw)
      .map(({ lower }) => lower)
      .filter(isContentWord)
      .map(stemWord),
  )

/** "I'd like one, before noon." "One? That's cruel." "Two, before noon.": what is put anew takes the place of what was said. */
function findAnew(last: Said, next: Turn, talk: Talk): readonly Said[] {
  const anew = turnBehind({ turn: next.index }, talk)
  if (next.speaker === 'clinician' || anew?.speaker !== 'clinician') return []
  const [put, between] = [anew.sentences[0], next.sentences]
  if (put === undefined || put.words > anewWordsMax || countSaidWords(between) > turnWordsMax) return []
  const [was, is] = [numbersOf(last.raw), numbersOf(put.raw)]
  const isOther = was.length > 0 && is.some((one) => !was.includes(one))
  const own = stemsOf(last.raw)
  // "Friday, second period." "Second's PE." "Third, then?"
  const isTakenUp =
    put.asks &&
    put.words <= takenUpWordsMax &&
    between.some(({ raw }) => numbersOf(raw).some((one) => was.includes(one)))
  const isOfSame = isTakenUp || [...stemsOf(put.raw)].some((stem) => own.has(stem) && !is.includes(stem))
  return isOther && isOfSame
    ? [...between, put, ...startOf(turnBehind({ turn: anew.index }, talk), bareWordsMax)]
    : []
}

/** "We could go to fifty. Or keep forty, and add a small one." */
const isOption = /\b(?:could|option|either|or we)\b/i
const opensOption = /^\W*or\b/i
/** "Then definitely not. Period two?", "How about noon?" */
const offersAnew = /\b(?:then|instead|how about|what about)\b/i

/**
 * What was agreed in the end, behind what a plan only offers: the other option and what a clinician says who is asked for it; what is offered anew to somebody who
 * says no to a time without the word; what is said to an offer of theirs.
 */
function findAgreed(
  last: Said,
  rest: readonly Said[],
  { quoted, next, talk }: { quoted: readonly Said[]; next: Turn | undefined; talk: Talk },
): readonly Said[] {
  const said = (next?.sentences ?? []).filter((one) => !isSilent(one, talk))
  const [first] = said
  if (last.speaker === 'clinician') {
    if (isAsked(last) || !(isOption.test(last.raw) || opensOption.test(last.raw))) return []
    if (rest[0] !== undefined) return opensOption.test(rest[0].raw) ? rest.slice(0, 1) : []
    const isAskedFor = next !== undefined && next.speaker !== 'clinician' && said.some(({ asks }) => asks)
    return isAskedFor && countSaidWords(said) <= anewWordsMax
      ? [...said, ...startOf(turnBehind({ turn: next.index }, talk), turnWordsMax)]
      : []
  }
  if (rest.length > 0 || next?.speaker !== 'clinician' || first === undefined) return []
  const own = quoted.filter(({ turn }) => turn === last.turn)
  if (last.raw.trimEnd().endsWith('?') && own.length > 1)
    return first.words <= anewWordsMax && !first.asks ? [first] : []
  const offered = quoted.findLast(({ turn }) => turn < last.turn)
  if (offered === undefined || !isAsked(offered) || numbersOf(offered.raw).length === 0) return []
  if (own.some(({ text }) => readAnswer(text) === 'yes')) return []
  const anew = said.findIndex(isAsked)
  const put = said[anew]
  return put !== undefined &&
    countSaidWords(said.slice(0, anew + 1)) <= anewWordsMax &&
    (numbersOf(put.raw).length > 0 || offersAnew.test(put.raw))
    ? said.slice(0, anew + 1)
    : []
}
