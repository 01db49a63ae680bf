import { findSaidMedicines } from '../../lexicon/said-medicines.js'
import type { Finding, MedicineFinding } from '../../reader/reading.js'
import { readAnswer } from '../../text/read-answer.js'
import { has, union } from './line.js'
import { countSaidWords, type Said, type Talk } from './read-turns.js'
import { remember } from './remember.js'
import { isAsked, isSilent } from './stands.js'

/** Whether a sentence names a medicine. */
export const namesMedicine = remember(({ raw }: Said): boolean => findSaidMedicines(raw).length > 0)

const number =
  '(?:\\d[\\d.,]{0,9}|half an?|half|a|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|fifteen|twenty|thirty|forty|fifty|sixty|seventy|ninety|hundred)'

/** "Half a tablet on the nights you'd take it.", "How often do you take it?", "Any days missed?": of which medicine? */
const speaksOfTaking = new RegExp(
  [
    `\\b${number} (?:more |of (?:the|those|them) )?(?:tablets?|pills?|capsules?|milligrams?|mg)\\b`,
    '\\b(?:refills?|days missed|doses? missed|missed doses?)\\b',
    '\\b(?:take|takes|taking|taken|took|missed|miss|skip|skipped|stopped|started|ran out of) (?:it|one|them|those|two|half|any)\\b',
    '\\bgave (?:you|me) (?:it|that|those|them|one)\\b',
    `\\b(?:${number}|once|twice) (?:times )?(?:a|each) day\\b`,
    `\\b(?:go|going|went|stay|settle) (?:back |up |down )?(?:to|at|on) ${number}\\b`,
  ].join('|'),
  'i',
)

/** So far back a medicine is named that is still spoken of; a longer sentence tells something else, too. */
const namedSentences = 12
const namedWordsMax = 20

/** "My sponsor's on that." is of another. */
const saysI = /\bi(?:['’]\p{L}{1,2})?\b/iu

/** "And the gabapentin?" of a client is answered by what is said of it then. */
const askedWordsMax = 8

/** The sentence that named a medicine last, if it names it plainly. */
function findNaming({ index }: Said, { sentences }: Talk): Said | null {
  const named = sentences.slice(Math.max(0, index - namedSentences), index).findLast(namesMedicine)
  if (named === undefined || named.words > namedWordsMax) return null
  return isPlainlyNamed(named) ? named : null
}

/** Whether a sentence that names a medicine names the client's own, or what they ask for. */
export function isPlainlyNamed({ speaker, asks, raw, words }: Said): boolean {
  if (speaker === 'clinician') return true
  if (asks || raw.trimEnd().endsWith('?')) return words <= askedWordsMax
  return saysI.test(raw)
}

/** The medicines that a sentence names. */
export const genericsOf = ({ raw }: Said): string[] =>
  findSaidMedicines(raw).map(({ medication }) => medication.generic)

/** What the reader takes a dose in a sentence to be of. */
export const dosesIn = (said: Said, findings: readonly Finding[]): MedicineFinding[] =>
  findings.filter((one): one is MedicineFinding => one.kind === 'medicine' && isDoseIn(one, said))

const isDoseIn = ({ items, words, dose }: MedicineFinding, { items: own, raw }: Said): boolean =>
  dose !== null && own.some((item) => items.includes(item)) && (has(words, raw) || has(raw, words))

/**
 * A line that begins with talk of taking or of a dose, and names no medicine for it, begins with the sentence that named one last, unless the
 * reader takes the dose for another's.
 */
export function nameFirst(
  quoted: readonly Said[],
  talk: Talk,
  { openingMax, findings }: { openingMax: number; findings: readonly Finding[] },
): readonly Said[] {
  const [first] = quoted
  if (first === undefined || first.isTyped) return quoted
  const at = quoted
    .slice(0, openingMax)
    .findIndex((said) => speaksOfTaking.test(said.raw) || changesMedicine(said, talk))
  if (at < 0 || quoted.slice(0, at + 1).some(namesMedicine)) return quoted
  const named = findNaming(first, talk)
  const found = quoted.slice(0, at + 1).flatMap((said) => dosesIn(said, findings))
  const isOther =
    named !== null && found.length > 0 && !found.some(({ name }) => genericsOf(named).includes(name))
  return named === null || isOther ? quoted : union([named], quoted)
}

const changes =
  /\b(?:stop(?:ping)?|start(?:ing)?|increas\w+|rais(?:e|ing)|lower(?:ing)?|reduc\w+|taper\w*|switch\w*|add(?:ing)?(?! (?:that|it|them|those)\b)|hold|cut(?:ting)?|no more|throw out|bring (?:\w+ ){0,3}(?:up|down)|go(?:ing)? (?:up|down|back)|mov(?:e|ing)|settle (?:at|on)|stays? (?:at|on|as)|keep (?:the|it|you|on|taking))\b/i
/** "We could go up.", "If it comes back we start it again." */
const mayChange = /\b(?:can|could|might|may|would|if|option|maybe|whether|unless)\b/i
/** "That one I'd like you to stop.", "I'd rather settle at one fifty." */
const pointsAtIt = new RegExp(`\\b(?:it|that one|that|them|those|this one)\\b|\\b(?:at|to) ${number}\\b`, 'i')
const changeShareMin = 0.4

/** What a clinician decides about a medicine that the sentence or one before it names. */
export function changesMedicine(said: Said, talk: Talk): boolean {
  const plan = said.figures.places.plan ?? 0
  if (said.speaker !== 'clinician' || said.asks || plan < changeShareMin) return false
  if (!changes.test(said.raw) || mayChange.test(said.raw)) return false
  return namesMedicine(said) || (pointsAtIt.test(said.raw) && findNaming(said, talk) !== null)
}

const replyWordsMax = 25

/** "This one, tamsulosin.": what a clinician names from a bag or a list stands with what is said to it, which may be that it is another's. */
export function withReply(quoted: readonly Said[], talk: Talk): readonly Said[] {
  const last = quoted.at(-1)
  if (last?.speaker !== 'clinician' || !namesMedicine(last)) return quoted
  const behind = talk.sentences.slice(last.index + 1).slice(0, replySentences)
  const reply = behind.findIndex(({ speaker }) => speaker !== 'clinician')
  const turn = behind[reply]?.turn
  if (turn === undefined || reply > 1 || behind.slice(0, reply).some(namesMedicine)) return quoted
  const said = behind.filter((one, at) => (at < reply || one.turn === turn) && !isSilent(one, talk))
  return countSaidWords(said) <= replyWordsMax ? union(quoted, said) : quoted
}
const replySentences = 6

/** "You haven't been taking it?", "Are you on that now?" */
const asksTaking =
  /\b(?:taking|take|taken|using|on) (?:it|that|them|this|those|hers|his|one)(?: (?:now|at the moment|still|any ?more|yourself|too))?\W*\?/i
/** "No, at night.": when, and not whether. */
const tellsHow =
  /\b(?:i (?:still |do |only |just )?(?:take|took|use)|i['’]m (?:still )?(?:on|taking)|at night|morning|evening|bedtime|once|twice|every|half|\d)\b/i

/**
 * Whether somebody says no to taking what a line names, in it or right behind it, before another medicine is named: it stands there
 * as if it were taken.
 */
export function isDenied(quoted: readonly Said[], { sentences, turns }: Talk): boolean {
  const last = quoted.at(-1)
  if (last === undefined) return false
  const behind = sentences.slice(last.index + 1, last.index + 1 + replySentences)
  const other = behind.findIndex(namesMedicine)
  const all = [...quoted, ...(other < 0 ? behind : behind.slice(0, other))]
  return all.some((said, at) => {
    const answer = all[at + 1]
    if (!isAsked(said) || !asksTaking.test(said.raw) || answer === undefined) return false
    const told = (turns[answer.turn]?.sentences ?? []).map(({ raw }) => raw).join(' ')
    return answer.speaker !== 'clinician' && answersNo(answer.text) && !tellsHow.test(told)
  })
}

/** "Good Lord, no." */
const answersNo = (text: string): boolean => readAnswer(text) === 'no'

/** "You're on", "your sertraline", "we started you on": told, without anybody's answer. */
const tellsTheirs = /\b(?:you|your|you['’]\p{L}{1,3}|we|i['’]ll|i['’]ve|the)\b/iu

/** Somebody else has to speak in it, or it says of whom it is. */
export const isSaidOfThem = (quoted: readonly Said[]): boolean =>
  quoted.some((said) => said.isTyped || said.speaker !== 'clinician') ||
  quoted.some((said) => namesMedicine(said) && tellsTheirs.test(said.raw))

/** "Pills in the house?", "Anything at home?" */
const asksWhatIsThere =
  /\b(?:in|around|at) (?:the|your) (?:house|home|place|apartment|flat|cabinet|bathroom|car)\b|\bat home\b|\b(?:lying|left) around\b|\bwithin reach\b/i
const speaksOfUse =
  /\b(?:tak(?:e|es|en|ing)|took|on|us(?:e|es|ing)|prescri\w+|dose|daily|a day|every (?:day|night|morning))\b/i

/** What is within reach is no medicine that is taken: it was asked for because it may be a means. */
export const isOfReach = (quoted: readonly Said[]): boolean =>
  quoted.some((said) => isAsked(said) && asksWhatIsThere.test(said.raw) && !speaksOfUse.test(said.raw)) &&
  !quoted.some((said) => !isAsked(said) && speaksOfUse.test(said.raw))
