import type { TranscriptItem } from '@casenote/contract'
import { cutItem } from './cut-item.js'
import { CLS, SEP, type WordPieces } from './word-pieces.js'

export type SpokenItem = Pick<TranscriptItem, 'speaker' | 'transcript'>

/** What the encoder reads to judge one item, or one piece of a long one. */
export interface Window {
  item: number
  ids: readonly number[]
  /** Where the judged words stand in `ids`. */
  nowStart: number
  nowLength: number
}

/* As it was trained: three turns before, one after, and so many words of each. */
const beforeCount = 3
const beforeWordsMax = 40
const afterWordsMax = 25
const windowLength = 256
/** Twenty-five words are about 35 pieces. Text that is no words could be thousands, and the encoder has 512 places. */
const afterLengthMax = 200

interface Part {
  speaker: string
  words: readonly string[]
}

/** One window for each item in order, several for a long one. */
export function* buildWindows(items: readonly SpokenItem[], pieces: WordPieces): Generator<Window> {
  const cut = items.map(({ transcript }) => cutItem(transcript))
  const parts = cut.map((own, index) => ({
    speaker: nameRole(items[index]?.speaker ?? ''),
    words: own.flat(),
  }))
  for (const [index, own] of cut.entries()) {
    const { speaker } = parts[index] ?? { speaker: 'other' }
    let done = 0
    for (const words of own) {
      const all = parts[index]?.words ?? []
      const [head, rest] = [all.slice(0, done), all.slice(done + words.length)]
      done += words.length
      const before = [
        ...parts.slice(Math.max(0, index - beforeCount), index),
        ...(head.length > 0 ? [{ speaker, words: head }] : []),
      ].slice(-beforeCount)
      const after = rest.length > 0 ? { speaker, words: rest } : parts[index + 1]
      yield buildWindow(index, before, { speaker, words }, after, pieces)
    }
  }
}

const nameRole = (speaker: string): string =>
  speaker === 'clinician' || speaker === 'client' ? speaker : 'other'

function buildWindow(
  item: number,
  before: readonly Part[],
  now: Part,
  after: Part | undefined,
  pieces: WordPieces,
): Window {
  const encode = (part: Part, words: readonly string[]) =>
    pieces.encode(`${part.speaker}: ${words.join(' ')}`)
  const allBefore = before.flatMap((part) => [...encode(part, part.words.slice(-beforeWordsMax)), SEP])
  const allNow = encode(now, now.words)
  const idsAfter =
    after === undefined
      ? []
      : [SEP, ...encode(after, after.words.slice(0, afterWordsMax))].slice(0, afterLengthMax)
  const room = windowLength - 4 - allNow.length - idsAfter.length
  const idsBefore = room > 0 ? allBefore.slice(-room) : []
  const idsNow = allNow.slice(0, windowLength - 4)
  return {
    item,
    ids: [CLS, ...idsBefore, SEP, ...idsNow, SEP, ...idsAfter, SEP],
    nowStart: idsBefore.length + 2,
    nowLength: idsNow.length,
  }
}
