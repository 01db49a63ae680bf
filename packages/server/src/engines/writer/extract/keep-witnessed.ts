import { betweenWordsMax, joinedWordsMax, partExchanges, union, type Line } from './line.js'
import { isOfTooMuch } from './raise-danger.js'
import { countSaidWords, type Said, type Talk } from './read-turns.js'
import { isSilent, needOf, standsBelow } from './stands.js'
import { trimDanger } from './trim-danger.js'
import { isAnothersOverdose, isSure, isWitnessed, type Sureness } from './two-witnesses.js'

/** What the encoder must say of a line that has no words of danger: beside another, and alone. */
const besideAt: Sureness = { best: 0.6, heat: 0.9, share: 0.5 }
const aloneAt: Sureness = { best: 0.8, heat: 0.98, share: 0.6 }

/**
 * Nothing stands under Danger by one witness alone. The witnesses are the encoder, by which every line came there, and rules that read the
 * line's words. A line that has only the encoder ("Any time you felt no need for sleep?" in the middle of such questions)
 *
 * - is joined to the witnessed line beside it, where little was said between them and both speak of danger;
 * - or stands alone, if the encoder is as sure as it ever is;
 * - or else stands under Other.
 *
 * Lines that overlap become one, in the order of the talk, so that each answer stands behind its question and nothing is quoted twice.
 */
export function keepWitnessed(
  lines: readonly Line[],
  { talk, reportSection }: { talk: Talk; reportSection: string },
): Line[] {
  const found = lines.filter(({ heading }) => heading === 'Danger')
  const told = new Set(found.flatMap(({ quoted }) => quoted))
  const danger = joinCrossing(found.map((line) => ({ ...line, quoted: withRest(line.quoted, told, talk) })))
  const rest = lines.filter(({ heading }) => heading !== 'Danger')
  const kept: Line[] = danger.filter(({ quoted }) => isWitnessed(quoted) || isOfTooMuch(quoted, talk))
  for (const line of danger) {
    if (kept.includes(line)) continue
    const beside = findBeside(line, kept, talk)
    const isOne = beside !== null && isSure(line.quoted, besideAt)
    const joined = isOne ? joinAll(beside.quoted, line.quoted, talk) : []
    if (isOne && countSaidWords(joined) <= joinedWordsMax)
      kept[kept.indexOf(beside)] = { ...beside, quoted: joined }
    else if (isOne || isSure(line.quoted, aloneAt)) kept.push(line)
    else rest.push(toOther(line, reportSection))
  }
  return [
    ...joinCrossing(kept)
      .flatMap(partLong)
      .flatMap((line) => trimDanger(line, reportSection))
      .map((line) => (isAnothersOverdose(line.quoted) ? toOther(line, reportSection) : line)),
    ...rest,
  ]
}

const toOther = (line: Line, section: string): Line => ({ ...line, section, heading: 'Other', label: '' })

/** From here a sentence speaks of what its turn is quoted for; so many words of it stand on each side. */
const restAt = 0.4
const restWordsMax = 60
const restSentencesMax = 30

/** "Like I throw her. I see her at the bottom." before "I go down on my butt now.": what was left out of a turn and is of the same danger. */
function withRest(quoted: readonly Said[], told: ReadonlySet<Said>, { turns }: Talk): Said[] {
  const own = quoted.filter(({ speaker, isTyped }) => speaker !== 'clinician' && !isTyped)
  const rest = own.flatMap((said) => {
    const turn = turns[said.turn]?.sentences ?? []
    const at = turn.indexOf(said)
    const before = turn.slice(Math.max(0, at - restSentencesMax), at)
    const behind = turn.slice(at + 1, at + 1 + restSentencesMax)
    return [...takeHot(before.toReversed(), told), ...takeHot(behind, told)]
  })
  return union(quoted, rest)
}

/** The sentences next to one that is quoted, up to another one or to something else. */
function takeHot(next: readonly Said[], told: ReadonlySet<Said>): Said[] {
  const end = next.findIndex((said) => told.has(said) || (said.figures.places.danger ?? 0) < restAt)
  const hot = end < 0 ? next : next.slice(0, end)
  return countSaidWords(hot) <= restWordsMax ? [...hot] : []
}

const startOf = ({ quoted }: Line): number => quoted[0]?.index ?? Infinity
const endOf = ({ quoted }: Line): number => quoted.at(-1)?.index ?? Infinity

/** Lines of which one begins before the other ends are one; a line without a quote crosses none. */
function joinCrossing(lines: readonly Line[]): Line[] {
  const joined: Line[] = []
  for (const line of lines.toSorted((a, b) => startOf(a) - startOf(b))) {
    const last = joined.at(-1)
    if (last === undefined || line.quoted.length === 0 || startOf(line) > endOf(last)) joined.push(line)
    else joined.splice(-1, 1, { ...last, quoted: union(last.quoted, line.quoted) })
  }
  return joined
}

/** From so many words on a line is parted before an exchange that speaks of danger by itself. */
const partWordsMin = 60

function partLong(line: Line): Line[] {
  if (countSaidWords(line.quoted) <= joinedWordsMax) return [line]
  const parts: Said[][] = []
  for (const exchange of partExchanges(line.quoted)) {
    const last = parts.at(-1)
    const [first] = exchange
    const opens = first !== undefined && needOf(first) < standsBelow && isWitnessed(exchange)
    if (last === undefined || (opens && countSaidWords(last) >= partWordsMin)) parts.push([...exchange])
    else last.push(...exchange)
  }
  return parts.map((quoted) => ({ ...line, quoted }))
}

/** The line that it goes on from or leads to. */
function findBeside(line: Line, others: readonly Line[], talk: Talk): Line | null {
  const near = others
    // As many sentences as words, at most: the rest of a long talk is not counted.
    .filter((other) => startOf(line) - endOf(other) <= betweenWordsMax + 1)
    .filter((other) => startOf(other) - endOf(line) <= betweenWordsMax + 1)
    .map((other) => ({ other, between: countSaidWords(betweenOf(other.quoted, line.quoted, talk)) }))
    .filter(({ other, between }) => other.quoted.length > 0 && between <= betweenWordsMax)
    .toSorted((a, b) => a.between - b.between)
  return near[0]?.other ?? null
}

/** What was said behind the first of two and before the second. */
function betweenOf(some: readonly Said[], others: readonly Said[], { sentences }: Talk): readonly Said[] {
  const ends = [some.at(-1), others.at(-1)].map((said) => said?.index ?? 0)
  const starts = [some[0], others[0]].map((said) => said?.index ?? 0)
  return sentences.slice(Math.min(...ends) + 1, Math.max(...starts))
}

const joinAll = (some: readonly Said[], others: readonly Said[], talk: Talk): Said[] =>
  union(
    union(some, others),
    betweenOf(some, others, talk).filter((said) => !isSilent(said, talk)),
  )
