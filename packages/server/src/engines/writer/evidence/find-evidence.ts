import type { TranscriptItem } from '@casenote/contract'
import { isContentWord, stemWord, tokenizeWords } from '../text/tokenize-words.js'

const stemsOf = (text: string): Set<string> =>
  new Set(
    tokenizeWords(text)
      .filter((token) => isContentWord(token.lower))
      .map((token) => stemWord(token.lower)),
  )

/** How many of the likeliest items are tried: each try is a whole check. */
const candidatesMax = 6

/** Items that bear a sentence out, the fewest first; none if none do. */
export type EvidenceFinder = (
  sentence: string,
  isBorneOut: (transcriptItems: readonly number[]) => boolean,
) => number[]

/** Reads the transcript once: with three hours of it, reading it for each sentence took 300 ms a sentence. */
export const makeEvidenceFinder = (transcript: readonly TranscriptItem[]): EvidenceFinder => {
  const itemsWith = new Map<string, number[]>()
  for (const [index, item] of transcript.entries()) {
    for (const stem of stemsOf(item.transcript)) {
      const items = itemsWith.get(stem)
      if (items === undefined) itemsWith.set(stem, [index])
      else items.push(index)
    }
  }
  return (sentence, isBorneOut) => {
    const shared = new Map<number, number>()
    for (const stem of stemsOf(sentence))
      for (const item of itemsWith.get(stem) ?? []) shared.set(item, (shared.get(item) ?? 0) + 1)
    const likeliest = [...shared]
      .toSorted(([a, ofA], [b, ofB]) => ofB - ofA || a - b)
      .slice(0, candidatesMax)
      .map(([index]) => index)
    return listCandidates(likeliest, transcript.length).find(isBorneOut) ?? []
  }
}

/** One item, an item with the question before it or the answer behind it, the best two, the best three. */
const listCandidates = (likeliest: readonly number[], length: number): number[][] => [
  ...likeliest.map((index) => [index]),
  ...likeliest.filter((index) => index > 0).map((index) => [index - 1, index]),
  ...likeliest.filter((index) => index + 1 < length).map((index) => [index, index + 1]),
  ...likeliest.slice(1).map((index) => [likeliest[0] ?? 0, index]),
  likeliest.slice(0, 3),
]
