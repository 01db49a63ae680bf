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
export const findEvidence = (
  sentence: string,
  transcript: readonly TranscriptItem[],
  isBorneOut: (transcriptItems: readonly number[]) => boolean,
): number[] => {
  const wanted = stemsOf(sentence)
  const likeliest = transcript
    .map((item, index) => ({
      index,
      shared: [...stemsOf(item.transcript)].filter((stem) => wanted.has(stem)).length,
    }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared || a.index - b.index)
    .slice(0, candidatesMax)
    .map(({ index }) => index)
  return listCandidates(likeliest, transcript.length).find(isBorneOut) ?? []
}

/** One item, an item with the question before it or the answer behind it, the best two, the best three. */
const listCandidates = (likeliest: readonly number[], length: number): number[][] => [
  ...likeliest.map((index) => [index]),
  ...likeliest.filter((index) => index > 0).map((index) => [index - 1, index]),
  ...likeliest.filter((index) => index + 1 < length).map((index) => [index, index + 1]),
  ...likeliest.slice(1).map((index) => [likeliest[0] ?? 0, index]),
  likeliest.slice(0, 3),
]
