import { findAllMedications } from '../lexicon/medications.js'
import type { AllergyFinding } from '../reader/reading.js'
import { plainWords, takeQuotes } from '../text/plain-words.js'
import { readAnswer } from '../text/read-answer.js'
import type { NoteIndex, NoteSentence } from './index-note.js'
import type { LedgerEntry } from './ledger.js'
import { stemsOf } from './share-words.js'

type Outcome = Pick<LedgerEntry, 'state' | 'sentence'>

const speaksOfAllergy =
  /\ballerg\w*|\banaphyla\w*|\bhives\b|\brash\b|\breact(?:s|ed|ion|ions)\b|\bswell\w*|\bswollen\b|\bNKD?A\b/i
const none =
  /\bno (?:known |reported |history of |drug |medication |food )*allerg\w*|\bdenie[sd] (?:any |known |drug |medication |food )*allerg\w*|\bNKD?A\b|\ballergies: (?:none|no\b|denied)|\bno allerg\w*/i

/** The substance with a word for the allergy; that there are none, in as many words. */
export const compareAllergy = (finding: AllergyFinding, note: NoteIndex): Outcome => {
  const candidates = [
    ...new Set([
      ...note.citing(finding.items),
      ...note.sharing(`${finding.substance} allergy allergies allergic NKDA NKA`),
    ]),
  ]
  const citing = note.citing(finding.items)
  const about = candidates.filter(
    (sentence) =>
      speaksOfAllergy.test(sentence.text) ||
      // Under this heading a name is enough: "Shrimp: lip comes big."
      sentence.section === 'allergies' ||
      (finding.standing === 'denied' && deniesThere(finding, sentence)) ||
      (citing.includes(sentence) && tellsReaction(finding, sentence.text)),
  )
  const stating = about.find((sentence) => !sentence.isRefused && states(finding, sentence))
  if (stating !== undefined) return { state: 'stated', sentence: stating.text }
  const contradicting = about.find((sentence) => contradicts(finding, sentence))
  return contradicting === undefined
    ? { state: 'not_written', sentence: null }
    : { state: 'contradicted', sentence: contradicting.text }
}

/** "gets a wheeze from aspirin", cited, is the allergy in other words. */
const tellsReaction = ({ reaction }: AllergyFinding, text: string): boolean => {
  const stems = stemsOf(text)
  return reaction !== null && [...stemsOf(reaction)].some((stem) => stems.has(stem))
}

const names = ({ substance }: AllergyFinding, text: string): boolean => {
  const stems = stemsOf(text)
  const generics = new Set(findAllMedications(text).map(({ medication }) => medication.generic))
  const wanted = [...stemsOf(substance)]
  return (
    (wanted.length > 0 && wanted.every((stem) => stems.has(stem))) ||
    generics.has(substance.toLowerCase()) ||
    findAllMedications(substance).some(({ medication }) => generics.has(medication.generic))
  )
}

const states = (finding: AllergyFinding, sentence: NoteSentence): boolean => {
  if (finding.standing === 'denied') return none.test(sentence.text) || deniesThere(finding, sentence)
  return names(finding, sentence.text) && (quotes(finding, sentence) || !deniesIt(sentence.text))
}

/** Whether a sentence denies an allergy at the very place: "denies a penicillin allergy", "states penicillin is fine", "no other intolerance is known". */
const deniesThere = (finding: AllergyFinding, { text, items: cited }: NoteSentence): boolean =>
  finding.items.some((item) => cited.includes(item)) &&
  (noOther.test(text) || (deniesNamed.test(text) && names(finding, text)))

const noOther = /\bno (?:other|further|known) (?:allerg\w*|intoleranc\w*|reactions?)/i
const deniesNamed =
  /\bdenie[sd] (?:an? |any |having )?[\w-]{1,30} allerg\w*|\b[\w-]{1,30} is fine\b|\btolerates?\b/i

/** Word for word: "No, that's wrong, I'm allergic to latex." states it, whatever it begins with. */
const quotes = ({ words }: AllergyFinding, sentence: NoteSentence): boolean => {
  const wanted = plainWords(words)
  return wanted.trim() !== '' && sentence.quotes.some((quote) => quote.includes(wanted))
}

const deniesIt = (text: string): boolean => {
  const told = withoutOpenQuestions(text)
  return none.test(told) || /\bnot allergic\b|\bdenie[sd]\b/i.test(told)
}

/** "You've no allergies?", quoted, denies nothing by itself: only a "no" to it does. */
const withoutOpenQuestions = (text: string): string => {
  const { plain, quotes: said } = takeQuotes(text)
  const told = said.filter((quote, at) => {
    const next = said[at + 1]
    return !quote.trimEnd().endsWith('?') || (next !== undefined && readAnswer(next) === 'no')
  })
  return [plain, ...told].join(' ')
}

const contradicts = (finding: AllergyFinding, { text }: NoteSentence): boolean => {
  if (finding.standing === 'affirmed')
    return none.test(withoutOpenQuestions(text)) || (names(finding, text) && deniesIt(text))
  return finding.standing === 'denied' && /\ballergic to\b|\ballergy to\b/i.test(text) && !deniesIt(text)
}
