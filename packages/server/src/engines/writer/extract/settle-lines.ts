import type { Finding } from '../../reader/reading.js'
import { templateOf } from '../templates/built-in-templates.js'
import { findHolder, placeOf } from '../templates/note-template.js'
import type { WritingRequest } from '../writer-engine.js'
import { beginWithDanger, beginWithHeading } from './begin-with-heading.js'
import { chooseLines } from './choose-lines.js'
import { completeExchanges } from './complete-exchanges.js'
import { completeMeasures } from './complete-measures.js'
import { followChanges } from './follow-changes.js'
import { followOffers } from './follow-offers.js'
import { joinAskedAgain } from './join-asked-again.js'
import { joinShared, joinWithinTurn } from './join-shared.js'
import { keepAnswers } from './keep-answers.js'
import { keepAsked } from './keep-asked.js'
import { keepReplies } from './keep-replies.js'
import { labelDanger } from './label-danger.js'
import { closeGaps, mergeLines, withoutInterjections, withoutNods, type Line } from './line.js'
import { listDanger, listNotAsked } from './list-danger.js'
import { listFaint } from './list-faint.js'
import { nameMedicine } from './name-medicine.js'
import { askWhole, quoteFromStart } from './quote-from-start.js'
import { quoteToEnd } from './quote-to-end.js'
import type { Talk } from './read-turns.js'
import { settleDanger } from './settle-danger.js'
import { settleMedicines } from './settle-medicines.js'

/** The lines that a note has, after the last word on danger, and what is found for its list: a summary takes no others. */
export function settleLines(request: WritingRequest, talk: Talk): { lines: Line[]; findings: Finding[] } {
  const { transcript, reading, jotted = [] } = request
  const template = templateOf(request)
  const danger = listDanger({ template, talk, reading })
  const report = { reportSection: placeOf(template, 'reported') }
  const chosen = completeMeasures(chooseLines(request, { talk, danger }), reading.findings, talk)
  const whole = mergeLines(danger, chosen, report)
    .map((line) => closeGaps(line, talk))
    .flatMap((line) => keepAnswers(line, talk))
  const plan = placeOf(template, 'plan')
  const places = { ...report, allergySection: placeOf(template, 'allergies') }
  const settled = settleDanger(whole, {
    talk,
    ...report,
    riskSection: placeOf(template, 'danger'),
  }).flatMap((line) => beginWithDanger(line, places))
  const begun = joinAskedAgain(joinShared(quoteFromStart(settled, talk)), talk)
  const ended = joinShared(askWhole(quoteToEnd(begun, talk, plan), talk))
  const asked = keepAsked(ended, talk, report.reportSection)
    .flatMap((line) => beginWithHeading(line, report.reportSection))
    .map((line) => (line.heading === 'Danger' ? line : { ...line, quoted: withoutNods(line.quoted) }))
  const planned = new Set([plan, findHolder(template, 'med_change') ?? plan])
  const followed = followChanges(followOffers(asked, talk, planned), talk, plan)
  const completed = completeExchanges(followed, talk)
    .map((line) => nameMedicine(line, reading.findings, talk))
    .map((line) => ({ ...line, quoted: withoutInterjections(line.quoted) }))
  const lines = joinWithinTurn(completed)
    .flatMap((line) => keepReplies(line, talk, report.reportSection))
    .flatMap((line) => settleMedicines(line, { talk, findings: reading.findings, ...report }))
    .filter((line, _, all) => !isTwice(line, all, findHolder(template, 'family_history')))
    .map((line) => relabel(line, talk))
  const quoted = new Set(lines.flatMap((line) => line.quoted))
  const findings = [...reading.findings, ...listFaint(transcript, reading, { talk, quoted })]
  return { lines: [...lines, ...listNotAsked(findings, { template, talk, jotted })], findings }
}

/** What was added to a line may take its mark back. */
const relabel = (line: Line, talk: Talk): Line =>
  line.heading === 'Danger' && line.quoted.length > 0
    ? { ...line, label: labelDanger(line.quoted, talk) }
    : line

/**
 * What stands under Danger already, or in a longer line that begins with its question; a mother's suicide is looked for in the
 * family's history, too.
 */
function isTwice(line: Line, lines: readonly Line[], familySection: string | null): boolean {
  const { section, heading, quoted } = line
  if (heading === 'Danger' || section === familySection || quoted.length === 0) return false
  const isPlain = line.label === '' && heading !== 'Medicines' && heading !== 'Allergies'
  return lines.some(
    (other) =>
      (other.heading === 'Danger' || (isPlain && other.quoted.length > quoted.length)) &&
      quoted.every((said) => other.quoted.includes(said)),
  )
}
