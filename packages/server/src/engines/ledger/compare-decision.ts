import type { DecisionFinding } from '../reader/reading.js'
import { plainWords } from '../text/plain-words.js'
import { type NoteIndex, type NoteSentence, stemsOf } from './index-note.js'
import type { LedgerEntry } from './ledger.js'

type Outcome = Pick<LedgerEntry, 'state' | 'sentence'>

/** How a note speaks of each, whatever was said. */
const speaksOf: Readonly<Record<DecisionFinding['about'], RegExp>> = {
  appointment: /\b(?:appointment|session|visit|follow.?up|return|next|see|seen|meet\w*|scheduled?)\b/i,
  homework: /\b(?:homework|practic\w*|between sessions|will|assign\w*|agree[sd]?|track|record|write|try)\b/i,
  referral: /\b(?:refer\w*|call|contact|consult\w*|connect\w*|group|specialist|clinic|coordinate)\b/i,
  test: /\b(?:labs?|tests?|level|blood|screen\w*|ecg|ekg|scan|mri|urine|order\w*|recheck|repeat\w*)\b/i,
  medicine:
    /\b(?:continu\w*|start\w*|stop\w*|increas\w*|decreas\w*|rais\w*|lower\w*|kept|keep|dose|mg|refill\w*|prescri\w*|taper\w*|medic\w*|switch\w*|discontinu\w*|add\w*)\b/i,
  safety_step:
    /\b(?:safety|crisis|988|911|emergency|hotline|lock\w*|remov\w*|store\w*|gun|firearm|call|contact|plan|means)\b/i,
  disposition:
    /\b(?:hospital\w*|admi\w*|discharg\w*|emergency|ER|ED|home|transfer\w*|level of care|inpatient|outpatient|send|sent)\b/i,
  other: /\b(?:will|plan|agree[sd]?|decid\w*|consent\w*|to be)\b/i,
}

const declines =
  /\b(?:declin\w*|refus\w*|not (?:want|interested|ready|agree)|does not|did not|would not|rejected|prefers not|against)\b|n't\b/i

/** The share of its words that a sentence must hold which does not cite it. */
const wordShareMin = 0.5
const sharedWordsMin = 3

/** A sentence that cites it and speaks of such things, or one with enough of its words, with the same outcome. */
export const compareDecision = (finding: DecisionFinding, note: NoteIndex): Outcome => {
  const citing = note.citing(finding.items)
  const wanted = stemsOf(finding.words)
  const words = plainWords(finding.words)
  const speaks = [...new Set([...citing, ...note.sharing(finding.words)])].filter((sentence) => {
    const shared = countShared(wanted, sentence)
    if (citing.includes(sentence)) return shared > 0 || speaksOf[finding.about].test(sentence.text)
    const isQuoted = words.trim() !== '' && sentence.quotes.some((quote) => quote.includes(words))
    return isQuoted || (shared >= sharedWordsMin && shared >= wanted.size * wordShareMin)
  })
  const stating = speaks.find((sentence) => !sentence.isRefused && !isOtherwise(finding, sentence))
  if (stating !== undefined) return { state: 'stated', sentence: stating.text }
  const contradicting = speaks.find((sentence) => isOtherwise(finding, sentence))
  return contradicting === undefined
    ? { state: 'not_written', sentence: null }
    : { state: 'contradicted', sentence: contradicting.text }
}

const countShared = (wanted: ReadonlySet<string>, { text }: NoteSentence): number => {
  const stems = stemsOf(text)
  return [...wanted].filter((stem) => stems.has(stem)).length
}

/** What was refused, written as agreed. The other way round a "not" may belong to anything. */
const isOtherwise = ({ standing }: DecisionFinding, { text, quotes }: NoteSentence): boolean => {
  if (quotes.length > 0) return false
  if (standing === 'declined') return !declines.test(text)
  return standing === 'agreed' && /\bclient (?:declin|refus)\w*/i.test(text) && !/\bagree\w*/i.test(text)
}
