import { findMedications, type MedicationMention } from '../lexicon/medications.js'
import { takeQuotes } from '../text/plain-words.js'
import { readAmounts, type Amount } from '../text/read-amounts.js'
import { tokenizeWords, type WordToken } from '../text/tokenize-words.js'

/** A sentence of a note as the checks read it. */
export interface Claim {
  /** Without its quotes and the times of its quotes. */
  text: string
  quotes: readonly string[]
  items: readonly number[]
  tokens: readonly WordToken[]
  amounts: readonly Amount[]
  medicines: readonly MedicationMention[]
  /** A repair upholds it by these items. */
  isUpheld: boolean
}

/** 'Client (12:40): "…"': where it was said, not what. */
const timeOfQuote = /\(\d{1,3}:\d\d(?::\d\d)?\)(?=\s?:)/g

/** A note cites a few; more than this is not evidence for one sentence. */
const itemsMax = 200

/** Forty times the longest sentence of a note; what is longer is a pasted text, and its beginning stands for it. */
const sentenceLengthMax = 8_000

export const readClaim = (sentence: {
  text: string
  transcriptItems: readonly number[]
  isUpheld?: boolean
}): Claim => {
  const { transcriptItems, isUpheld = false } = sentence
  const { plain, quotes } = takeQuotes(sentence.text.slice(0, sentenceLengthMax))
  const text = plain.replaceAll(timeOfQuote, '')
  const tokens = tokenizeWords(text)
  return {
    text,
    quotes,
    items: [...new Set(transcriptItems)].slice(0, itemsMax).toSorted((a, b) => a - b),
    tokens,
    amounts: readAmounts(text, tokens),
    medicines: findMedications(text),
    isUpheld,
  }
}
