import { partExchanges, type Line } from './line.js'
import { namesMedicine } from './medicine-lines.js'
import { shareOfPlace, type Said } from './read-turns.js'
import { saysSomething } from './trim-danger.js'

/** From this share on an exchange is of what its heading promises. */
const ownShare = 0.3
const namesAllergy = /\b(?:allerg\w*|intoleran\w*|reaction|rash|hives|react(?:s|ed)?)\b/i
const speaksOfUse = /\b(?:tak(?:e|es|en|ing)|took|stop(?:ped)?|on|use|using)\b/i

/** The encoder takes every medicine near "allergies" for one. */
const isOwn = ({ heading }: Line, part: readonly Said[]): boolean =>
  heading === 'Allergies'
    ? part.some(({ raw }) => namesAllergy.test(raw)) ||
      (shareOfPlace(part, 'allergies') >= ownShare && !part.some(({ raw }) => speaksOfUse.test(raw)))
    : part.some(namesMedicine) || shareOfPlace(part, 'medicines') >= ownShare

/**
 * A line under Allergies or Medicines begins with the first exchange that is of it: "Any blood thinners?" "I stopped." before "Allergies?" is of
 * something else, and stands under Other if it says something. What danger begins with is trimmed by `trimDanger`.
 */
export function beginWithHeading(line: Line, reportSection: string): Line[] {
  if (line.heading !== 'Allergies' && line.heading !== 'Medicines') return [line]
  const parts = partExchanges(line.quoted)
  const from = parts.findIndex((part) => isOwn(line, part))
  if (from <= 0 || line.quoted.some(({ isTyped }) => isTyped)) return [line]
  const left = parts.slice(0, from).flat()
  return [
    ...(saysSomething(left)
      ? [{ ...line, section: reportSection, heading: 'Other' as const, label: '', quoted: left }]
      : []),
    { ...line, quoted: parts.slice(from).flat() },
  ]
}
