import type { JudgedSection, JudgedSentence, WritingRequest, WrittenNote } from '../writer-engine.js'
import { isAccount } from '../is-account.js'
import { placeJotted } from '../place-jotted.js'
import { templateOf } from '../templates/built-in-templates.js'
import { findHolder, placeOf, type TemplateSection } from '../templates/note-template.js'
import { refuseForbidden } from '../templates/forbidden-words.js'
import { beginWithHeading } from './begin-with-heading.js'
import { chooseLines } from './choose-lines.js'
import { completeMeasures } from './complete-measures.js'
import { labelDanger } from './label-danger.js'
import { closeGaps, HEADINGS, itemsOf, mergeLines, textOf, type Heading, type Line } from './line.js'
import { keepAnswers } from './keep-answers.js'
import { keepAsked } from './keep-asked.js'
import { listDanger, listNotAsked } from './list-danger.js'
import { listFaint } from './list-faint.js'
import { readTurns, type Talk } from './read-turns.js'
import { placeAccount } from './place-account.js'
import { joinAskedAgain } from './join-asked-again.js'
import { joinShared, quoteFromStart, quoteToEnd } from './quote-to-end.js'
import { settleDanger } from './settle-danger.js'

/** What was said, where it belongs. The same reading gives the same note. */
export function writeNote(request: WritingRequest): WrittenNote {
  const { transcript, reading, jotted = [] } = request
  const template = templateOf(request)
  if (isAccount(transcript)) {
    const sections = placeAccount(request)
    return { sections: placeJotted(template, sections, jotted), findings: reading.findings }
  }
  const talk = readTurns(transcript, reading)
  const danger = listDanger({ template, talk, reading })
  const report = { reportSection: placeOf(template, 'reported') }
  const chosen = completeMeasures(chooseLines(request, { talk, danger }), reading.findings, talk)
  const whole = mergeLines(danger, chosen, report)
    .map((line) => closeGaps(line, talk))
    .flatMap((line) => keepAnswers(line, talk))
  const plan = placeOf(template, 'plan')
  const settled = settleDanger(whole, { talk, ...report, riskSection: placeOf(template, 'danger') })
  const begun = joinAskedAgain(joinShared(quoteFromStart(settled, talk)), talk)
  const ended = joinShared(quoteToEnd(begun, talk, plan))
  const lines = keepAsked(ended, talk, report.reportSection)
    .flatMap((line) => beginWithHeading(line, report.reportSection))
    .filter((line, _, all) => !isTwice(line, all, findHolder(template, 'family_history')))
    .map((line) => relabel(line, talk))
  const quoted = new Set(lines.flatMap((line) => line.quoted))
  const findings = [...reading.findings, ...listFaint(transcript, reading, { talk, quoted })]
  const all = [...lines, ...listNotAsked(findings, { template, talk, jotted })]
  const sections = template.sections.map((section) =>
    setSection(
      section,
      all.filter((line) => line.section === section.key),
    ),
  )
  return { sections: placeJotted(template, refuseForbidden(template, sections), jotted), findings }
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

/** What the first thing that a section holds would be headed with: its title says it already. */
const ownHeadings: Readonly<Partial<Record<string, Heading>>> = {
  medicines: 'Medicines',
  allergies: 'Allergies',
  done: 'Interventions',
}

/** An empty section would read as if nothing had been said; that is not known. */
const noQuote = 'No quote was placed here.'

function setSection({ key, holds }: TemplateSection, lines: readonly Line[]): JudgedSection {
  const ownHeading = ownHeadings[holds?.[0] ?? '']
  const inTime = lines.toSorted(
    (a, b) =>
      (a.quoted[0]?.index ?? Number.MAX_SAFE_INTEGER) - (b.quoted[0]?.index ?? Number.MAX_SAFE_INTEGER),
  )
  const plain = inTime.filter(({ heading }) => heading === null || heading === ownHeading)
  const under = (heading: Heading): JudgedSentence[] => {
    const own = heading === ownHeading ? [] : inTime.filter((line) => line.heading === heading)
    return own.length === 0 ? [] : [judged(`${heading}:`, itemsOf(own)), ...own.map(judgedLine)]
  }
  const danger = under('Danger')
  const sentences = [
    ...danger,
    // Without a heading of their own they would stand under Danger.
    ...(danger.length > 0 && plain.length > 0 ? [judged('Also said:', itemsOf(plain))] : []),
    ...plain.map(judgedLine),
    ...HEADINGS.filter((heading) => heading !== 'Danger').flatMap(under),
  ]
  return { key, layout: 'bullets', sentences: sentences.length > 0 ? sentences : [judged(noQuote, [])] }
}

const judgedLine = (line: Line): JudgedSentence => judged(textOf(line), itemsOf([line]))

const judged = (text: string, transcriptItems: readonly number[]): JudgedSentence => ({
  text,
  transcriptItems,
  judgement: 'exact_checks_only',
  reason: null,
})
