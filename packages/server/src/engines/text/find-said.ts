import { tokenizeWords } from './tokenize-words.js'

/** A text, split into words. */
export interface Said {
  text: string
  keys: readonly string[]
  tokens: ReturnType<typeof tokenizeWords>
}

export const readSaid = (text: string): Said => ({ text, ...keysOf(text) })

/** What is looked for: parts that follow each other, each word for word. */
export type Wanted = readonly (readonly string[])[]

export const readWanted = (words: string): Wanted =>
  words
    .split(/\.{3,}|…|\[[^[\]]{0,200}\]/)
    .map((part) => keysOf(part).keys)
    .filter((keys) => keys.length > 0)

const keysOf = (text: string): { keys: string[]; tokens: ReturnType<typeof tokenizeWords> } => {
  const tokens = tokenizeWords(text)
  return { keys: tokens.map(({ lower }) => lower.replaceAll("'", '')), tokens }
}

const findRun = (keys: readonly string[], wanted: readonly string[], from: number): number => {
  for (let at = from; at + wanted.length <= keys.length; at++)
    if (wanted.every((key, index) => keys[at + index] === key)) return at
  return -1
}

/**
 * These words as the text spells them, with the stop that ends them there, whatever marks, dashes and capitals they are given
 * with; from the first part to the last where dots part them. Null: they do not stand there word for word.
 */
export const findWords = ({ text, keys, tokens }: Said, wanted: Wanted): string | null => {
  let first = -1
  let next = 0
  for (const part of wanted) {
    const at = findRun(keys, part, next)
    if (at === -1) return null
    if (first === -1) first = at
    next = at + part.length
  }
  const [start, end] = [tokens[first]?.start, tokens[next - 1]?.end]
  if (start === undefined || end === undefined) return null
  const hasStop = /^[.?!]/.test(text.slice(end, end + 1))
  return text.slice(start, hasStop ? end + 1 : end)
}
