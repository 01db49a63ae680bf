import type { VocabularyAddition } from '@casenote/contract'
import { diffWords } from '../note/diff-words.js'

/** As many words as the service compares, and characters as it keeps. */
const wordsMax = 4
const lengthMax = 60

/** What a correction may teach: one stretch of words that was written otherwise. Null: it is more than one word's way of being written. */
export function findTaught(
  before: string,
  after: string,
): (Pick<VocabularyAddition, 'term'> & { heard: string }) | null {
  const parts = diffWords(before, after).filter(({ kind }) => kind !== 'same')
  const [removed, added] = [
    parts.find(({ kind }) => kind === 'removed'),
    parts.find(({ kind }) => kind === 'added'),
  ]
  if (parts.length !== 2 || removed === undefined || added === undefined) return null
  const [heard, term] = [bare(removed.text), bare(added.text)]
  return isPhrase(heard) && isPhrase(term) && heard !== term ? { heard, term } : null
}

/** Without the marks around it. */
function bare(text: string): string {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)]
  const [first, last] = [words[0], words.at(-1)]
  return first === undefined || last === undefined ? '' : text.slice(first.index, last.index + last[0].length)
}

const isPhrase = (text: string): boolean =>
  text.length >= 2 && text.length <= lengthMax && text.split(/\s+/).length <= wordsMax
