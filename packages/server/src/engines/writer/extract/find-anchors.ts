import type { Said } from './read-turns.js'

/** Where danger is spoken of, by the numbers of sentences: looked up for every exchange of a talk, so nothing is gone through. */
export interface Anchors {
  /** Whether one of them has to do with these sentences, the last included. */
  areIn: (first: number, last: number) => boolean
  /** The end of the nearest one before a sentence. */
  endBefore: (first: number) => number | null
  /** The start of the nearest one behind a sentence. */
  startBehind: (last: number) => number | null
}

export function findAnchors(quotes: readonly (readonly Said[])[]): Anchors {
  const spans = quotes
    .map((quoted) => ({ from: quoted[0]?.index ?? 0, to: quoted.at(-1)?.index ?? 0 }))
    .toSorted((a, b) => a.from - b.from)
  const starts = spans.map(({ from }) => from)
  const ends = spans.map(({ to }) => to).toSorted((a, b) => a - b)
  /** The furthest end of each and those before it. */
  const reach: number[] = []
  for (const { to } of spans) reach.push(Math.max(to, reach.at(-1) ?? 0))
  return {
    areIn: (first, last) => {
      const count = countUpTo(starts, last)
      return count > 0 && (reach[count - 1] ?? 0) >= first
    },
    endBefore: (first) => ends[countUpTo(ends, first - 1) - 1] ?? null,
    startBehind: (last) => starts[countUpTo(starts, last)] ?? null,
  }
}

/** How many of the sorted numbers are not above one. */
function countUpTo(sorted: readonly number[], bound: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? Infinity) <= bound) low = middle + 1
    else high = middle
  }
  return low
}
