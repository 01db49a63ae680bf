import type { SpokenTurn } from './voices/index.js'

/** A longer silence is a new thought, even of the same voice. */
const gapSecondsMax = 2
/** Notes point at items: one that goes on for minutes proves little. */
const turnSecondsMax = 30

/** Of a dictation nobody else's words part the lines; so long a line is read at a glance. */
export const dictatedSecondsMax = 12

/** Joins what one voice says in a row, in the order of speaking. A line that has its sentence ends at `secondsMax`. */
export function mergeTurns(clips: readonly SpokenTurn[], secondsMax = turnSecondsMax): SpokenTurn[] {
  const turns: SpokenTurn[] = []
  const inOrder = clips.toSorted(
    (one, other) => one.startSeconds - other.startSeconds || one.channel - other.channel,
  )
  for (const clip of inOrder) {
    const last = turns.at(-1)
    if (last && continues(last, clip, secondsMax)) {
      last.endSeconds = Math.max(last.endSeconds, clip.endSeconds)
      last.text = `${last.text} ${clip.text}`
    } else turns.push({ ...clip })
  }
  return turns
}

const endsSentence = /[.?!…]["”’')\]]?$/

function continues(turn: SpokenTurn, clip: SpokenTurn, secondsMax: number): boolean {
  if (turn.voice !== clip.voice || turn.channel !== clip.channel) return false
  return (
    clip.startSeconds - turn.endSeconds <= gapSecondsMax &&
    clip.endSeconds - turn.startSeconds <=
      (endsSentence.test(turn.text.trimEnd()) ? secondsMax : turnSecondsMax)
  )
}
