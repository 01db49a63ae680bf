import { hasDangerWord } from './quote-finding.js'
import type { Said } from './read-turns.js'
import { renderLine } from './render-line.js'
import { isAsked } from './stands.js'

/** Sub-headings that a line can stand under, in the order in which they stand in a section. */
export const HEADINGS = ['Danger', 'Medicines', 'Allergies', 'Interventions', 'Other'] as const
export type Heading = (typeof HEADINGS)[number]

/** One line of a note. */
export interface Line {
  section: string
  heading: Heading | null
  /** What the reader knows exactly, before the quote; empty for a plain quote. */
  label: string
  /** Sentences that are quoted in it, in the order of the session. */
  quoted: readonly Said[]
  /** Of its weightiest sentence. */
  worth: number
}

export const textOf = ({ label, quoted }: Line): string =>
  [label, renderLine(quoted)].filter(Boolean).join(' ')

export const itemsOf = (lines: readonly Line[]): number[] =>
  [...new Set(lines.flatMap(({ quoted }) => quoted.flatMap(({ items }) => items)))].toSorted((a, b) => a - b)

/**
 * What was added about danger stands once: the rest of an answer in the line that has its question, a question of its own in a
 * line of its own, which stands in `reportSection` where it is about something else by then.
 */
export function mergeLines(
  danger: readonly Line[],
  added: readonly Line[],
  { reportSection }: { reportSection: string },
): Line[] {
  const lines = [...danger]
  const lineOf = new Map(danger.flatMap((line, at) => line.quoted.map((said) => [said, at] as const)))
  for (const line of added) {
    if (line.heading !== 'Danger') {
      lines.push(line)
      continue
    }
    let at: number | undefined
    for (const said of line.quoted) {
      const known = lineOf.get(said)
      const there = lines[at ?? -1]
      if (known !== undefined) at = known
      else if (there === undefined || opensLine(said, there)) at = lines.push({ ...line, quoted: [said] }) - 1
      else lines[at ?? -1] = { ...there, quoted: union(there.quoted, [said]) }
      lineOf.set(said, at ?? -1)
    }
  }
  return joinAsked(lines).flatMap((line) => {
    if (line.label !== '' || !isOfAnother(line)) return [line]
    return line.quoted.every(isAsked) ? [] : [{ ...line, section: reportSection, heading: 'Other' as const }]
  })
}

/** A question begins another matter, unless it was asked in one breath with one that stands there. */
const opensLine = (said: Said, { quoted }: Line): boolean =>
  isAsked(said) && quoted.at(-1)?.asks !== true && !quoted.some(({ turn }) => turn === said.turn)

/** Below this the encoder takes none of its sentences for talk about danger. */
const dangerShareMin = 0.5

/** "I told my grandma I'd be here for her birthday." – "When's her birthday?" */
const isOfAnother = ({ heading, quoted }: Line): boolean =>
  heading === 'Danger' &&
  quoted.length > 0 &&
  quoted.every(({ figures }) => (figures.places.danger ?? 0) < dangerShareMin) &&
  !hasDangerWord(quoted)

/** Sentences between a question that was left open and the next one. */
const openSentencesMax = 3

/** A question about danger that nobody answered at once stands with the next one of the same stretch. */
function joinAsked(lines: readonly Line[]): Line[] {
  const joined: Line[] = []
  const inTime = lines.toSorted((a, b) => (a.quoted[0]?.index ?? Infinity) - (b.quoted[0]?.index ?? Infinity))
  for (const line of inTime) {
    const at = joined.findLastIndex(({ heading }) => heading === 'Danger')
    const open = joined[at]
    const distance = (line.quoted[0]?.index ?? Infinity) - (open?.quoted.at(-1)?.index ?? 0)
    if (
      line.heading === 'Danger' &&
      open !== undefined &&
      open.quoted.length > 0 &&
      open.quoted.every(isAsked) &&
      distance <= openSentencesMax
    )
      joined[at] = { ...line, quoted: union(open.quoted, line.quoted) }
    else joined.push(line)
  }
  return joined
}

export const union = (some: readonly Said[], others: readonly Said[]): Said[] =>
  [...new Set([...some, ...others])].toSorted((a, b) => a.index - b.index)

export const has = (text: string, words: string): boolean => text.toLowerCase().includes(words.toLowerCase())
