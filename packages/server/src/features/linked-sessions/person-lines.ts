import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TranscriptItem } from '@casenote/contract'
import { doesAsk } from '../../engines/text/detect-question.js'
import { splitSentences } from '../../engines/text/split-sentences.js'

interface Person {
  /** Theirs, of the shared recording. */
  voices: ReadonlySet<number>
  /** Of the others who were there: a sentence of the clinician that has one of them is left out. */
  othersNames: readonly string[]
}

/**
 * What of a shared transcript is one person's: their lines, what the clinician said between two of them, and of what the clinician said to all or to
 * another before one of them only the questions. Nothing that another said, and no number by which one could tell how many there were.
 */
export async function pickLines(
  items: readonly TranscriptItem[],
  { voices, othersNames }: Person,
): Promise<TranscriptItem[]> {
  const names = new Set(othersNames.flatMap(wordsOf))
  const isOwn = (item: TranscriptItem | undefined): boolean =>
    item?.voice !== undefined && voices.has(item.voice)
  const pick = (item: TranscriptItem, index: number): TranscriptItem[] => {
    const { startTime, endTime, transcript, corrections } = item
    if (isOwn(item))
      return [{ startTime, endTime, speaker: 'client', transcript, ...(corrections ? { corrections } : {}) }]
    if (item.speaker !== 'clinician') return []
    const next = findOther(items, index, 1)
    if (!isOwn(items[next])) return []
    const isBetween = isOwn(items[findOther(items, index, -1)])
    // Of several lines in a row the last is the one that is answered.
    if (!isBetween && next !== index + 1) return []
    const said = splitSentences(transcript).filter(
      (sentence) =>
        (isBetween || doesAsk(sentence, true)) && !wordsOf(sentence).some((word) => names.has(word)),
    )
    return said.length === 0 ? [] : [{ startTime, endTime, speaker: 'clinician', transcript: said.join(' ') }]
  }
  const picked: TranscriptItem[] = []
  for (const [index, item] of items.entries()) {
    if (index % itemsPerTurn === 0) await nextTurn()
    picked.push(...pick(item, index))
  }
  return picked
}

/** Hours of talk take longer than a turn may. */
const itemsPerTurn = 500

/** The nearest line that is not the clinician's; behind the last, or before the first, there is none. */
const findOther = (items: readonly TranscriptItem[], from: number, step: 1 | -1): number => {
  let at = from + step
  while (items[at]?.speaker === 'clinician') at += step
  return at
}

/** "Ana’s" has the name, too. */
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/['’]s\b/g, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word.length > 1)
