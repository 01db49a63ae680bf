import type { DangerFinding } from '../../reader/reading.js'
import { heatOfSaid, type Said, type Talk } from './read-turns.js'

/*
 * What of a talk about danger was left out: "I think that was a real moment of danger" before the sentence that is quoted, "Five." behind a question
 * of the list. By the encoder's figures alone, with no words of its own, so that it holds for talk that nobody thought of.
 */

/**
 * From here a sentence belongs to the talk about danger, by its own figure or by its item's. Of 168 sessions in which people marked every such sentence
 * (eval/extract/labels), 11.9 % of these words stood in neither note nor list before, and 1.6 % at this figure, for 69 more words in a list.
 */
const dangerFrom = 0.05
/** "Five.", "Sunday night.": between two that belong to it, so few sentences do as well. */
const betweenMax = 2

/**
 * Around what is surely of danger, a lower figure is enough, from one such sentence to the next. Of 168 sessions 2.1 % of the words about danger stood in
 * neither note nor list without this and 0.9 % with it, for 58 more words in a list; these figures were chosen in sight of them.
 */
const surelyFrom = 0.3
const aroundFrom = 0.02
const reachMax = 5

/** Sentences of talk about danger that are neither quoted nor in the list, in the order of the talk. */
export function listRest(
  danger: readonly DangerFinding[],
  { sentences }: Talk,
  { quoted, isListed }: { quoted: ReadonlySet<Said>; isListed: (said: Said) => boolean },
): Said[] {
  if (danger.length === 0) return []
  const heats = sentences.map(heatOf)
  const isAround = growAround(heats)
  const belongs = heats.map((heat, at) => heat >= dangerFrom || isAround[at] === true)
  return sentences.filter((said, at) => {
    if (said.isTyped || quoted.has(said) || isListed(said)) return false
    return belongs[at] === true || isBetween(belongs, at)
  })
}

/** How much a sentence, or its item, is taken for talk about danger. */
export const heatOf = (said: Said): number => Math.max(said.figures.places.danger ?? 0, heatOfSaid(said))

const isBetween = (belongs: readonly boolean[], at: number): boolean =>
  belongs.slice(Math.max(0, at - betweenMax), at).includes(true) &&
  belongs.slice(at + 1, at + 1 + betweenMax).includes(true)

/** From what is surely of danger on to both sides, as far as the next sentence is near and may be of it. */
function growAround(heats: readonly number[]): boolean[] {
  const grown = heats.map((heat) => heat >= surelyFrom)
  const ahead = heats.map((_heat, at) => at)
  for (const order of [ahead, ahead.toReversed()]) {
    let nearest = -Infinity
    for (const at of order) {
      if (grown[at] !== true && Math.abs(at - nearest) <= reachMax && (heats[at] ?? 0) >= aroundFrom)
        grown[at] = true
      if (grown[at] === true) nearest = at
    }
  }
  return grown
}
