import type { TranscriptItem } from '@casenote/contract'

/** A question, and an answer, may take this many lines; whoever talks on talks of something else. */
const turnLinesMax = 3

/** "Well.", "Hm, yes.": what answers is in the next line. */
const openerWordsMax = 3

/** A question says nothing without its answer, nor an answer without its question: both are shown, in their order. */
export function withAnswers(items: readonly TranscriptItem[], lines: readonly number[]): number[] {
  const named = lines.filter((line) => line >= 0 && line < items.length)
  const all = new Set(named)
  for (const line of named) {
    const question = findQuestion(items, line)
    const own = question.includes(line) ? question : findQuestionBefore(items, line)
    for (const shown of [...own, ...findAnswer(items, own)]) all.add(shown)
  }
  return [...all].toSorted((one, other) => one - other)
}

/** Where nobody could tell the voices apart, each line is somebody's. */
const isSameTurn = (items: readonly TranscriptItem[], line: number, next: number): boolean =>
  items[line] !== undefined &&
  items[line].speaker === items[next]?.speaker &&
  items.some(({ speaker }) => speaker !== items[line]?.speaker)

/** From this line to the end of its turn, where something is asked in it. */
function findQuestion(items: readonly TranscriptItem[], line: number): number[] {
  const turn = items[line] === undefined ? [] : [line]
  // One line more than counts tells that it goes on.
  for (let next = line + 1; turn.length <= turnLinesMax && isSameTurn(items, next - 1, next); next += 1)
    turn.push(next)
  const asks = turn.some((one) => items[one]?.transcript.includes('?'))
  return asks && turn.length <= turnLinesMax ? turn : []
}

/** To which this line, or a word or two ahead of it, is the answer. */
function findQuestionBefore(items: readonly TranscriptItem[], line: number): number[] {
  let first = line
  while (isSameTurn(items, first - 1, first) && isOpener(items[first - 1])) first -= 1
  if (isSameTurn(items, first - 1, first)) return []
  for (let asked = first - 1; asked >= Math.max(0, first - turnLinesMax); asked -= 1) {
    const turn = findQuestion(items, asked)
    if (turn.at(-1) === first - 1) return turn
  }
  return []
}

function findAnswer(items: readonly TranscriptItem[], question: readonly number[]): number[] {
  const last = question.at(-1)
  if (last === undefined || items[last + 1] === undefined) return []
  const answer = [last + 1]
  for (let line = last + 1; isOpener(items[line]) && isSameTurn(items, line, line + 1); line += 1)
    answer.push(line + 1)
  return answer.slice(0, turnLinesMax)
}

const isOpener = (item: TranscriptItem | undefined): boolean =>
  item !== undefined && item.transcript.trim().split(/\s+/).length <= openerWordsMax
