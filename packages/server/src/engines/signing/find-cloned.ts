import type { NoteSection } from '@casenote/contract'
import { splitSentences } from '../text/split-sentences.js'

type Section = Pick<NoteSection, 'key' | 'title' | 'content'>

export interface ClonedText {
  /** Words of cloned sentences among the words of all that count; 0 to 1. */
  share: number
  sentences: { sectionKey: string; sentence: string }[]
}

/** "Client was on time and oriented." stands in every note of every clinician; what is longer is about somebody. */
const countedWordsMin = 8

/** Three words in a row stand in any text; most of a sentence's threes do not, and one changed word spoils three of them. */
const runWords = 3

/** So many of a sentence's runs stand in the earlier note: one word in a long sentence may be another one. */
const runsShareMin = 0.7

/** Four hundred pages: what is longer was pasted, and what stands behind it is not looked at. */
const wordsMax = 200_000

/**
 * Which sentences of a note stand in an earlier one, with at most a word changed. By hashes of runs of words: both texts are
 * walked once. Headings and short sentences do not count, neither as cloned nor as written.
 */
export const findCloned = (sections: readonly Section[], earlier: readonly Section[]): ClonedText => {
  const known = new Set<number>()
  for (const { words } of listCounted(earlier)) for (const run of hashRuns(words)) known.add(run)
  const sentences: ClonedText['sentences'] = []
  let [countedWords, clonedWords] = [0, 0]
  for (const { sectionKey, sentence, words } of listCounted(sections)) {
    countedWords += words.length
    const runs = hashRuns(words)
    const alike = runs.filter((run) => known.has(run)).length
    if (alike < runs.length * runsShareMin) continue
    clonedWords += words.length
    sentences.push({ sectionKey, sentence })
  }
  return { share: countedWords === 0 ? 0 : clonedWords / countedWords, sentences }
}

interface Counted {
  sectionKey: string
  sentence: string
  words: string[]
}

function* listCounted(sections: readonly Section[]): Generator<Counted> {
  let left = wordsMax
  for (const { key, title, content } of sections) {
    const heading = title.toLowerCase()
    for (const sentence of splitSentences(content)) {
      if (left <= 0) return
      const words = toWords(sentence)
      left -= words.length
      if (words.length < countedWordsMin || words.join(' ') === heading) continue
      yield { sectionKey: key, sentence, words }
    }
  }
}

const toWords = (sentence: string): string[] =>
  sentence
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** FNV-1a over each run of words. 200,000 runs in 32 bits: one in 20,000 is taken for another, and a sentence has several. */
const hashRuns = (words: readonly string[]): number[] => {
  const runs: number[] = []
  for (let from = 0; from + runWords <= words.length; from++) {
    let hash = 0x811c9dc5
    for (let at = from; at < from + runWords; at++) {
      const word = words[at] ?? ''
      for (let index = 0; index < word.length; index++)
        hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193)
      hash = Math.imul(hash ^ 0x20, 0x01000193)
    }
    runs.push(hash >>> 0)
  }
  return runs
}
