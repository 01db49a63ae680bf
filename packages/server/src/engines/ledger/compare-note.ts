import { keepNamesOut, makeNameKeeper } from '../text/keep-names-out.js'
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

/** Every finding against the note; names that are kept out of it are initials in both, and in what is told to be missing. */
export const compareNote = ({ names = [], ...request }: LedgerRequest): Ledger => {
  if (names.length === 0) return compare(request)
  const keep = makeNameKeeper(names)
  return compare({
    sections: keepNamesOut(request.sections, keep),
    findings: bound(request.findings).map((finding) => ({ ...finding, words: keep(finding.words) })),
    transcript: request.transcript.map((item) => ({ ...item, transcript: keep(item.transcript) })),
  })
}

const compare = ({ sections, findings, transcript }: LedgerRequest): Ledger => {
  const note = indexNote(sections)
  const bounded = bound(findings)
  const danger = bounded.filter((finding): finding is DangerFinding => finding.kind === 'danger')
  const medicines = bounded.filter((finding): finding is MedicineFinding => finding.kind === 'medicine')
  const saidDoses = listSaidDoses(transcript, bounded)
  const scores = bounded.filter((finding): finding is ScoreFinding => finding.kind === 'score')
  const room = readRoom(transcript)
  const compareOne = (finding: Finding): Omit<LedgerEntry, 'finding'> => {
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
    return { finding, ...compareOne(finding), ...(speaker === null ? {} : { speaker }) }
  })
  return { entries, review: listReview(entries, listQuotedInstead(sections, entries)) }
}

/** Where there are too many to compare, danger is the last to be left out. */
const bound = (findings: readonly Finding[]): readonly Finding[] =>
  findings.length <= findingsMax
    ? findings
    : findings
        .toSorted((a, b) => Number(b.kind === 'danger') - Number(a.kind === 'danger'))
        .slice(0, findingsMax)

/** Where nothing could be compared: nothing counts as stated. */
export const withoutComparison = (findings: readonly Finding[], names: readonly string[] = []): Ledger => {
  const keep = makeNameKeeper(names)
  const entries = bound(findings).map((finding): LedgerEntry => ({
    finding: { ...finding, words: keep(finding.words) },
    state: 'not_written',
    sentence: null,
  }))
  return { entries, review: listReview(entries) }
}
