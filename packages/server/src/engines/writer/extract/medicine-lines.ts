import { findSaidMedicines } from '../../lexicon/said-medicines.js'
import { readAnswer } from '../../text/read-answer.js'
import { union } from './line.js'
import { countSaidWords, type Said, type Talk } from './read-turns.js'
import { remember } from './remember.js'
import { isAsked, isSilent } from './stands.js'

/** Whether a sentence names a medicine. */
export const namesMedicine = remember(({ raw }: Said): boolean => findSaidMedicines(raw).length > 0)

const number =
  '(?:\\d[\\d.,]*|half an?|half|a|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|fifteen|twenty|thirty|forty|fifty|sixty|seventy|ninety|hundred)'

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

/**
 * A line that begins with talk of taking or of a dose, and names no medicine for it, begins with the sentence that named one last.
 */
export function nameFirst(
  quoted: readonly Said[],
  { sentences }: Talk,
  { openingMax }: { openingMax: number },
): readonly Said[] {
  const [first] = quoted
  if (first === undefined || first.isTyped) return quoted
  const at = quoted.slice(0, openingMax).findIndex(({ raw }) => speaksOfTaking.test(raw))
  if (at < 0 || quoted.slice(0, at + 1).some(namesMedicine)) return quoted
  const before = sentences.slice(Math.max(0, first.index - namedSentences), first.index)
  const named = before.findLast(namesMedicine)
  const isPlain = named !== undefined && (named.speaker === 'clinician' || !named.asks)
  return isPlain && named.words <= namedWordsMax ? union([named], quoted) : quoted
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
