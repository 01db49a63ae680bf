import { readAnswer } from '../../text/read-answer.js'
import { isContentWord, stemWord, tokenizeWords } from '../../text/tokenize-words.js'
import { union, type Line } from './line.js'
import type { Said, Talk } from './read-turns.js'
import { remember } from './remember.js'
import { numbersOf } from './said-numbers.js'
import { isAsked } from './stands.js'

/*
 * "What I'm thinking is a treadmill test." stands in the plan, and "Then no treadmill." twenty turns later nowhere: of all that readers of the twenty-first round found, what was offered
 * and then taken back or changed misled most. A line of the plan goes on to the last sentence that settles its matter otherwise.
 */

/** So far behind its line something is of the same matter by a word that the talk seldom has; without one, by another time or amount, so near. */
const turnsMax = 40
const nearTurnsMax = 6
/** What it was said to stands before it. */
const askedWordsMax = 20
/** A word of more sentences than this is what the session is about. */
const sentencesMax = 6
const stemLengthMin = 4
/** "We'll want your iron checked." "I don't want the rod.": not of the same. */
const ofAnything =
  /^(?:want|like|need|take|taking|make|talk|call|check|start|stop|thing|something|know|think|keep|send|write)/
const changeWordsMax = 25
/** "Yeah.", "That's good." */
const answerWordsMax = 3

/** "Then no nitro.", "Let's swap it.", "Forget the diary.", "So final version, Thursday." */
const settles =
  /^\W*(?:(?:okay|ok|right|so|well|alright|yeah|yes|no|and|but),? )*(?:then (?:no|not|let['’]?s)\b|never ?mind\b|(?:forget|leave|drop|skip|scrap) (?:it|that|(?:the|about the) \p{L}+)(?: out| then| for now)?\W*$|let['’]?s (?:make|swap|leave|drop|skip|change|not|hold)\b|final\b)|\bscratch that\b|\binstead\b|\boff the (?:table|list)\b/iu

/** "Wednesday then."; not "Take care then." */
const settlesShortly = /(?<!\b(?:care|bye|you) )\bthen\W*$/i
const shortMax = 6

/** "The glipizide stops." */
const stops =
  /\b(?:stops|comes? off|goes off|is off|gone|never again|not (?:that|it)|off (?:it|that)|leave (?:it|that) (?:off|out))\W*$/i

/** "I'd rather not have the shot.", "I'm not doing the diary." */
const refuses =
  /\b(?:rather not|no thanks?|no thank you|not for me|(?:don['’]?t|do not|wouldn['’]?t) (?:want|like)|(?:i['’]m|i am) not (?:taking|doing|having|going|trying|starting)|i (?:won['’]?t|can['’]?t|cannot|couldn['’]?t))\b/i

export function followChanges(lines: readonly Line[], talk: Talk, planSection: string): Line[] {
  const quoted = new Set(lines.flatMap((line) => line.quoted))
  const counts = countStems(talk)
  return lines.map((line) => {
    if (line.section !== planSection || line.heading === 'Danger') return line
    const change = findChange(line, talk, { quoted, counts })
    for (const said of change) quoted.add(said)
    return change.length === 0 ? line : { ...line, label: '', quoted: union(line.quoted, change) }
  })
}

interface Known {
  quoted: ReadonlySet<Said>
  counts: ReadonlyMap<string, number>
}

function findChange(line: Line, talk: Talk, { quoted, counts }: Known): readonly Said[] {
  const last = line.quoted.at(-1)
  if (last === undefined || last.isTyped) return []
  const offered = line.quoted.filter(({ speaker }) => speaker === 'clinician')
  const own = new Set(offered.flatMap((said) => stemsOf(said)).filter(isSeldom(counts)))
  const numbers = new Set(line.quoted.flatMap(({ raw }) => numbersOf(raw)))
  const isOfSame = (said: Said): boolean => stemsOf(said).some((stem) => own.has(stem))
  const isTakenUp = (until: Said): boolean =>
    talk.sentences
      .slice(last.index + 1, until.index)
      .some(
        (said) =>
          said.speaker !== 'clinician' &&
          (isOfSame(said) || numbersOf(said.raw).some((number) => numbers.has(number))),
      )
  const isChange = (said: Said): boolean => {
    if (said.words > changeWordsMax || isAsked(said)) return false
    if (said.speaker !== 'clinician')
      return said.turn - last.turn <= nearTurnsMax && isOfSame(said) && refuses.test(said.raw)
    const isNear = said.turn - last.turn <= nearTurnsMax
    if (said.words <= shortMax && stops.test(said.raw)) return isOfSame(said)
    if (!settles.test(said.raw) && !(isNear && said.words <= shortMax && settlesShortly.test(said.raw)))
      return false
    const isOther = numbers.size > 0 && numbersOf(said.raw).some((number) => !numbers.has(number))
    return isOfSame(said) || (isNear && isOther && isTakenUp(said))
  }
  const change = talk.sentences
    .slice(last.index + 1)
    .findLast((said) => said.turn - last.turn <= turnsMax && isChange(said))
  return change === undefined || quoted.has(change)
    ? []
    : [...saidTo(change, last, talk), change, ...answerTo(change, talk)]
}

/** Not as if it were said to the end of the line. */
const saidTo = (change: Said, last: Said, { sentences }: Talk): Said[] => {
  const before = sentences[change.index - 1]
  const isNext = change.turn <= last.turn + 1 || before === undefined
  return isNext || before.speaker === change.speaker || before.words > askedWordsMax ? [] : [before]
}

const answerTo = (change: Said, { sentences }: Talk): Said[] => {
  const next = sentences.slice(change.index + 1).find(({ speaker }) => speaker !== change.speaker)
  return next !== undefined &&
    next.turn === change.turn + 1 &&
    next.words <= answerWordsMax &&
    readAnswer(next.text) !== 'open'
    ? [next]
    : []
}

const isSeldom =
  (counts: ReadonlyMap<string, number>) =>
  (stem: string): boolean =>
    (counts.get(stem) ?? 0) <= sentencesMax

function countStems({ sentences }: Talk): Map<string, number> {
  const counts = new Map<string, number>()
  for (const said of sentences)
    for (const stem of new Set(stemsOf(said))) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return counts
}

const stemsOf = remember(({ raw }: Said): string[] =>
  tokenizeWords(raw)
    .map(({ lower }) => lower)
    .filter(
      (word) =>
        word.length >= stemLengthMin &&
        isContentWord(word) &&
        !ofAnything.test(word) &&
        numbersOf(word).length === 0,
    )
    .map(stemWord),
)
