import { partExchanges, type Line } from './line.js'
import { hasDangerWord } from './quote-finding.js'
import { namesMedicine } from './medicine-lines.js'
import { heatOfSaid, shareOfPlace, type Said } from './read-turns.js'
import { saysSomething } from './trim-danger.js'

/** From this share on an exchange is of what its heading promises. */
const ownShare = 0.3
export const namesAllergy = /\b(?:allerg\w*|intoleran\w*|reaction|rash|hives?|react(?:s|ed)?)\b/i
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

/** How sure the encoder must be that a sentence is of medicines or allergies, and how little danger it may hear in it. */
const otherAt = 0.5
const coldBelow = 0.15

const isOfOther = (said: Said): boolean => {
  const { medicines = 0, allergies = 0, danger = 0 } = said.figures.places
  return (
    Math.max(medicines, allergies) >= otherAt &&
    Math.max(danger, heatOfSaid(said)) < coldBelow &&
    !hasDangerWord([said])
  )
}

/**
 * A line under Danger does not begin with medicines or allergies: "It's amoxicillin, he gets hives." "Amoxicillin, hives. So. The truck." "I think he records
 * the house.": what comes before stands under Allergies, or under Other.
 */
export function beginWithDanger(
  line: Line,
  { reportSection, allergySection }: { reportSection: string; allergySection: string },
): Line[] {
  const from = line.quoted.findIndex((said) => !isOfOther(said))
  if (line.heading !== 'Danger' || from <= 0) return [line]
  const left = line.quoted.slice(0, from)
  const isAllergy = left.some(({ raw }) => namesAllergy.test(raw))
  const other = isAllergy
    ? { section: allergySection, heading: 'Allergies' as const }
    : { section: reportSection, heading: 'Other' as const }
  return [
    ...(isAllergy || saysSomething(left) ? [{ ...line, ...other, label: '', quoted: left }] : []),
    { ...line, quoted: line.quoted.slice(from) },
  ]
}
