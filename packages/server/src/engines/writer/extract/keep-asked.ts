import { namesMedicine } from './medicine-lines.js'
import type { Line } from './line.js'
import { countSaidWords, shareOfPlace, type Said, type Talk } from './read-turns.js'
import { isAsked, isSilent } from './stands.js'
import { saysSomething } from './trim-danger.js'
import { isWitnessed } from './two-witnesses.js'

/** A question of more words, or with more said behind it, is not put between two parts of a quote. */
const betweenWordsMax = 30
/** So much of what is asked and said then must be of what its heading promises. */
const ownShare = { danger: 0.3, medicines: 0.4, allergies: 0.4 }

/**
 * "You put 'never.'" "Yes." "Does anyone in the house drink?" "Me no.": nobody's words go on behind a question that somebody else asked
 * meanwhile and that is left out, for what they answer would be something else. The question stands between them; where it is of
 * something else than its heading, or too long, the line ends before it, and what answers it stands with it in a line of its own.
 */
export function keepAsked(lines: readonly Line[], talk: Talk, reportSection: string): Line[] {
  const lineOf = new Map<Said, Line>(
    lines.flatMap((line) => line.quoted.map((said) => [said, line] as const)),
  )
  return lines.flatMap((line): Line[] => {
    if (line.quoted.some(({ isTyped }) => isTyped)) return [line]
    const parts: Said[][] = [[]]
    for (const said of line.quoted) {
      const part = parts.at(-1) ?? []
      const before = part.at(-1)
      const passed = before === undefined ? [] : findPassed(before, said, talk)
      const isElsewhere = passed.some((one) => (lineOf.get(one) ?? line) !== line)
      if (passed.length === 0 || (isElsewhere && said.speaker === 'clinician')) part.push(said)
      else if (!isElsewhere && isOfHeading(line, passed, said) && countSaidWords(passed) <= betweenWordsMax)
        part.push(...passed, said)
      else parts.push(isElsewhere ? [said] : [...passed, said])
    }
    return parts.flatMap((quoted, at) =>
      at === 0 ? [{ ...line, quoted }] : setApart(line, quoted, reportSection),
    )
  })
}

/** What somebody else asked last between two sentences that a quote puts together, with what was said behind it. */
function findPassed(before: Said, said: Said, talk: Talk): Said[] {
  const between = talk.sentences.slice(before.index + 1, said.index).filter((one) => !isSilent(one, talk))
  const last = between.findLastIndex(
    (one, at) =>
      one.asks && one.speaker !== said.speaker && (isAsked(one) || between[at + 1]?.turn !== one.turn),
  )
  if (last < 0) return []
  let first = last
  while (first > 0 && between[first - 1]?.asks === true && between[first - 1]?.turn === between[last]?.turn)
    first -= 1
  return between.slice(first)
}

function isOfHeading({ heading }: Line, passed: readonly Said[], said: Said): boolean {
  const exchange = [...passed, said]
  if (heading === 'Danger')
    return isWitnessed(exchange) || shareOfPlace(exchange, 'danger') >= ownShare.danger
  if (heading === 'Medicines')
    return exchange.some(namesMedicine) || shareOfPlace(exchange, 'medicines') >= ownShare.medicines
  if (heading === 'Allergies') return shareOfPlace(exchange, 'allergies') >= ownShare.allergies
  return true
}

/** A part of a line as one of its own; nothing more under a heading that promises what it may not have. */
export function setApart(line: Line, quoted: readonly Said[], reportSection: string): Line[] {
  if (!saysSomething(quoted)) return []
  const isStrict = line.heading === 'Danger' || line.heading === 'Medicines' || line.heading === 'Allergies'
  return [
    isStrict
      ? { ...line, section: reportSection, heading: 'Other', label: '', quoted }
      : { ...line, label: '', quoted },
  ]
}
