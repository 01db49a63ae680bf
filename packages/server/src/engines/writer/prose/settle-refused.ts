import type { TranscriptItem } from '@casenote/contract'
import { nameLeftOut, type LeftOut } from '../../ledger/left-out.js'
import { nameMatters } from '../../ledger/name-matters.js'
import { listDangerTopics } from '../../ledger/read-dangers.js'
import { wordQuote } from '../../ledger/quoted-instead.js'
import { countShared, stemsOf } from '../../ledger/share-words.js'
import { findMedications } from '../../lexicon/medications.js'
import type { Finding } from '../../reader/reading.js'
import { isQuestion } from '../../text/detect-question.js'
import { findNumbers } from '../../text/find-numbers.js'
import { splitSentences } from '../../text/split-sentences.js'
import { countWords, tokenizeWords } from '../../text/tokenize-words.js'
import type { JudgedSection, JudgedSentence } from '../writer-engine.js'
import { noteWords } from '../../ledger/find-own-words.js'

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
  /** What rests on nothing that was said, but on what is known from elsewhere: it never stays. */
  isBackground: (sentence: JudgedSentence) => boolean = () => false,
): Settled => {
  const leftOut: LeftOut[] = []
  // Two sentences that rest on the same words of the same place are one quote.
  const quoted = new Map<string, JudgedSentence>()
  const take = ({ quote, place }: Quote): JudgedSentence[] => {
    const key = keyOf(quote.text, place)
    const known = quoted.get(key)
    if (known === undefined) {
      quoted.set(key, quote)
      return [quote]
    }
    const items = new Set([...known.transcriptItems, ...quote.transcriptItems])
    known.transcriptItems = [...items].toSorted((a, b) => a - b)
    return []
  }
  const isLeft = (sentence: JudgedSentence): boolean =>
    sentence.judgement === 'refused' &&
    // Borne out, and only in words that a template forbids: it stays, marked.
    sentence.reason !== 'must_not' &&
    sentence.isKept !== true &&
    (isGrave(sentence, findings) || isBackground(sentence))
  const stands = new Set(
    sections.flatMap(({ sentences }) =>
      sentences.flatMap((one) =>
        isLeft(one) ? [] : one.transcriptItems.map((item) => keyOf(one.text, item)),
      ),
    ),
  )
  const settle = (sentence: JudgedSentence): JudgedSentence[] => {
    if (!isLeft(sentence)) return [sentence]
    const quotes = quoteInstead(sentence, findings, transcript)
    // What nobody said is no loss, unless it is of a matter that a clinician has to look at.
    if (quotes.length === 0 && isGrave(sentence, findings)) leftOut.push(nameLeftOut(sentence))
    return quotes.filter(({ quote, place }) => !stands.has(keyOf(quote.text, place))).flatMap(take)
  }
  return {
    sections: sections.map((section) => ({ ...section, sentences: section.sentences.flatMap(settle) })),
    leftOut,
  }
}

interface Quote {
  quote: JudgedSentence
  /** The item that has its words. */
  place: number
}

const keyOf = (text: string, item: number): string => `${item} ${text}`

const isGrave = (sentence: JudgedSentence, findings: readonly Finding[]): boolean =>
  graveReasons.has(sentence.reason) ||
  findMedications(sentence.text).length > 0 ||
  /\d/.test(sentence.text) ||
  isOfDanger(sentence, findings) ||
  nameMatters(sentence.text).length > 0

const isOfDanger = (sentence: JudgedSentence, findings: readonly Finding[]): boolean =>
  listDangerTopics(sentence.text).length > 0 ||
  findings.some((finding) => finding.kind === 'danger' && touches(finding, sentence))

const touches = (finding: Finding, { transcriptItems }: JudgedSentence): boolean =>
  finding.items.some((item) => transcriptItems.includes(item))

/** At most two quotes for a sentence: it had one fact. */
const quotesMax = 2

function quoteInstead(
  sentence: JudgedSentence,
  findings: readonly Finding[],
  transcript: readonly TranscriptItem[],
): Quote[] {
  const about = findings.filter((finding) => isQuoted.has(finding.kind) && touches(finding, sentence))
  const seen = new Set<string>()
  const quotes = about
    .filter(({ words }) => !seen.has(words) && seen.add(words) !== undefined)
    .slice(0, quotesMax)
    .flatMap(({ items, words }) => {
      const place = items.find((item) => transcript[item]?.transcript.includes(words))
      if (place === undefined || words === '') return []
      return [toQuote(words, place, { items, transcript })]
    })
  if (quotes.length > 0) return quotes
  return quoteCited(sentence, transcript, { isOfDanger: isOfDanger(sentence, findings) })
}

const isQuoted = new Set<Finding['kind']>(['danger', 'medicine', 'score'])

const toQuote = (
  words: string,
  place: number,
  { items, transcript }: { items: readonly number[]; transcript: readonly TranscriptItem[] },
): Quote => ({
  quote: {
    text: wordQuote(transcript[place], words),
    transcriptItems: [...items],
    judgement: 'exact_checks_only',
    reason: null,
  },
  place,
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
): Quote[] {
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
    .flatMap(({ item, words }) => {
      const question = given.isOfDanger ? findQuestion(item, words, transcript) : null
      return [...(question === null ? [] : [question]), toQuote(words, item, { items: [item], transcript })]
    })
}

/** A longer answer tells by itself what it answers. */
const bareWordsMax = 3

/** What a bare "Yes." says stands in the question before it. */
const findQuestion = (item: number, words: string, transcript: readonly TranscriptItem[]): Quote | null => {
  const [before, answer] = [transcript[item - 1], transcript[item]]
  if (before === undefined || before.speaker === answer?.speaker || countWords(words) > bareWordsMax)
    return null
  const question = splitSentences(before.transcript).findLast((one) => isQuestion(one))
  return question === undefined ? null : toQuote(question, item - 1, { items: [item - 1], transcript })
}

const hasNumber = (text: string): boolean => findNumbers(tokenizeWords(text)).length > 0
