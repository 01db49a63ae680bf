import { plainWords } from '../text/plain-words.js'
import { besideItems, type ExactCheck } from './exact-check.js'
import type { SpokenItem } from './read-talk.js'

/** A quote is word for word; case, stops, fillers and a word said twice aside. */
export const checkQuotes: ExactCheck = (claim, talk) => {
  const parts = claim.quotes.flatMap(partsOfQuote)
  if (parts.length === 0) return null
  const said = gatherSpeech(talk.around(claim.items, besideItems))
  const missing = parts.find(({ plain }) => !said.some((speech) => speech.includes(plain)))
  return missing === undefined ? null : { reason: 'quote', part: missing.text.trim() }
}

/** What was left out or put in brackets parts a quote; each part was said. */
const partsOfQuote = (quote: string): { text: string; plain: string }[] =>
  quote
    .split(/\.{3,}|…|\[[^[\]]{0,200}\]|--|—/)
    .map((text) => ({ text, plain: plainWords(text) }))
    .filter(({ plain }) => plain.trim() !== '')

/** What each speaker said in items that follow each other: a "mm-hmm" between two turns does not end a sentence. */
const gatherSpeech = (items: readonly SpokenItem[]): string[] => {
  const bySpeaker = new Map<string, string[]>()
  for (const { speaker, plain } of items)
    bySpeaker.set(speaker, [...(bySpeaker.get(speaker) ?? []), plain.trim()])
  return [...bySpeaker.values()].map((texts) => ` ${texts.join(' ')} `)
}
