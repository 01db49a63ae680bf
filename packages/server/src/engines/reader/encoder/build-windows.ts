import type { Turn } from '../talk/read-talk.js'
import { CLS, SEP, UNKNOWN, type WordPieces } from './word-pieces.js'

/** A stretch of a window's pieces: from, to (behind the last). */
export type Span = readonly [number, number]

/** A sentence that is judged in a window. */
export interface JudgedSpan {
  item: number
  /** Its place among the sentences of its item. */
  at: number
  sentence: Span
  /** What the window holds of its turn. */
  turn: Span
}

/** What the encoder reads at once: a stretch of talk, of which the sentences in the middle are judged. */
export interface Window {
  ids: readonly number[]
  judged: readonly JudgedSpan[]
}

/* As it was trained. Each sentence is read with so much before and after it at least, and 1.4 times in all. */
const windowLength = 380
const beforeLength = 72
const afterLength = 32
const judgedLength = windowLength - beforeLength - afterLength - 2
/** A sentence has at most 70 words (read-talk); text that is no words could have thousands of pieces. */
const sentenceLengthMax = 120

interface Unit {
  item: number
  at: number
  /** Before the first sentence of a turn: who speaks. */
  lead: readonly number[]
  ids: readonly number[]
  length: number
}

/** Windows that judge every sentence once, in order. */
export function* buildWindows(turns: readonly Turn[], pieces: WordPieces): Generator<Window> {
  const units = turns.flatMap(({ item, role, sentences }) =>
    sentences.map(({ text, at }): Unit => {
      const lead = at === 0 ? [SEP, ...pieces.encode(`${role}:`)] : []
      const all = pieces.encode(text).slice(0, sentenceLengthMax)
      const ids = all.length > 0 ? all : [UNKNOWN]
      return { item, at, lead, ids, length: lead.length + ids.length }
    }),
  )
  for (let start = 0; start < units.length;) {
    const end = Math.max(start + 1, fill(units, start, judgedLength))
    const first = fillBack(units, start, beforeLength)
    yield setWindow(units.slice(first, fill(units, end, afterLength)), start - first, end - first)
    start = end
  }
}

/** Behind the last unit that fits. */
const fill = (units: readonly Unit[], start: number, room: number): number => {
  let [end, used] = [start, 0]
  for (let unit = units[end]; unit !== undefined && used + unit.length <= room; unit = units[end]) {
    used += unit.length
    end += 1
  }
  return end
}

const fillBack = (units: readonly Unit[], end: number, room: number): number => {
  let [start, used] = [end, 0]
  for (
    let unit = units[start - 1];
    unit !== undefined && used + unit.length <= room;
    unit = units[start - 1]
  ) {
    used += unit.length
    start -= 1
  }
  return start
}

function setWindow(units: readonly Unit[], from: number, to: number): Window {
  const ids: number[] = [CLS]
  const spans = units.map(({ lead, ids: own }): Span => {
    ids.push(...lead)
    const start = ids.length
    ids.push(...own)
    return [start, ids.length]
  })
  ids.push(SEP)
  const turns = new Map<number, [number, number]>()
  for (const [index, { item }] of units.entries()) {
    const [start, end] = spans[index] ?? [0, 0]
    const turn = turns.get(item)
    if (turn === undefined) turns.set(item, [start, end])
    else turn[1] = end
  }
  const judged = units.slice(from, to).map(({ item, at }, index): JudgedSpan => ({
    item,
    at,
    sentence: spans[from + index] ?? [0, 0],
    turn: turns.get(item) ?? [0, 0],
  }))
  return { ids, judged }
}
