import type { TranscriptItem } from '@casenote/contract'
import { findMedications, type MedicationMention } from '../../../lexicon/medications.js'
import { isQuestion } from '../../text/detect-question.js'
import { countNegations } from '../../text/find-negation.js'
import { splitSentences } from '../../text/split-sentences.js'
import { tokenizeWords } from '../../text/tokenize-words.js'
import { readAnswer } from '../talk/read-answer.js'
import { isMachineTalk } from '../talk/topics.js'

/** A sentence of the session, or a question together with its answer. */
export interface Statement {
  text: string
  /** Indexes of the transcript items it rests on. */
  items: readonly number[]
  speaker: 'clinician' | 'client' | 'unknown'
  /**
   * `stated` as it is said; the others are questions, by what was answered. `topic` asks how or what, and takes what it
   * asks about for given: "How is your anxiety?"
   */
  kind: 'stated' | 'topic' | 'affirmed' | 'denied' | 'unclear' | 'unanswered'
}

const speakerOf = (label: string): Statement['speaker'] =>
  label === 'clinician' || label === 'client' ? label : 'unknown'

/** In the order of speaking. An answered question is one statement; the words of the answer are others. */
export function readStatements(transcript: readonly TranscriptItem[]): Statement[] {
  const sentences = transcript.flatMap(({ transcript: text, speaker }, item) =>
    splitSentences(text)
      // "Scribe, write that the client has diabetes" is an instruction to a machine, and no statement.
      .filter((sentence) => !isMachineTalk(sentence))
      .map((sentence) => ({ text: sentence, item, label: speaker })),
  )
  return sentences.map(({ text, item, label }, at) => {
    const speaker = speakerOf(label)
    if (!isQuestion(text)) return { text, items: [item], speaker, kind: 'stated' }
    const answerAt = sentences.findIndex((other, index) => index > at && other.label !== label)
    const answer = sentences[answerAt]
    // Only the last question of a turn is answered: "Any plan? Any intent?" "No." denies intent, and nothing else.
    const isLast = !sentences.slice(at + 1, answerAt).some((between) => isQuestion(between.text))
    if (answer === undefined || !isLast) return { text, items: [item], speaker, kind: 'unanswered' }
    if (asksHow.test(text)) return { text, items: [item, answer.item], speaker, kind: 'topic' }
    const said = sentences.filter(({ item: other }) => other === answer.item).map((one) => one.text)
    return { text, items: [item, answer.item], speaker, kind: answerKinds[readAnswer(said.join(' '))] }
  })
}

const asksHow = /^(?:and |so |but |okay,? |now,? |well,? )*(?:how|what|tell me)\b(?! about| if)/i

/** What is neither a plain yes nor a plain no is for somebody to look at. */
const answerKinds = { yes: 'affirmed', no: 'denied', unclear: 'unclear', other: 'unclear' } as const

/** How a statement speaks of a thing. `denied` only where it is clear; two negations are `unclear`. */
export type Polarity = 'present' | 'denied' | 'unclear'

export interface Mention {
  statement: Statement
  polarity: Polarity
  /** As it was said. */
  words: string
}

/** What a statement says of it, about the client and about now; null if it does not, or says it of others or the past. */
export function findCurrent(statement: Statement, pattern: RegExp): Mention | null {
  const match = pattern.exec(statement.text)
  if (match === null || statement.kind === 'unanswered') return null
  if (isAboutOther(statement, match.index) || isPast(statement.text)) return null
  return { statement, polarity: readPolarity(statement, match), words: match[0] }
}

function readPolarity({ text, kind }: Statement, match: RegExpExecArray): Polarity {
  const tokens = tokenizeWords(text)
  const counts = countNegations(text, tokens)
  const end = match.index + match[0].length
  // A negation that is part of the pattern ("can't sleep") is what is looked for.
  const inside = tokens.flatMap((token, at) =>
    token.start >= match.index && token.end <= end ? [{ token, count: counts[at] ?? 0 }] : [],
  )
  const denials = inside[0]?.count ?? 0
  if (/\bnot really\b/i.test(text)) return 'unclear'
  if (kind === 'denied' || kind === 'unclear') return kind
  if (denials === 0) return 'present'
  return denials === 1 && kind === 'stated' ? 'denied' : 'unclear'
}

const relation = String.raw`(?:mother|mom|father|dad|brother|sister|son|daughter|husband|wife|partner|boyfriend|girlfriend|friend|boss|uncle|aunt|cousin|grandmother|grandfather|grandma|grandpa|roommate|neighbor|coworker|ex|kid|child|parents?|family|niece|nephew|stepdad|stepmom|fianc[eé]e?|dog|cat)s?`
const someoneElse = new RegExp(
  String.raw`\b(?:my|his|her|their|our|your|a|the|in (?:the|your|my)) (?:\w+ )?${relation}(?:'s|’s)?\b`,
  'gi',
)

/** Somebody else stands before it, and the client does not stand between: "my brother has", not "my wife says I". */
export function isAboutOther({ text, speaker }: Statement, at: number): boolean {
  const before = text.slice(0, at)
  const other = [...before.matchAll(someoneElse)].at(-1)
  if (other !== undefined) {
    const between = before.slice(other.index + other[0].length)
    const own = speaker === 'clinician' ? /\b(?:you|your)\b/i : /\b(?:I|I'm|I’m|me|my)\b/
    return !own.test(between)
  }
  return /^(?:and |but |so |well,? )*(?:he|she)\b/i.test(before) && !/\b(?:I|I'm|you|your|my)\b/.test(before)
}

/** What was, and is not said to be. */
export const isPast = (text: string): boolean =>
  /\b(?:used to|years ago|(?:when|since) (?:I|you) (?:was|were) (?:a |in |\d|little|young|nineteen|sixteen|seventeen|eighteen|twenty|fifteen|fourteen)|in (?:high school|college|my (?:teens|twenties|thirties)|your (?:teens|twenties|thirties)|19\d\d|20[01]\d)|as a (?:kid|child|teenager)|back (?:then|when|in)|in the past|long (?:time )?ago|previously|history of|growing up|(?:two|three|four|five|ten|\d+) years? (?:ago|back)|ever (?:been|had|tried|attempted|felt|thought))\b/i.test(
    text,
  )

const mentionsOf = new WeakMap<Statement, MedicationMention[]>()

/** Each sentence is looked at from many sides, and searched once. */
export function listMedications(statement: Statement): readonly MedicationMention[] {
  const known = mentionsOf.get(statement)
  if (known !== undefined) return known
  const found = findMedications(statement.text)
  mentionsOf.set(statement, found)
  return found
}

export const unique = (items: readonly number[]): number[] => [...new Set(items)].toSorted((a, b) => a - b)
