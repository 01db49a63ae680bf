import { labelFinding } from '../../ledger/label-finding.js'
import { nameMatters } from '../../ledger/name-matters.js'
import { countShared, stemsOf } from '../../ledger/share-words.js'
import type { Finding } from '../../reader/reading.js'

/** So many words of its own, and half of them all: "the part about her sister" names no thought that a sister heard of. */
const sharedMin = 3

/** Whether a request speaks of the thing itself: by the matter, as "the medication", or in the words that were said of it. */
export function makeNamedFinder(instructions: string): (finding: Finding) => boolean {
  const asked = new Set(nameMatters(instructions))
  const stems = stemsOf(instructions)
  return (finding) => {
    const own = stemsOf(finding.words)
    const shared = countShared(own, stems)
    return (
      (shared >= sharedMin && shared * 2 >= own.size) ||
      mattersOf(finding).some((matter) => asked.has(matter))
    )
  }
}

/** A medicine by its own name, or all of them by "medications". */
const mattersOf = (finding: Finding): string[] => {
  if (finding.kind === 'medicine') return ['medicines', ...nameMatters(finding.name)]
  if (finding.kind === 'allergy') return ['allergies']
  if (finding.kind === 'danger')
    return ['danger', ...nameMatters(`${finding.words} ${labelFinding(finding)}`).filter(isWeapon)]
  return ['disposition', ...nameMatters(finding.words).filter((matter) => matter !== 'medicines')]
}

const isWeapon = (matter: string): boolean => matter === 'weapons'
