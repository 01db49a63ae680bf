import { joinedWordsMax, union, type Line } from './line.js'
import { countSaidWords, type Said } from './read-turns.js'

const placeOf = ({ section, heading }: Line): string => `${section}/${heading ?? ''}`

const join = (there: Line, line: Line, quoted: readonly Said[]): Line => ({
  ...there,
  label: there.label === line.label ? there.label : '',
  quoted,
  worth: Math.max(there.worth, line.worth),
})

/** Lines of one place that came to share words are one: nothing stands there twice. */
export function joinShared(lines: readonly Line[]): Line[] {
  const joined: Line[] = []
  /** For each place: in which of the joined lines a sentence stands. */
  const standsAt = new Map<string, Map<Said, number>>()
  for (const line of lines) {
    const own = standsAt.get(placeOf(line)) ?? new Map<Said, number>()
    standsAt.set(placeOf(line), own)
    const known = line.quoted.find((said) => own.has(said))
    const at = known === undefined ? -1 : (own.get(known) ?? -1)
    const there = joined[at]
    const quoted = union(there?.quoted ?? [], line.quoted)
    const isOne = there !== undefined && countSaidWords(quoted) <= joinedWordsMax
    const index = isOne ? at : joined.length
    joined[index] = isOne ? join(there, line, quoted) : line
    for (const said of line.quoted) own.set(said, index)
  }
  return joined
}

/**
 * "Weigh every morning, write it down." – "Chest pain, nine nine nine." "I've got the calendar.": lines of one place that follow each other within a
 * turn are one, or what is said to the first of them would stand as said to the second. What is of danger has a label of its own.
 */
export function joinWithinTurn(lines: readonly Line[]): Line[] {
  const joined: Line[] = []
  const endsAt = new Map<string, number>()
  const keyOf = (line: Line, said: Said): string => `${placeOf(line)}/${said.turn}`
  for (const line of lines.toSorted(byBeginning)) {
    const [first, last] = [line.quoted[0], line.quoted.at(-1)]
    const at = first === undefined ? undefined : endsAt.get(keyOf(line, first))
    const there = joined[at ?? -1]
    const quoted = union(there?.quoted ?? [], line.quoted)
    const isOne =
      there !== undefined &&
      line.heading !== 'Danger' &&
      there.quoted.at(-1)?.index === (first?.index ?? 0) - 1 &&
      countSaidWords(quoted) <= joinedWordsMax
    const index = isOne ? (at ?? -1) : joined.length
    joined[index] = isOne ? join(there, line, quoted) : line
    if (last !== undefined) endsAt.set(keyOf(line, last), index)
  }
  return joined
}

const byBeginning = (a: Line, b: Line): number =>
  (a.quoted[0]?.index ?? Infinity) - (b.quoted[0]?.index ?? Infinity)
