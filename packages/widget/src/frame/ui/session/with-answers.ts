import type { TranscriptItem } from '@casenote/contract'

/** A question says nothing without its answer, nor an answer without its question: both are shown, in their order. */
export function withAnswers(items: readonly TranscriptItem[], lines: readonly number[]): number[] {
  const all = new Set(lines.filter((line) => line >= 0 && line < items.length))
  for (const line of lines) {
    if (isAnswered(items, line)) all.add(line + 1)
    if (isAnswered(items, line - 1)) all.add(line - 1)
  }
  return [...all].toSorted((one, other) => one - other)
}

const isAnswered = (items: readonly TranscriptItem[], line: number): boolean => {
  const [question, answer] = [items[line], items[line + 1]]
  return (
    question !== undefined &&
    answer !== undefined &&
    question.speaker !== answer.speaker &&
    question.transcript.trimEnd().endsWith('?')
  )
}
