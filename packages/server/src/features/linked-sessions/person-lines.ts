import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TranscriptItem } from '@casenote/contract'
import { doesAsk } from '../../engines/text/detect-question.js'
import { splitSentences } from '../../engines/text/split-sentences.js'
import { mentionsOthers, wordsOf } from './mentions-others.js'

interface Person {
  /** Theirs, of the shared recording. */
  voices: ReadonlySet<number>
  /** The names of the others who were there or have a session of it: a sentence of the clinician that has one of them is left out. */
  othersNames: readonly string[]
  /** What was paused or struck, in seconds: what somebody else may have said there. */
  gaps?: readonly Gap[]
  /** False: in a language in which no rule tells of whom a question speaks, so the clinician's are left out, too. */
  isRead?: boolean
}

interface Gap {
  start: number
  end: number
}

/**
 * What of a shared transcript is one person's: their lines, and of the line of the clinician that stands directly before one of them the questions
 * that speak of nobody else. What the clinician told is left out wherever it stands: it may be about another, or to another who only nodded.
 * Nothing that another said, and no number by which one could tell how many there were.
 */
export async function pickLines(
  items: readonly TranscriptItem[],
  { voices, othersNames, gaps = [], isRead = true }: Person,
): Promise<TranscriptItem[]> {
  const names = new Set(othersNames.flatMap(wordsOf))
  const isOwn = ({ voice }: TranscriptItem): boolean => voice !== undefined && voices.has(voice)
  const pick = (item: TranscriptItem, next: TranscriptItem | undefined): TranscriptItem[] => {
    const { startTime, endTime, transcript, corrections } = item
    if (isOwn(item))
      return [{ startTime, endTime, speaker: 'client', transcript, ...(corrections ? { corrections } : {}) }]
    if (!isRead || item.speaker !== 'clinician' || next === undefined) return []
    if (!isOwn(next) || liesBetween(gaps, item, next)) return []
    const asked = splitSentences(transcript).filter(
      (sentence) => doesAsk(sentence, true) && !mentionsOthers(sentence, names),
    )
    return asked.length === 0
      ? []
      : [{ startTime, endTime, speaker: 'clinician', transcript: asked.join(' ') }]
  }
  const picked: TranscriptItem[] = []
  for (const [index, item] of items.entries()) {
    if (index % itemsPerTurn === 0) await nextTurn()
    picked.push(...pick(item, items[index + 1]))
  }
  return picked
}

/** Hours of talk take longer than a turn may. */
const itemsPerTurn = 500

/** A pause has no length in the recording. One within the clinician's line counts: what stands before it was not answered. */
const liesBetween = (gaps: readonly Gap[], item: TranscriptItem, next: TranscriptItem): boolean =>
  gaps.some(({ start, end }) => end > item.startTime && start <= next.startTime)
