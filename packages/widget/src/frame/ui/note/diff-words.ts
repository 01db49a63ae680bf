export interface DiffPart {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** 1,500 words against 1,500 are 2 MB of table and some 20 ms; the longest sections have 250. */
const cellsMax = 2_250_000

/** Words with the white space after them, so that the parts joined are a text. */
const toWords = (text: string): string[] => text.match(/\S+\s*|^\s+/g) ?? []

/** Another line break after a word is not another word. */
const isSameWord = (one: string | undefined, other: string | undefined): boolean =>
  one?.trimEnd() === other?.trimEnd()

/**
 * What was removed from `before` and added to get `after`, word by word, by the longest common subsequence. What stayed
 * has the white space of `after`.
 */
export function diffWords(before: string, after: string): DiffPart[] {
  const old = toWords(before)
  const next = toWords(after)
  const start = countSame(old, next, (index) => index)
  const end = Math.min(
    countSame(old, next, (index, words) => words.length - 1 - index),
    Math.min(old.length, next.length) - start,
  )
  return joinParts([
    ...next.slice(0, start).map(same),
    ...diffMiddle(old.slice(start, old.length - end), next.slice(start, next.length - end)),
    ...next.slice(next.length - end).map(same),
  ])
}

const same = (text: string): DiffPart => ({ kind: 'same', text })

function countSame(
  old: readonly string[],
  next: readonly string[],
  at: (index: number, words: readonly string[]) => number,
): number {
  const most = Math.min(old.length, next.length)
  let index = 0
  while (index < most && isSameWord(old[at(index, old)], next[at(index, next)])) index += 1
  return index
}

function diffMiddle(old: readonly string[], next: readonly string[]): DiffPart[] {
  // Beyond the bound all of it counts as rewritten: true, only less helpful.
  const isTooLarge = (old.length + 1) * (next.length + 1) > cellsMax
  const lengths = isTooLarge ? null : measureCommon(old, next)
  const parts: DiffPart[] = []
  let oldAt = 0
  let nextAt = 0
  while (oldAt < old.length || nextAt < next.length) {
    const removed = old[oldAt]
    const added = next[nextAt]
    if (lengths !== null && added !== undefined && isSameWord(removed, added)) {
      parts.push({ kind: 'same', text: added })
      oldAt += 1
      nextAt += 1
    } else if (removed !== undefined && (added === undefined || prefersRemoval(oldAt, nextAt))) {
      parts.push({ kind: 'removed', text: removed })
      oldAt += 1
    } else if (added !== undefined) {
      parts.push({ kind: 'added', text: added })
      nextAt += 1
    }
  }
  return parts

  function prefersRemoval(oldIndex: number, nextIndex: number): boolean {
    if (lengths === null) return true
    const width = next.length + 1
    return (
      (lengths[(oldIndex + 1) * width + nextIndex] ?? 0) >= (lengths[oldIndex * width + nextIndex + 1] ?? 0)
    )
  }
}

/** At [i, j]: the length of the longest common subsequence of what follows from there. */
function measureCommon(old: readonly string[], next: readonly string[]): Uint16Array {
  const width = next.length + 1
  const lengths = new Uint16Array((old.length + 1) * width)
  // Trimmed once, not in each of the cells.
  const oldWords = old.map((word) => word.trimEnd())
  const nextWords = next.map((word) => word.trimEnd())
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = next.length - 1; j >= 0; j -= 1) {
      const below = lengths[(i + 1) * width + j] ?? 0
      const right = lengths[i * width + j + 1] ?? 0
      const diagonal = lengths[(i + 1) * width + j + 1] ?? 0
      lengths[i * width + j] = oldWords[i] === nextWords[j] ? diagonal + 1 : Math.max(below, right)
    }
  }
  return lengths
}

/** Removed words keep apart from what stands beside them: the last word of a text has no white space of its own. */
function joinParts(parts: readonly DiffPart[]): DiffPart[] {
  const joined: DiffPart[] = []
  for (const { kind, text } of parts) {
    const last = joined.at(-1)
    const isGlued = last !== undefined && !/\s$/.test(last.text) && !/^\s/.test(text)
    if (isGlued && last.kind === 'removed') last.text += ' '
    const apart = isGlued && kind === 'removed' && last.kind !== 'removed' ? ` ${text}` : text
    if (last?.kind === kind) last.text += apart
    else joined.push({ kind, text: apart })
  }
  return joined
}
