import type { TranscriptItem } from '@casenote/contract'
import type { DangerFinding } from '../reader/reading.js'
import { plainWords } from '../text/plain-words.js'
import { countWords } from '../text/tokenize-words.js'
import type { NoteIndex, NoteSentence } from './index-note.js'
import type { Unquoted } from './ledger.js'
import { countShared, stemsOf } from './share-words.js'
import type { SaidWords } from './tell-in-its-words.js'

/**
 * 'Client (12:40): “…”': a line of an extract. It tells what it quotes and nothing else: neither its label nor the same word
 * said of something else tells a danger that was left out, and what no line quotes is for the clinician's list.
 */
export const isExtract = ({ text }: NoteSentence): boolean => extractLine.test(text)

/** Whoever it is: people have names. "Clinician asked:" stood in extracts before the time stood at the beginning of each line. */
const extractLine =
  /[\p{L}\p{M}\p{N}.] \(\d{1,3}(?::\d\d){1,2}\): “|\b(?:Client|Clinician|Speaker \d{1,3}) asked: “/u

/** Lines that cite the very item that the words are from; where nobody knows it, one of the items. */
export const quotedPlaces = (
  { items, words }: DangerFinding,
  note: NoteIndex,
  transcript: readonly TranscriptItem[],
): NoteSentence[] => {
  const saying = items.filter((item) => transcript[item]?.transcript.includes(words) === true)
  return note.citing(saying.length > 0 ? saying : items)
}

/** "Okay.", "I know it." */
const saidWordsMin = 4
/** With fewer words in all, what was left out is seldom more than a nod. */
const unquotedWordsMin = 8
const unquotedWordsMax = 100

/**
 * The reader finds danger as stretches of talk and gives the words that decide: "No." may be quoted, and what to do if it comes
 * back, said two turns on, may not. Null: all that says something is quoted.
 */
export const findUnquoted = (
  { items }: DangerFinding,
  note: NoteIndex,
  transcript: readonly TranscriptItem[],
): Unquoted | null => {
  const left: { item: number; text: string; words: number }[] = []
  let total = 0
  for (const item of items) {
    const text = transcript[item]?.transcript.trim() ?? ''
    const words = countWords(text)
    const before = left.at(-1)
    // "When was the last one?" "Sunday night."
    const isAnswer = words > 0 && before?.item === item - 1 && before.text.endsWith('?')
    if ((words < saidWordsMin && !isAnswer) || note.citing([item]).length > 0) continue
    total += words
    if (total > unquotedWordsMax && left.length > 0) break
    left.push({ item, text, words })
  }
  if (total < unquotedWordsMin) return null
  return { items: left.map(({ item }) => item), words: left.map(({ text }) => text).join(' … ') }
}

/** Of the words a quote may leave out fillers and false starts, and a long answer is quoted in part. */
const quotedShareMin = 0.6

export const quotesWords = (
  { words }: DangerFinding,
  { stems }: SaidWords,
  { quotes }: NoteSentence,
): boolean => {
  const wanted = plainWords(words)
  if (wanted.trim() !== '' && quotes.some((quote) => quote.includes(wanted))) return true
  const quoted = countShared(stems, stemsOf(quotes.join(' ')))
  return stems.size > 0 && quoted >= quotedShareMin * stems.size
}
