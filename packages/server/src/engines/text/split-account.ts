import type { TranscriptItem } from '@casenote/contract'
import { splitSentences } from './split-sentences.js'

/** A paragraph of this length is read at a glance; evidence that points to a longer one points at too much. */
const itemLengthMax = 600

/** More lines than anybody types. Beyond it neighbours stand in one item, so that nothing is lost and a reader ends. */
const itemsMax = 1_000

/** What the clinician typed, as a transcript: a line or a part of a long one is an item. Nothing of it was said at any time. */
export function splitAccount(text: string): TranscriptItem[] {
  const lines = text
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .flatMap(cutLong)
  const perItem = Math.ceil(lines.length / itemsMax)
  return Array.from({ length: Math.ceil(lines.length / Math.max(1, perItem)) }, (_, at) => ({
    startTime: 0,
    endTime: 0,
    speaker: 'clinician',
    transcript: lines.slice(at * perItem, (at + 1) * perItem).join(' '),
    source: 'typed' as const,
  }))
}

function cutLong(line: string): string[] {
  if (line.length <= itemLengthMax) return [line]
  const parts: string[] = []
  for (const sentence of splitSentences(line)) {
    const last = parts.at(-1)
    if (last === undefined || last.length + 1 + sentence.length > itemLengthMax) parts.push(sentence)
    else parts[parts.length - 1] = `${last} ${sentence}`
  }
  return parts
}
