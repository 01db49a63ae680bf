import type { TranscriptItem } from '@casenote/contract'
import { nameMatters } from '../../ledger/name-matters.js'
import { countShared, stemsOf } from '../../ledger/share-words.js'
import { findMedications } from '../../lexicon/medications.js'
import type { Finding } from '../../reader/reading.js'
import { findNumbers } from '../../text/find-numbers.js'
import { splitSentences } from '../../text/split-sentences.js'
import { tokenizeWords } from '../../text/tokenize-words.js'
import { mentionsSuicide, mentionsViolence } from '../jotted-danger.js'
import type { JudgedSection, JudgedSentence } from '../writer-engine.js'

/** Reasons that speak of a number, a medicine or a denial: nobody may read such a sentence, marked or not. */
const graveReasons = new Set<JudgedSentence['reason']>(['number', 'dose', 'medicine', 'denial', 'not_asked'])

/**
 * What is still refused after the repair: about danger, medicines or numbers it is left out, and the words that it rests on
 * are quoted instead; else it stays and is marked.
 */
export const settleRefused = (
  sections: readonly JudgedSection[],
  findings: readonly Finding[],
  transcript: readonly TranscriptItem[],
): JudgedSection[] =>
  sections.map((section) => ({
    ...section,
    sentences: section.sentences.flatMap((sentence) => {
      if (sentence.judgement !== 'refused' || sentence.isKept === true) return [sentence]
      if (!isGrave(sentence, findings)) return [sentence]
      return quoteInstead(sentence, findings, transcript)
    }),
  }))

const isGrave = (sentence: JudgedSentence, findings: readonly Finding[]): boolean =>
  graveReasons.has(sentence.reason) ||
  findMedications(sentence.text).length > 0 ||
  /\d/.test(sentence.text) ||
  nameMatters(sentence.text).length > 0 ||
  mentionsSuicide([sentence.text]) ||
  mentionsViolence([sentence.text]) ||
  findings.some((finding) => finding.kind === 'danger' && touches(finding, sentence))

const touches = (finding: Finding, { transcriptItems }: JudgedSentence): boolean =>
  finding.items.some((item) => transcriptItems.includes(item))

/** At most two quotes for a sentence: it had one fact. */
const quotesMax = 2

function quoteInstead(
  sentence: JudgedSentence,
  findings: readonly Finding[],
  transcript: readonly TranscriptItem[],
): JudgedSentence[] {
  const about = findings.filter((finding) => isQuoted.has(finding.kind) && touches(finding, sentence))
  const seen = new Set<string>()
  const quotes = about
    .filter(({ words }) => !seen.has(words) && seen.add(words) !== undefined)
    .slice(0, quotesMax)
    .flatMap(({ items, words }) => {
      const holder = items.find((item) => transcript[item]?.transcript.includes(words))
      if (holder === undefined || words === '') return []
      return [toQuote(words, holder, { items, transcript })]
    })
  return quotes.length > 0 ? quotes : quoteNumber(sentence, transcript)
}

const isQuoted = new Set<Finding['kind']>(['danger', 'medicine', 'score'])

const toQuote = (
  words: string,
  holder: number,
  { items, transcript }: { items: readonly number[]; transcript: readonly TranscriptItem[] },
): JudgedSentence => ({
  text: `${nameSource(transcript[holder])}: “${words}”`,
  transcriptItems: [...items],
  judgement: 'exact_checks_only',
  reason: null,
})

/** More than anybody cites for one number. */
const itemsMax = 20

/** A number that nobody found: the one sentence among those cited that has a number, and most of the words. */
function quoteNumber(sentence: JudgedSentence, transcript: readonly TranscriptItem[]): JudgedSentence[] {
  if (!hasNumber(sentence.text)) return []
  const wanted = stemsOf(sentence.text)
  const [best] = sentence.transcriptItems
    .slice(0, itemsMax)
    .flatMap((item) =>
      splitSentences(transcript[item]?.transcript ?? '')
        .filter(hasNumber)
        .map((words) => ({ item, words, shared: countShared(wanted, stemsOf(words)) })),
    )
    .toSorted((a, b) => b.shared - a.shared)
  return best === undefined ? [] : [toQuote(best.words, best.item, { items: [best.item], transcript })]
}

const hasNumber = (text: string): boolean => findNumbers(tokenizeWords(text)).length > 0

const nameSource = ({ speaker, source }: Partial<TranscriptItem> = {}): string => {
  if (source === 'typed') return 'Typed by the clinician'
  const who =
    speaker === 'client' ? 'Client' : speaker === 'clinician' ? 'Clinician' : 'A person in the session'
  return `${who} said`
}
