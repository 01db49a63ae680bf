import type { TranscriptItem } from '@casenote/contract'
import { findMedications } from '../../lexicon/medications.js'
import type { Finding } from '../../reader/reading.js'
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
      if (sentence.judgement !== 'refused' || !isGrave(sentence, findings)) return [sentence]
      return quoteInstead(sentence, findings, transcript)
    }),
  }))

const isGrave = (sentence: JudgedSentence, findings: readonly Finding[]): boolean =>
  graveReasons.has(sentence.reason) ||
  findMedications(sentence.text).length > 0 ||
  /\d/.test(sentence.text) ||
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
  const about = findings.filter(
    (finding) => (finding.kind === 'danger' || finding.kind === 'medicine') && touches(finding, sentence),
  )
  const seen = new Set<string>()
  return about
    .filter(({ words }) => !seen.has(words) && seen.add(words) !== undefined)
    .slice(0, quotesMax)
    .flatMap(({ items, words }) => {
      const holder = items.find((item) => transcript[item]?.transcript.includes(words))
      if (holder === undefined || words === '') return []
      return [
        {
          text: `${nameSource(transcript[holder])}: “${words}”`,
          transcriptItems: [...items],
          judgement: 'exact_checks_only' as const,
          reason: null,
        },
      ]
    })
}

const nameSource = ({ speaker, source }: Partial<TranscriptItem> = {}): string => {
  if (source === 'typed') return 'Typed by the clinician'
  const who =
    speaker === 'client' ? 'Client' : speaker === 'clinician' ? 'Clinician' : 'A person in the session'
  return `${who} said`
}
