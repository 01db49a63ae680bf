import type { DangerFinding, Finding, MedicineFinding, ScoreFinding } from '../reader/reading.js'
import { compareAllergy } from './compare-allergy.js'
import { compareDanger } from './compare-danger.js'
import { compareDecision } from './compare-decision.js'
import { compareMedicine } from './compare-medicine.js'
import { compareScore } from './compare-score.js'
import { indexNote } from './index-note.js'
import type { Ledger, LedgerEntry, LedgerRequest } from './ledger.js'
import { listSaidDoses } from './list-said-doses.js'
import { listReview } from './list-review.js'
import { readRoom } from './speakers.js'
import { listQuotedInstead } from './quoted-instead.js'

/** Three hours of talk gave a few hundred; what a model adds is bounded by its answer. */
const findingsMax = 2_000

/** Every finding against the note. */
export const compareNote = ({ sections, findings, transcript }: LedgerRequest): Ledger => {
  const note = indexNote(sections)
  const bounded = bound(findings)
  const danger = bounded.filter((finding): finding is DangerFinding => finding.kind === 'danger')
  const medicines = bounded.filter((finding): finding is MedicineFinding => finding.kind === 'medicine')
  const saidDoses = listSaidDoses(transcript, bounded)
  const scores = bounded.filter((finding): finding is ScoreFinding => finding.kind === 'score')
  const room = readRoom(transcript)
  const compare = (finding: Finding): Omit<LedgerEntry, 'finding'> => {
    switch (finding.kind) {
      case 'danger':
        return compareDanger(finding, note, { all: danger, transcript, room })
      case 'medicine':
        return compareMedicine(finding, note, medicines, saidDoses)
      case 'allergy':
        return compareAllergy(finding, note)
      case 'score':
        return compareScore(finding, note, scores)
      default:
        return compareDecision(finding, note)
    }
  }
  const entries = bounded.map((finding): LedgerEntry => {
    const speaker = room?.speakerOf(finding) ?? null
    return { finding, ...compare(finding), ...(speaker === null ? {} : { speaker }) }
  })
  return { entries, review: listReview(entries, listQuotedInstead(sections, entries)) }
}

/** Of too many, danger last of all is left out. */
const bound = (findings: readonly Finding[]): readonly Finding[] =>
  findings.length <= findingsMax
    ? findings
    : findings
        .toSorted((a, b) => Number(b.kind === 'danger') - Number(a.kind === 'danger'))
        .slice(0, findingsMax)

/** Where nothing could be compared: nothing counts as stated. */
export const withoutComparison = (findings: readonly Finding[]): Ledger => {
  const entries = bound(findings).map((finding): LedgerEntry => ({
    finding,
    state: 'not_written',
    sentence: null,
  }))
  return { entries, review: listReview(entries) }
}
