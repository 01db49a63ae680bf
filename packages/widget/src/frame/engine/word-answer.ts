import { serverWords } from '../texts/texts.js'

const words: Readonly<Record<string, string>> = serverWords

/** A sentence of the service's, which speaks English, in the language of the screen where there are words; else as it came. */
export const wordServer = (text: string): string => words[text] ?? text

/** What labels are put together of: `Suicidal thoughts: affirmed, in the past`. */
const joints = /(: |, |Allergy to | \(not clear\))/

const wordLabel = (label: string): string => label.split(joints).map(wordServer).join('')

/** For `JSON.parse`. These hold what the service words, and nothing that somebody said or wrote. */
export const wordAnswer = (key: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value
  if (key === 'label') return wordLabel(value)
  return key === 'failure' || key === 'failureReason' ? wordServer(value) : value
}
