import { FURTHER_MEDICATION_LINES } from './further-medications.js'
import {
  CONFUSABLE_NAMES,
  CONFUSABLE_STRENGTHS,
  MEDICATION_LINES,
  SOLD_IN_MICROGRAMS,
} from './medication-list.js'

export type MedicationClass = keyof typeof MEDICATION_LINES

export interface Medication {
  generic: string
  /** Brands, and other names of the same thing. */
  brands: readonly string[]
  medicationClass: MedicationClass
  /** As sold, of all forms together; a combination's as `8-2`. Empty when not known. For recognition only. */
  usualStrengths: readonly string[]
  unit: 'mg' | 'mcg'
}

export interface MedicationMention {
  medication: Medication
  /** As it stands in the text. */
  name: string
  /** Offsets into the text, in UTF-16 units; `end` is behind the last one. */
  start: number
  end: number
  /** Lower-case names that a speech recognizer takes for this one. */
  confusableWith: readonly string[]
}

export const MEDICATIONS: readonly Medication[] = Object.entries(MEDICATION_LINES).flatMap(
  ([medicationClass, lines]) => lines.map((line) => readLine(line, medicationClass as MedicationClass)),
)

function readLine(line: string, medicationClass: MedicationClass): Medication {
  const parts = /^(?<generic>[^(\d]+?)(?: \((?<brands>[^)]+)\))?(?: (?<strengths>[\d./-]+))?$/.exec(
    line,
  )?.groups
  if (parts?.generic === undefined) throw new Error(`not a line of the medication list: ${line}`)
  const { generic, brands, strengths } = parts
  return {
    generic,
    brands: brands?.split(', ') ?? [],
    medicationClass,
    usualStrengths: strengths?.split('/') ?? [],
    unit: SOLD_IN_MICROGRAMS.has(generic) ? 'mcg' : 'mg',
  }
}

interface KnownName {
  words: readonly string[]
  medication: Medication
}

const wordsOf = (text: string) => [...text.matchAll(/[\p{L}\p{N}]+/gu)]

/** By first word, the name with most words first: "Abilify Maintena" is not "Abilify". */
const namesByFirstWord = indexNames(MEDICATIONS)

function indexNames(medications: readonly Medication[]): ReadonlyMap<string, readonly KnownName[]> {
  const index = new Map<string, KnownName[]>()
  for (const medication of medications) {
    for (const name of [medication.generic, ...medication.brands]) {
      const words = wordsOf(name.toLowerCase()).map(([word]) => word)
      const [first = ''] = words
      index.set(first, [...(index.get(first) ?? []), { words, medication }])
    }
  }
  for (const names of index.values()) names.sort((a, b) => b.words.length - a.words.length)
  return index
}

/** Every medication named in the text, in its order; none inside another's name. Case does not matter. */
export const findMedications = (text: string): MedicationMention[] => findNames(text, namesByFirstWord)

/** The same with more names: those are for finding what was said, and never for putting right what was heard. */
export const ALL_MEDICATIONS: readonly Medication[] = shareStrengths([
  ...MEDICATIONS,
  ...FURTHER_MEDICATION_LINES.map((line) => readLine(line, 'common_medical')),
])
const allNamesByFirstWord = indexNames(ALL_MEDICATIONS)

/** What has several lines is sold in the strengths of all of them. */
function shareStrengths(medications: readonly Medication[]): Medication[] {
  const strengthsOf = new Map<string, Set<string>>()
  for (const { generic, usualStrengths } of medications) {
    const known = strengthsOf.get(generic) ?? new Set()
    for (const strength of usualStrengths) known.add(strength)
    strengthsOf.set(generic, known)
  }
  return medications.map((one) => ({ ...one, usualStrengths: [...(strengthsOf.get(one.generic) ?? [])] }))
}

export const findAllMedications = (text: string): MedicationMention[] => findNames(text, allNamesByFirstWord)

function findNames(
  text: string,
  namesByFirst: ReadonlyMap<string, readonly KnownName[]>,
): MedicationMention[] {
  const words = wordsOf(text)
  const mentions: MedicationMention[] = []
  for (let at = 0; at < words.length; at += 1) {
    const known = findNameAt(text, words, at, namesByFirst)
    if (known === undefined) continue
    const last = words[at + known.words.length - 1]
    const start = words[at]?.index ?? 0
    const end = (last?.index ?? 0) + (last?.[0].length ?? 0)
    const name = text.slice(start, end)
    mentions.push({ medication: known.medication, name, start, end, confusableWith: listConfusable(name) })
    at += known.words.length - 1
  }
  return mentions
}

/** Shorter, an "s" at the end is too often part of another word. */
const pluralLengthMin = 6

/** As it is spelled; else "Ambiens", "Percocets" without their ending. */
function findNameAt(
  text: string,
  words: RegExpExecArray[],
  at: number,
  namesByFirst: ReadonlyMap<string, readonly KnownName[]>,
): KnownName | undefined {
  const first = words[at]?.[0].toLowerCase() ?? ''
  const known = (namesByFirst.get(first) ?? []).find((name) => standsAt(text, words, at, name))
  if (known !== undefined || first.length < pluralLengthMin || !first.endsWith('s')) return known
  return [first.slice(0, -1), ...(first.endsWith('es') ? [first.slice(0, -2)] : [])]
    .flatMap((singular) => namesByFirst.get(singular) ?? [])
    .find((name) => name.words.length === 1)
}

/** The words of a name stand together: only a space, a hyphen, a slash or the marks of "St. John's" between them. */
function standsAt(text: string, words: RegExpExecArray[], at: number, { words: wanted }: KnownName): boolean {
  return wanted.every((word, offset) => {
    const here = words[at + offset]
    if (here === undefined || here[0].toLowerCase() !== word) return false
    if (offset === 0) return true
    const before = words[at + offset - 1]
    return /^(?:[\s/-]+|['’]|\. )$/.test(
      text.slice((before?.index ?? 0) + (before?.[0].length ?? 0), here.index),
    )
  })
}

/** Lower case. Sounds decide, so a brand has a group of its own and not its generic’s. */
export function listConfusable(name: string): string[] {
  const wanted = name.toLowerCase()
  return CONFUSABLE_NAMES.filter((group) => group.includes(wanted)).flatMap((group) =>
    group.filter((other) => other !== wanted),
  )
}

/** Fifteen and fifty: the amounts that sound like this one, and that this medication is also sold in. */
export function listConfusableStrengths(medication: Medication, amount: number): number[] {
  return CONFUSABLE_STRENGTHS.filter((group) => group.includes(amount)).flatMap((group) =>
    group.filter((other) => other !== amount && medication.usualStrengths.includes(String(other))),
  )
}
