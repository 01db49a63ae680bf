import { joinedWordsMax, union, type Line } from './line.js'
import { countSaidWords, type Said } from './read-turns.js'

const placeOf = ({ section, heading }: Line): string => `${section}/${heading ?? ''}`

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
    joined[index] = isOne
      ? {
          ...there,
          label: there.label === line.label ? there.label : '',
          quoted,
          worth: Math.max(there.worth, line.worth),
        }
      : line
    for (const said of line.quoted) own.set(said, index)
  }
  return joined
}
