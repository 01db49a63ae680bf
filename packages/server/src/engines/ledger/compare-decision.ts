import { findAllMedications } from '../lexicon/medications.js'
import type { DecisionFinding } from '../reader/reading.js'
import { plainWords } from '../text/plain-words.js'
import type { NoteIndex, NoteSentence } from './index-note.js'
import type { LedgerEntry } from './ledger.js'
import { countShared, stemsOf } from './share-words.js'

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
    /\b(?:safety|crisis|988|911|emergency|hotline|lock\w*|remov\w*|store\w*|gun|firearm|call|contact|plan|means|giv(?:e|es|ing|en)|hand(?:s|ed|ing)? over|drop.?box|dispos\w*|rid of)\b/i,
  disposition:
    /\b(?:hospital\w*|admi\w*|discharg\w*|emergency|ER|ED|home|transfer\w*|level of care|inpatient|outpatient|send|sent)\b/i,
  other: /\b(?:will|plan|agree[sd]?|decid\w*|consent\w*|to be)\b/i,
}

const declines =
  /\b(?:declin\w*|refus\w*|not (?:want|interested|ready|agree)|does not|did not|would not|rejected|prefers not|against)\b|n't\b/i

const proposes = /\b(?:suggest|propos|recommend|offer|advis|encourag)\w*/i

/** What is only proposed is told by whoever proposes it there; a step for safety must be told itself. */
const speaksOfIt = ({ about, standing }: DecisionFinding, { text }: NoteSentence): boolean =>
  speaksOf[about].test(text) ||
  (about === 'medicine' && findAllMedications(text).length > 0) ||
  (standing === 'proposed' && about !== 'safety_step' && about !== 'disposition' && proposes.test(text))

/** A sentence that does not cite the decision must have at least this share of its words. */
const wordShareMin = 0.5
const sharedWordsMin = 3

/** A decision is talked over for some turns, and a note cites one of them. */
const besideItems = 3
const sharedBesideMin = 2

const tellsNextVisit =
  /\b(?:next (?:visit|session|appointment|meeting)|follow.?up|return\w*|will (?:be seen|meet|see)|meet(?:ing)? again)\b/i

/** A sentence that cites it and speaks of such things, or one with enough of its words, with the same outcome. */
export const compareDecision = (finding: DecisionFinding, note: NoteIndex): Outcome => {
  const citing = note.citing(finding.items)
  const beside = note.citingNear(finding.items, besideItems)
  const wanted = stemsOf(finding.words)
  const words = plainWords(finding.words)
  const speaks = [...new Set([...citing, ...beside, ...note.sharing(finding.words)])].filter((sentence) => {
    const shared = countShared(wanted, sentence.stems)
    if (citing.includes(sentence)) return shared > 0 || speaksOfIt(finding, sentence)
    if (beside.includes(sentence)) {
      if (finding.about === 'appointment' && tellsNextVisit.test(sentence.text)) return true
      if (shared >= sharedBesideMin && shared >= wanted.size * wordShareMin) return true
    }
    const isQuoted = words.trim() !== '' && sentence.quotes.some((quote) => quote.includes(words))
    // "The Zoloft goes up to a hundred": two words that count, the medicine and the number.
    const isWhole = shared === wanted.size && shared >= sharedBesideMin
    return isQuoted || isWhole || (shared >= sharedWordsMin && shared >= wanted.size * wordShareMin)
  })
  const stating = speaks.find((sentence) => !sentence.isRefused && !isOtherwise(finding, sentence))
  if (stating !== undefined) return { state: 'stated', sentence: stating.text }
  const contradicting = speaks.find(
    (sentence) => contradicts(finding, sentence) && isOfSameThing(finding, wanted, sentence),
  )
  return contradicting === undefined
    ? { state: 'not_written', sentence: null }
    : { state: 'contradicted', sentence: contradicting.text }
}

/** That a sentence cites the place is not enough to contradict: another thing may have been talked of there. */
const isOfSameThing = (
  { about }: DecisionFinding,
  wanted: ReadonlySet<string>,
  { stems }: NoteSentence,
): boolean => {
  const least =
    about === 'disposition' ? 1 : Math.min(sharedBesideMin, Math.max(1, wanted.size * wordShareMin))
  return countShared(wanted, stems) >= least
}

const saysNo = /\b(?:no|not|never)\b|n't\b/i
/** "I'm not going in no hospital", "We'll skip it for now": what was agreed is that it is not done. */
const refuses =
  /\bI (?:won['’]t|ain['’]t|don['’]t|can['’]t|will not)\b|\bnot (?:going|doing|taking|staying|coming)\b|\bskip\b|\bhold off\b/i
/** "I don't want to but okay, I will go": who goes against their wish refuses nothing. */
const goesAllTheSame =
  /\b(?:but|okay|ok|all right|alright|fine|yes|yeah|guess|anyway|though|if)\b|\bI(?:['’]ll| will)(?! not\b| stay (?:home|here)\b| pass\b)|\bI(?:['’]m| am) (?:going|ready|willing)\b|\blet['’]s\b|\btake me\b/i
const clientDeclines = /\b(?:client|patient) (?:declin|refus)\w*/i
const agreesAfterAll = /\bagree\w*|\bbut (?:will|would|is willing)\b/i
/** "when client declined, asked for another place": what came of it stands elsewhere. */
const isOnTheWay = /\bwhen (?:client|patient|they) declin\w*/i

const isRefusal = (words: string): boolean =>
  refuses.test(words) && !goesAllTheSame.test(words) && !words.trimEnd().endsWith('?')

/** A sentence that tells another outcome: it does not state the decision, and by itself it does not contradict it either. */
const isOtherwise = ({ standing, words }: DecisionFinding, { text, quotes }: NoteSentence): boolean => {
  if (quotes.length > 0) return false
  if (standing === 'declined') return !declines.test(text)
  return standing === 'agreed' && clientDeclines.test(text) && !agreesAfterAll.test(text) && !isRefusal(words)
}

/** What was refused, written as agreed; or agreed, and not in words of refusal, written as refused. */
const contradicts = (finding: DecisionFinding, sentence: NoteSentence): boolean =>
  isOtherwise(finding, sentence) &&
  (finding.standing === 'declined' || (!isOnTheWay.test(sentence.text) && !saysNo.test(finding.words)))
