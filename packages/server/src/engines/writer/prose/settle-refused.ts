import type { TranscriptItem } from '@casenote/contract'
import { nameLeftOut, type LeftOut } from '../../ledger/left-out.js'
import { nameMatters } from '../../ledger/name-matters.js'
import { wordQuote } from '../../ledger/quoted-instead.js'
import { countShared, stemsOf } from '../../ledger/share-words.js'
import { findMedications } from '../../lexicon/medications.js'
import type { Finding } from '../../reader/reading.js'
import { findNumbers } from '../../text/find-numbers.js'
import { splitSentences } from '../../text/split-sentences.js'
import { tokenizeWords } from '../../text/tokenize-words.js'
import { mentionsSuicide, mentionsViolence } from '../jotted-danger.js'
import type { JudgedSection, JudgedSentence } from '../writer-engine.js'
import { noteWords } from './own-statement.js'

/** Reasons that speak of a number, a medicine or a denial: nobody may read such a sentence, marked or not. */
const graveReasons = new Set<JudgedSentence['reason']>(['number', 'dose', 'medicine', 'denial', 'not_asked'])

/** The sections as they stay, and what was left out of them that has no words to be quoted instead. */
export interface Settled {
  sections: JudgedSection[]
  leftOut: LeftOut[]
}

/**
 * What is still refused after the repair: about danger, medicines or numbers it is left out, and the words that it rests on
 * are quoted instead, or, where it rests on none, it is named for the clinician's list; else it stays and is marked.
 */
export const settleRefused = (
  sections: readonly JudgedSection[],
  findings: readonly Finding[],
  transcript: readonly TranscriptItem[],
): Settled => {
  const leftOut: LeftOut[] = []
  // Two sentences that rest on the same words are one quote.
  const quoted = new Set(sections.flatMap(({ sentences }) => sentences.map(({ text }) => text)))
  const settle = (sentence: JudgedSentence): JudgedSentence[] => {
    if (sentence.judgement !== 'refused' || sentence.isKept === true) return [sentence]
    if (!isGrave(sentence, findings)) return [sentence]
    const quotes = quoteInstead(sentence, findings, transcript)
    if (quotes.length === 0) leftOut.push(nameLeftOut(sentence))
    return quotes.filter(({ text }) => !quoted.has(text) && quoted.add(text) !== undefined)
  }
  return {
    sections: sections.map((section) => ({ ...section, sentences: section.sentences.flatMap(settle) })),
    leftOut,
  }
}

const isGrave = (sentence: JudgedSentence, findings: readonly Finding[]): boolean =>
  graveReasons.has(sentence.reason) ||
  findMedications(sentence.text).length > 0 ||
  /\d/.test(sentence.text) ||
  isOfDanger(sentence, findings) ||
  nameMatters(sentence.text).length > 0

const isOfDanger = (sentence: JudgedSentence, findings: readonly Finding[]): boolean =>
  nameMatters(sentence.text).some((matter) => matter === 'danger' || matter === 'weapons') ||
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
  if (quotes.length > 0) return quotes
  return quoteCited(sentence, transcript, { isOfDanger: isOfDanger(sentence, findings) })
}

const isQuoted = new Set<Finding['kind']>(['danger', 'medicine', 'score'])

const toQuote = (
  words: string,
  holder: number,
  { items, transcript }: { items: readonly number[]; transcript: readonly TranscriptItem[] },
): JudgedSentence => ({
  text: wordQuote(transcript[holder], words),
  transcriptItems: [...items],
  judgement: 'exact_checks_only',
  reason: null,
})

/** More than anybody cites for one sentence. */
const itemsMax = 20

/**
 * What nobody found: of each item that is cited the sentence with most of the words, of a number only one that has a number. About
 * danger its place is quoted whatever its words share with it: why danger was read there is the clinician's to judge.
 */
function quoteCited(
  { text, transcriptItems }: JudgedSentence,
  transcript: readonly TranscriptItem[],
  given: { isOfDanger: boolean },
): JudgedSentence[] {
  const wanted = new Set([...stemsOf(text)].filter((stem) => !noteWords.has(stem)))
  const isOfNumber = hasNumber(text) && !given.isOfDanger
  const places = transcriptItems.slice(0, itemsMax).flatMap((item) => {
    const [best] = splitSentences(transcript[item]?.transcript ?? '')
      .filter((words) => !isOfNumber || hasNumber(words))
      .map((words) => ({ item, words, shared: countShared(wanted, stemsOf(words)) }))
      .toSorted((a, b) => b.shared - a.shared)
    return best === undefined || (!given.isOfDanger && !isOfNumber && best.shared === 0) ? [] : [best]
  })
  return places
    .toSorted((a, b) => b.shared - a.shared)
    .slice(0, isOfNumber ? 1 : quotesMax)
    .toSorted((a, b) => a.item - b.item)
    .map(({ item, words }) => toQuote(words, item, { items: [item], transcript }))
}

const hasNumber = (text: string): boolean => findNumbers(tokenizeWords(text)).length > 0
