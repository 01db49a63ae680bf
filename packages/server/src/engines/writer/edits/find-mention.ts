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
  // Each stem where it first stands.
  const firstWith = new Map<string, MentionSpan>()
  for (const { lower, start, end } of tokenizeWords(text)) {
    const stem = stemWord(lower)
    if (!firstWith.has(stem)) firstWith.set(stem, { start, end })
  }
  const span = { start: text.length, end: 0 }
  for (const stem of wanted) {
    const [found] = [stem, ...(topicOf.get(stem) ?? [])]
      .flatMap((one) => firstWith.get(one) ?? [])
      .toSorted((a, b) => a.start - b.start)
    if (found === undefined) return null
    span.start = Math.min(span.start, found.start)
    span.end = Math.max(span.end, found.end)
  }
  return span
}

/** Every place where the phrase stands as whole words, in any case; white space may differ. */
export function findLiteral(text: string, phrase: string): MentionSpan[] {
  const wanted = foldText(phrase.trim()).folded
  if (wanted === '') return []
  const { folded, places } = foldText(text)
  const spans: MentionSpan[] = []
  let freeFrom = 0
  for (const at of findOccurrences(folded, wanted)) {
    const start = places[at] ?? 0
    const end = places[at + wanted.length] ?? text.length
    if (start < freeFrom || !isWhole(text, start, end)) continue
    spans.push({ start, end })
    freeFrom = end
  }
  return spans
}

/** In lower case, with straight apostrophes and one space for any white space; each character with its place in the text. */
function foldText(text: string): { folded: string; places: number[] } {
  const characters: string[] = []
  const places: number[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    const isSpace = character.trim() === ''
    if (isSpace && characters.at(-1) === ' ') continue
    places.push(at)
    characters.push(isSpace ? ' ' : character === '’' ? "'" : foldCase(character))
  }
  return { folded: characters.join(''), places }
}

/** A letter whose small form is longer stays as it is: places are counted by characters. */
const foldCase = (character: string): string => {
  const small = character.toLowerCase()
  return small.length === 1 ? small : character
}

/**
 * Where one text stands in another, overlapping places included, in one walk (Knuth, Morris and Pratt): the phrase "a a a …"
 * in a note of "a a a …" would cost a plain search the product of their lengths.
 */
function* findOccurrences(text: string, phrase: string): Generator<number> {
  const fallback = [0]
  for (let at = 1, length = 0; at < phrase.length; at++) {
    while (length > 0 && phrase[at] !== phrase[length]) length = fallback[length - 1] ?? 0
    if (phrase[at] === phrase[length]) length++
    fallback.push(length)
  }
  for (let at = 0, length = 0; at < text.length; at++) {
    while (length > 0 && text[at] !== phrase[length]) length = fallback[length - 1] ?? 0
    if (text[at] === phrase[length]) length++
    if (length < phrase.length) continue
    yield at + 1 - length
    length = fallback[length - 1] ?? 0
  }
}

/** A number is not a part of a longer one: "50 mg" is neither in "150 mg" nor in "2.50 mg". */
const isWhole = (text: string, start: number, end: number): boolean =>
  !/(?:[\p{L}\p{N}]|\d[.,])$/u.test(text.slice(Math.max(0, start - 2), start)) &&
  !/^(?:[\p{L}\p{N}]|[.,]\d)/u.test(text.slice(end, end + 2))
