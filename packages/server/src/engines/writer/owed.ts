import { labelFinding } from '../ledger/label-finding.js'
import type { DangerElement, Finding, MedicineStatus } from '../reader/reading.js'

/**
 * What no summary and no MDM element may leave out without naming it: danger that somebody affirmed or left open, of old what was done; allergies,
 * changed medicines, where the client goes.
 */
export const isOwed = (finding: Finding): boolean => {
  if (finding.kind === 'danger')
    return (
      finding.certainty === 'plain' &&
      finding.standing !== 'denied' &&
      (finding.time === 'present' || (finding.whose === 'client' && acts.has(finding.element)))
    )
  if (finding.kind === 'allergy') return finding.standing === 'affirmed'
  if (finding.kind === 'medicine') return finding.whose === 'client' && changes.has(finding.status)
  return finding.kind === 'decision' && finding.about === 'disposition' && finding.standing !== 'proposed'
}

const changes = new Set<MedicineStatus>(['started', 'stopped', 'raised', 'lowered'])

const acts = new Set<DangerElement>(['attempt', 'act', 'preparation', 'threat'])

/** Of a decision the label says only what kind it is. */
export const nameOwed = (finding: Finding): string =>
  finding.kind === 'decision' ? `“${finding.words}”` : labelFinding(finding)

/** What is read between two sessions; the note has them all. */
const othersMax = 8

/** Each once, danger and allergies first and all of them; of the rest so many, and how many more there are. */
export function nameAll(unsaid: readonly Finding[], name: (finding: Finding) => string): string[] {
  const names = (kinds: (finding: Finding) => boolean): string[] => [
    ...new Set(unsaid.filter(kinds).map(name)),
  ]
  return [
    ...names(({ kind }) => kind === 'danger'),
    ...names(({ kind }) => kind === 'allergy'),
    ...nameFew(names(({ kind }) => kind !== 'danger' && kind !== 'allergy')),
  ]
}

/** The first of them, and how many more the note has. */
const nameFew = (names: readonly string[]): string[] =>
  names.length <= othersMax
    ? [...names]
    : [...names.slice(0, othersMax), `and ${names.length - othersMax} more, see the note`]
