import type { Finding, ScoreFinding } from '../../reader/reading.js'
import { has, union, type Line } from './line.js'
import { countSaidWords, type Said, type Talk } from './read-turns.js'

/** So far apart two values of one measure are taken in one visit: lying and standing, last time and today. */
const itemsMax = 12
const addedWordsMax = 25

/**
 * "That's one twenty six over seventy." and, standing, "It's one hundred over sixty.": of the values of one measure that were said close to each other a line
 * has all, for one alone may be the harmless one.
 */
export function completeMeasures(lines: readonly Line[], findings: readonly Finding[], talk: Talk): Line[] {
  const scores = findings.filter((one) => one.kind === 'score')
  if (scores.length < 2) return [...lines]
  const told = new Set(lines.flatMap(({ quoted }) => quoted))
  return lines.map((line) => {
    const own = scores.filter((one) => saidOf(one, talk).some((said) => line.quoted.includes(said)))
    const others = scores.filter((one) => own.some((mine) => isOfSame(mine, one)))
    const added = others.flatMap((one) => saidOf(one, talk)).filter((said) => !told.has(said))
    const isShort = added.length > 0 && countSaidWords([...new Set(added)]) <= addedWordsMax
    if (!isShort) return line
    for (const said of added) told.add(said)
    return { ...line, quoted: union(line.quoted, added) }
  })
}

const isOfSame = (mine: ScoreFinding, other: ScoreFinding): boolean =>
  mine.name === other.name && mine.value !== other.value && distance(mine, other) <= itemsMax

const distance = ({ items: [one = 0] }: ScoreFinding, { items }: ScoreFinding): number =>
  Math.min(...items.map((item) => Math.abs(item - one)))

const saidOf = ({ items, words }: ScoreFinding, { byItem }: Talk): Said[] =>
  items.flatMap((item) => byItem[item] ?? []).filter(({ raw }) => has(words, raw) || has(raw, words))
