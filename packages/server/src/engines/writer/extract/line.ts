import type { Said } from './read-turns.js'
import { renderLine } from './render-line.js'

/** Sub-headings that a line can stand under, in the order in which they stand in a section. */
export const HEADINGS = [
  'Danger',
  'Also said',
  'Medicines',
  'Allergies',
  'Scores and measurements',
  'Sleep',
  'Appetite and weight',
  'Substance use',
  'Side effects',
  'Health',
  'Family',
  'Interventions',
  'Other',
] as const
export type Heading = (typeof HEADINGS)[number]

/** One line of a note. */
export interface Line {
  section: string
  heading: Heading | null
  /** What the reader knows exactly, before the quote; empty for a plain quote. */
  label: string
  /** Sentences that are quoted in it, in the order of the session. */
  quoted: readonly Said[]
}

export const textOf = ({ label, quoted }: Line): string =>
  [label, renderLine(quoted)].filter(Boolean).join(' ')

export const itemsOf = (lines: readonly Line[]): number[] =>
  [...new Set(lines.flatMap(({ quoted }) => quoted.flatMap(({ items }) => items)))].toSorted((a, b) => a - b)

/** Lines of one section that quote the same sentence are one; what stands under Danger stays as it is. */
export function mergeLines(known: readonly Line[], added: readonly Line[]): Line[] {
  const lines = [...known]
  const placeOf = new Map<string, number>()
  const remember = ({ section, heading, quoted }: Line, at: number): void => {
    if (heading !== 'Danger') for (const { index } of quoted) placeOf.set(`${section} ${index}`, at)
  }
  lines.forEach(remember)
  for (const line of added) {
    const shared = line.quoted.find(({ index }) => placeOf.has(`${line.section} ${index}`))
    const at = placeOf.get(`${line.section} ${shared?.index}`) ?? lines.length
    const there = lines[at]
    const merged = there === undefined ? line : { ...there, quoted: union(there.quoted, line.quoted) }
    lines[at] = merged
    remember(merged, at)
  }
  return lines
}

export const union = (some: readonly Said[], others: readonly Said[]): Said[] =>
  [...new Set([...some, ...others])].toSorted((a, b) => a.index - b.index)
