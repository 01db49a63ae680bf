import type { TranscriptItem } from '@casenote/contract'
import type { Stretch } from '../../engines/speech/audio/silence-stretches.js'

/** Lines begin and end some tenths of a second beside their words. */
const marginSeconds = 0.5

export interface Cut extends Stretch {
  /** Numbers of the lines that go, in their order. */
  struck: number[]
  kept: number[]
}

/**
 * Every line of which anything lies in the stretch goes as a whole, with its sound: nobody knows which of its words were said when. Pure.
 * The sound around goes up to half a second, but nothing of a line that stays.
 */
export function cutStretch(items: readonly TranscriptItem[], asked: Stretch): Cut {
  const struck: number[] = []
  const kept: number[] = []
  for (const [index, item] of items.entries()) (lies(item, asked) ? struck : kept).push(index)
  const gone = struck.flatMap((index) => items[index] ?? [])
  const stays = kept.flatMap((index) => items[index] ?? [])
  const start = Math.min(asked.start, ...gone.map(({ startTime }) => startTime))
  const end = Math.max(asked.end, ...gone.map(({ endTime }) => endTime))
  const before = Math.max(0, ...stays.map(({ endTime }) => endTime).filter((time) => time <= start))
  const after = Math.min(Infinity, ...stays.map(({ startTime }) => startTime).filter((time) => time >= end))
  return {
    start: toHundredths(Math.max(before, start - marginSeconds)),
    end: toHundredths(Math.min(after, end + marginSeconds)),
    struck,
    kept,
  }
}

/** A line without a length lies where it begins. */
const lies = ({ startTime, endTime }: TranscriptItem, { start, end }: Stretch): boolean =>
  startTime < end && (endTime > start || (endTime <= startTime && startTime >= start))

/** Where a line that stays stands after the others have gone. */
export function makeLineOf({ kept }: Pick<Cut, 'kept'>): (line: number) => number {
  const places = new Map(kept.map((line, place) => [line, place]))
  return (line) => {
    const place = places.get(line)
    if (place === undefined) throw new Error('a struck line has no place')
    return place
  }
}

const toHundredths = (seconds: number): number => Math.round(seconds * 100) / 100
