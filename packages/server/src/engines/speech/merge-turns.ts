import type { SpokenTurn } from './voices/index.js'

/** A longer silence is a new thought, even of the same voice. */
const gapSecondsMax = 2
/** Notes point at items: one that goes on for minutes proves little. */
const turnSecondsMax = 30

/** Joins what one voice says in a row, in the order of speaking. */
export function mergeTurns(clips: readonly SpokenTurn[]): SpokenTurn[] {
  const turns: SpokenTurn[] = []
  const inOrder = [...clips].sort(
    (one, other) => one.startSeconds - other.startSeconds || one.channel - other.channel,
  )
  for (const clip of inOrder) {
    const last = turns.at(-1)
    if (last && continues(last, clip)) {
      last.endSeconds = Math.max(last.endSeconds, clip.endSeconds)
      last.text = `${last.text} ${clip.text}`
    } else turns.push({ ...clip })
  }
  return turns
}

function continues(turn: SpokenTurn, clip: SpokenTurn): boolean {
  if (turn.voice !== clip.voice || turn.channel !== clip.channel) return false
  return (
    clip.startSeconds - turn.endSeconds <= gapSecondsMax &&
    clip.endSeconds - turn.startSeconds <= turnSecondsMax
  )
}
