import { tokenizeWords } from '../../engines/text/tokenize-words.js'
import type { ItemContent } from './danger-item.js'

interface Known {
  isOpen: boolean
  /** Somebody has seen it or answered for it. */
  isTouched: boolean
  content: ItemContent
}

/** The share of the words of both that must be the same for what has ended to cover what is said now. */
const sameShare = 0.5

/** A newer reader, or one that knows the speakers, may understand the same words otherwise. */
const isSaidAt = (one: ItemContent, other: ItemContent): boolean =>
  one.words === other.words && isBeside(one, other, null)

/**
 * What is said now of each item that is known, and what of it is new. The same words in the same place are the same item; so is, in a
 * line whose words were put right, what stands now where the item's words stood and is of its kind or has words of it. What has ended,
 * or was seen, covers only what tells the same in nearly the same words: nobody answered for anything else.
 */
export function matchSaid<Item extends Known>(
  known: readonly Item[],
  said: readonly ItemContent[],
  correctedItems: readonly number[],
): { saidOf: ReadonlyMap<Item, ItemContent>; fresh: ItemContent[] } {
  const saidOf = new Map<Item, ItemContent>()
  for (const item of known) {
    const found = said.find((one) => isSaidAt(one, item.content))
    if (found !== undefined) saidOf.set(item, found)
  }
  const corrected = new Set(correctedItems)
  const taken = new Set(saidOf.values())
  const share = makeSharer()
  const pairs = known
    .filter((item) => !saidOf.has(item))
    .flatMap((item) =>
      said
        .filter((one) => !taken.has(one) && isBeside(one, item.content, corrected))
        .map((one) => ({ item, one, share: share(one.words, item.content.words) }))
        .filter(({ one: now, share: common }) => {
          const isSameKind = now.label === item.content.label
          return item.isOpen && !item.isTouched ? isSameKind || common > 0 : isSameKind && common >= sameShare
        }),
    )
    .toSorted((a, b) => b.share - a.share)
  for (const { item, one } of pairs) {
    if (saidOf.has(item) || taken.has(one)) continue
    saidOf.set(item, one)
    taken.add(one)
  }
  return { saidOf, fresh: said.filter((one) => !taken.has(one)) }
}

/** `among`: in one of these lines; null for any. */
const isBeside = (one: ItemContent, other: ItemContent, among: ReadonlySet<number> | null): boolean =>
  one.transcriptItems.some(
    (item) => other.transcriptItems.includes(item) && (among === null || among.has(item)),
  )

/** Everything known may stand in one line with everything said: each text is taken apart once. */
function makeSharer(): (one: string, other: string) => number {
  const known = new Map<string, ReadonlySet<string>>()
  const wordsOf = (text: string): ReadonlySet<string> => {
    const words = known.get(text) ?? new Set(tokenizeWords(text).map(({ lower }) => lower))
    known.set(text, words)
    return words
  }
  return (one, other) => {
    const [first, second] = [wordsOf(one), wordsOf(other)]
    let shared = 0
    for (const word of first) if (second.has(word)) shared += 1
    return shared / Math.max(first.size, second.size, 1)
  }
}
