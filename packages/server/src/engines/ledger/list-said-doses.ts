import type { TranscriptItem } from '@casenote/contract'
import { findMedications } from '../lexicon/medications.js'
import type { Finding } from '../reader/reading.js'
import { readAmounts } from '../text/read-amounts.js'
import { tokenizeWords } from '../text/tokenize-words.js'
import { valuesOf } from './read-doses.js'

export interface SaidDoses {
  /** By generic name, every number that was said with it and may have been its dose. */
  byName: ReadonlyMap<string, ReadonlySet<string>>
  /** Whether a number was said in one of these items or beside it. */
  isSaidNear: (values: readonly string[], items: readonly number[]) => boolean
}

/** As far as the exact checks look. */
const besideItems = 3

/** A dose is asked for after the name, and changed some turns on. */
const itemsBehind = 4
const itemsBefore = 1

/** Medicines whose dose was found, with all that was said around their names: a reader takes one dose where three were weighed. */
export const listSaidDoses = (
  transcript: readonly TranscriptItem[],
  findings: readonly Finding[],
): SaidDoses => {
  const doses = new Map<string, Set<string>>()
  for (const finding of findings) {
    if (finding.kind !== 'medicine' || finding.dose === null) continue
    const name = finding.name.toLowerCase()
    doses.set(name, new Set([...(doses.get(name) ?? []), ...valuesOf(finding.dose)]))
  }
  if (doses.size === 0) return { byName: doses, isSaidNear: () => false }
  const read = new Map<number, string[]>()
  const numbersAt = (index: number): readonly string[] => {
    const known = read.get(index)
    if (known !== undefined) return known
    const text = transcript[index]?.transcript ?? ''
    const numbers = readAmounts(text, tokenizeWords(text)).flatMap(({ values }) => values)
    read.set(index, numbers)
    return numbers
  }
  for (const [index, { transcript: text }] of transcript.entries()) {
    const generics = new Set(findMedications(text).map(({ medication }) => medication.generic))
    for (const generic of generics) {
      const said = doses.get(generic)
      if (said === undefined) continue
      for (let near = index - itemsBefore; near <= index + itemsBehind; near++)
        for (const value of numbersAt(near)) said.add(value)
    }
  }
  return {
    byName: doses,
    isSaidNear: (values, items) =>
      items.some((item) => {
        for (let near = item - besideItems; near <= item + besideItems; near++)
          if (numbersAt(near).some((value) => values.includes(value))) return true
        return false
      }),
  }
}
