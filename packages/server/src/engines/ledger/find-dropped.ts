import type { Finding } from '../reader/reading.js'
import type { Ledger, LedgerEntry } from './ledger.js'

/** What may not leave a note without being named: danger and weapons, medicines, allergies, where the client goes. */
export const isGuarded = (finding: Finding): boolean =>
  finding.kind === 'danger' ||
  finding.kind === 'medicine' ||
  finding.kind === 'allergy' ||
  (finding.kind === 'decision' && (finding.about === 'disposition' || finding.about === 'safety_step'))

/** What was stated before an edit and is not after it, as it stands after it. */
export const findDropped = (before: Ledger, after: Ledger): LedgerEntry[] => {
  const now = new Map(after.entries.map((entry) => [entry.finding.id, entry]))
  return before.entries.flatMap(({ finding, state }) => {
    if (state !== 'stated' || !isGuarded(finding)) return []
    const entry = now.get(finding.id) ?? { finding, state: 'not_written' as const, sentence: null }
    return entry.state === 'stated' ? [] : [entry]
  })
}
