import { plainWords } from '../text/plain-words.js'
import { besideItems, type ExactCheck } from './exact-check.js'
import type { SpokenItem } from './read-talk.js'

/** A quote is word for word; case, stops, marks, hyphens, fillers and a word said twice aside. */
export const checkQuotes: ExactCheck = (claim, talk) => {
  const parts = claim.quotes.flatMap(partsOfQuote)
  if (parts.length === 0) return null
  const beside = talk.around(claim.items, besideItems)
  const said = gatherSpeech(beside, ({ plain }) => plain)
  const absent = parts.filter(({ plain }) => !said.some((speech) => speech.includes(plain)))
  if (absent.length === 0) return null
  const joined = gatherSpeech(beside, ({ text }) => plainWords(joinCompounds(text)))
  const missing = absent.find(({ text }) => {
    const plain = plainWords(joinCompounds(text))
    return !joined.some((speech) => speech.includes(plain))
  })
  return missing === undefined ? null : { reason: 'quote', part: missing.text.trim() }
}

/** "co-worker" and "coworker" were said alike. */
const joinCompounds = (text: string): string => text.replace(/(?<=\p{L})[-‐‑](?=\p{L})/gu, '')

/** What was left out or put in brackets parts a quote; each part was said. */
const partsOfQuote = (quote: string): { text: string; plain: string }[] =>
  quote
    .split(/\.{3,}|\. \. ?\.|…|\[[^[\]]{0,200}\]|--|—/)
    .map((text) => ({ text, plain: plainWords(text) }))
    .filter(({ plain }) => plain.trim() !== '')

/** What each speaker said in items that follow each other: a "mm-hmm" between two turns does not end a sentence. */
const gatherSpeech = (items: readonly SpokenItem[], read: (item: SpokenItem) => string): string[] => {
  const bySpeaker = new Map<string, string[]>()
  for (const item of items)
    bySpeaker.set(item.speaker, [...(bySpeaker.get(item.speaker) ?? []), read(item).trim()])
  return [...bySpeaker.values()].map((texts) => ` ${texts.join(' ')} `)
}
