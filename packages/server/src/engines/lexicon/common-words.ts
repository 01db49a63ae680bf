import { readFileSync } from 'node:fs'
import { ownFile } from '../../kernel/own-files.js'

/** The 10,700 commonest English words (SCOWL 10 and 20); see packages/server/models/README.md. */
const commonWords: ReadonlySet<string> = new Set(
  readFileSync(ownFile('models/common-words.txt'), 'utf8').split(/\s+/),
)

/** Whether each part of what is written as one word is plain English: "search-a-line" is. */
export function isCommonWord(word: string): boolean {
  return word
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/'s$/, '')
    .split(/[^a-z']+/)
    .every((part) => part === '' || commonWords.has(part) || commonWords.has(part.replaceAll("'", '')))
}
