import type { TranscriptItem } from '@casenote/contract'
import { isContentWord, stemWord, tokenizeWords } from '../text/tokenize-words.js'

/** Words that stand in more items than this tell none of them from the others. */
const postingsMax = 60
/** A sentence is told by its first words; longer ones are lists. */
const stemsMax = 40
/** So much of a sentence's words must be in one item, or in it and the next. */
const shareMin = 0.6
const sharedMin = 3

const stemsOf = (text: string): string[] => [
  ...new Set(
    tokenizeWords(text)
      .filter(({ lower }) => isContentWord(lower) && !frame.has(lower))
      .map(({ lower }) => stemWord(lower)),
  ),
]

/** How notes introduce what was said. */
const frame = new Set(
  'client patient clinician therapist provider reports reported states stated describes described says said notes noted shares shared denies denied endorses endorsed'.split(
    ' ',
  ),
)

/** Items that plainly bear a sentence out; none if none do. */
export type EvidenceFinder = (sentence: string) => number[]

/** Reads the transcript once; each sentence then costs its own words only. */
export const makeEvidenceFinder = (transcript: readonly TranscriptItem[]): EvidenceFinder => {
  const itemsWith = new Map<string, number[]>()
  for (const [index, { transcript: text }] of transcript.entries()) {
    for (const stem of stemsOf(text)) {
      const items = itemsWith.get(stem)
      if (items === undefined) itemsWith.set(stem, [index])
      else if (items.length <= postingsMax) items.push(index)
    }
  }
  return (sentence) => {
    const stems = stemsOf(sentence).slice(0, stemsMax)
    const shared = new Map<number, Set<string>>()
    for (const stem of stems) {
      const items = itemsWith.get(stem) ?? []
      if (items.length > postingsMax) continue
      for (const item of items) shared.set(item, (shared.get(item) ?? new Set()).add(stem))
    }
    let best: { items: number[]; count: number } = { items: [], count: 0 }
    for (const [item, own] of shared) {
      const next = shared.get(item + 1)
      const together = next === undefined ? own.size : new Set([...own, ...next]).size
      const items = together > own.size ? [item, item + 1] : [item]
      if (together > best.count || (together === best.count && items.length < best.items.length))
        best = { items, count: together }
    }
    return best.count >= sharedMin && best.count >= stems.length * shareMin ? best.items : []
  }
}
