import { serverWords } from '../texts/texts.js'

const words: Readonly<Record<string, string>> = serverWords

/** Sentences with places for a number or for words of the clinician's, `{}`: what stands between the places, and what for. */
const patterns = Object.entries(words)
  .filter(([sentence]) => sentence.includes('{}'))
  .map(([sentence, wording]) => ({ parts: sentence.split('{}'), wording: wording.split('{}') }))

/** A sentence of the service's, which speaks English, in the language of the screen where there are words; else as it came. */
export const wordServer = (text: string): string => words[text] ?? wordPattern(text) ?? text

function wordPattern(text: string): string | null {
  for (const { parts, wording } of patterns) {
    const values = readValues(parts, text)
    if (values !== null) return wording.map((part, place) => part + wordList(values[place] ?? '')).join('')
  }
  return null
}

/** Null: it is another sentence. */
function readValues(parts: readonly string[], text: string): string[] | null {
  const [first = '', ...rest] = parts
  if (!text.startsWith(first)) return null
  const values: string[] = []
  let at = first.length
  for (const [index, part] of rest.entries()) {
    const end = index === rest.length - 1 ? text.length - part.length : text.indexOf(part, at)
    if (end < at || !text.startsWith(part, end)) return null
    values.push(text.slice(at, end))
    at = end + part.length
  }
  return values
}

/** `weapons, sertraline`: of what is named in a sentence, what there are words for. */
const wordList = (list: string): string =>
  words[list] ??
  list
    .split(', ')
    .map((one) => words[one] ?? one)
    .join(', ')

/** What labels are put together of: `Suicidal thoughts: affirmed, in the past`. */
const joints = /(: |, |; |Allergy to | \(not clear\))/

const wordLabel = (label: string): string => label.split(joints).map(wordServer).join('')

const wordedKeys: ReadonlySet<string> = new Set(['failure', 'failureReason', 'severityName'])

/** For `JSON.parse`. These hold what the service words, and nothing that somebody said or wrote. */
export const wordAnswer = (key: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value
  if (key === 'label') return wordLabel(value)
  return wordedKeys.has(key) ? wordServer(value) : value
}
