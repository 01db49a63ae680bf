import { isContentWord, stemWord, tokenizeWords } from '../../text/tokenize-words.js'

/** Other words for what clinicians name as a topic. A mention of the first is a mention of all. */
const topics: readonly (readonly string[])[] = [
  ['sleep', 'insomnia', 'nightmare', 'asleep', 'awake', 'sleepless'],
  ['alcohol', 'drink', 'drinking', 'beer', 'wine', 'liquor', 'drunk'],
  ['work', 'job', 'boss', 'coworker', 'workplace'],
  ['medication', 'meds', 'med', 'medicine', 'prescription'],
  ['suicidality', 'suicidal', 'suicide'],
  ['homework', 'worksheet', 'journal', 'thought record'],
  ['appointment', 'follow-up', 'visit', 'session'],
  ['appetite', 'eating', 'eat'],
]

const topicOf = new Map(topics.map(([name = '', ...others]) => [stemWord(name), others.map(stemWord)]))

export interface MentionSpan {
  start: number
  end: number
}

/** Where a sentence speaks of it: as it is written, else with all of its words in any form. Null: nowhere. */
export function findMention(text: string, mention: string): MentionSpan | null {
  const literal = findLiteral(text, mention)[0]
  if (literal !== undefined) return literal
  const wanted = tokenizeWords(mention)
    .map(({ lower }) => lower)
    .filter((word) => isContentWord(word) && !['client', 'patient'].includes(word))
    .map(stemWord)
  if (wanted.length === 0) return null
  const tokens = tokenizeWords(text).map((token) => ({ ...token, stem: stemWord(token.lower) }))
  const found = wanted.map((stem) =>
    tokens.find((token) => token.stem === stem || (topicOf.get(stem)?.includes(token.stem) ?? false)),
  )
  if (found.includes(undefined)) return null
  const places = found.filter((token) => token !== undefined)
  return {
    start: Math.min(...places.map(({ start }) => start)),
    end: Math.max(...places.map(({ end }) => end)),
  }
}

/** Every place where the phrase stands as whole words, in any case; white space may differ. */
export function findLiteral(text: string, phrase: string): MentionSpan[] {
  const escaped = phrase
    .trim()
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/['’]/g, "['’]")
    .replaceAll(/\s+/g, String.raw`\s+`)
  if (escaped === '') return []
  // A number is not a part of a longer one: "50 mg" is neither in "150 mg" nor in "2.50 mg".
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}]|\d[.,])${escaped}(?![\p{L}\p{N}]|[.,]\d)`, 'giu')
  return [...text.matchAll(pattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
}
