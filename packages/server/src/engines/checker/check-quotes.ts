import { plainWords } from '../text/plain-words.js'
import { besideItems, type ExactCheck } from './exact-check.js'
import type { SpokenItem } from './read-talk.js'

/** A quote is word for word; case, stops, fillers and a word said twice aside. */
export const checkQuotes: ExactCheck = (claim, talk) => {
  const parts = claim.quotes.flatMap(partsOfQuote)
  if (parts.length === 0) return null
  const said = gatherSpeech(talk.around(claim.items, besideItems))
  return parts.every((part) => said.some((speech) => speech.includes(part))) ? null : 'quote'
}

/** What was left out or put in brackets parts a quote; each part was said. */
const partsOfQuote = (quote: string): string[] =>
  quote
    .split(/\.{3,}|…|\[[^\]]{0,200}\]|--|—/)
    .map((part) => plainWords(part))
    .filter((part) => part.trim() !== '')

/** What each speaker said in items that follow each other: a "mm-hmm" between two turns does not end a sentence. */
const gatherSpeech = (items: readonly SpokenItem[]): string[] => {
  const bySpeaker = new Map<string, string[]>()
  for (const { speaker, plain } of items)
    bySpeaker.set(speaker, [...(bySpeaker.get(speaker) ?? []), plain.trim()])
  return [...bySpeaker.values()].map((texts) => ` ${texts.join(' ')} `)
}
