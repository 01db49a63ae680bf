import type { JudgedSection, JudgedSentence, WritingRequest, WrittenNote } from '../writer-engine.js'
import { isAccount } from '../is-account.js'
import { placeJotted } from '../place-jotted.js'
import { templateOf } from '../templates/built-in-templates.js'
import type { TemplateSection } from '../templates/note-template.js'
import { refuseForbidden } from '../templates/forbidden-words.js'
import { HEADINGS, itemsOf, textOf, type Heading, type Line } from './line.js'
import { readTurns } from './read-turns.js'
import { placeAccount } from './place-account.js'
import { settleLines } from './settle-lines.js'

/** What was said, where it belongs. The same reading gives the same note. */
export function writeNote(request: WritingRequest): WrittenNote {
  const { transcript, reading, jotted = [] } = request
  const template = templateOf(request)
  if (isAccount(transcript)) {
    const sections = placeAccount(request)
    return { sections: placeJotted(template, sections, jotted), findings: reading.findings }
  }
  const { lines, findings } = settleLines(request, readTurns(transcript, reading))
  const sections = template.sections.map((section) =>
    setSection(
      section,
      lines.filter((line) => line.section === section.key),
    ),
  )
  return { sections: placeJotted(template, refuseForbidden(template, sections), jotted), findings }
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
