import type { JudgedSection, JudgedSentence, WritingRequest, WrittenNote } from '../writer-engine.js'
import { chooseLines } from './gather-lines.js'
import { makeContextFinder } from './find-context.js'
import { HEADINGS, itemsOf, mergeLines, textOf, type Heading, type Line } from './line.js'
import { listFindings } from './list-findings.js'
import { sectionKeys } from './place-topics.js'
import { readTurns } from './read-turns.js'

/** What was said, where it belongs. The same reading gives the same note. */
export function writeNote(request: WritingRequest): WrittenNote {
  const { noteType, transcript, reading } = request
  const talk = readTurns(transcript)
  const contextOf = makeContextFinder(talk, reading)
  const known = listFindings(reading.findings, { noteType, talk, reading, contextOf })
  const lines = mergeLines(known, chooseLines(request, { talk, contextOf, known }))
  return {
    sections: sectionKeys(noteType).map((key) =>
      setSection(
        key,
        lines.filter((line) => line.section === key),
      ),
    ),
    findings: reading.findings,
  }
}

/** Fewer lines are read without headings. */
const headedLinesMin = 6
const linesUnderHeadingMin = 2

const alwaysHeaded: ReadonlySet<Heading> = new Set(['Danger', 'Medicines', 'Allergies', 'Other'])
const ownSections: Readonly<Record<string, Heading>> = {
  current_medications: 'Medicines',
  medication_changes: 'Medicines',
  allergies: 'Allergies',
  vitals_labs: 'Scores and measurements',
  substance_use: 'Substance use',
  substance_use_history: 'Substance use',
  side_effects: 'Side effects',
  intervention: 'Interventions',
}

/** An empty section would read as if nothing had been said; that is not known. */
const noQuote = 'No quote was placed here.'

function setSection(key: string, lines: readonly Line[]): JudgedSection {
  const headed = lines.map((line) => ({
    ...line,
    heading: ownSections[key] === line.heading ? null : line.heading,
  }))
  const count = (heading: Heading) => headed.filter((line) => line.heading === heading).length
  const stands = (heading: Heading | null): boolean =>
    heading !== null &&
    (alwaysHeaded.has(heading) || (headed.length >= headedLinesMin && count(heading) >= linesUnderHeadingMin))
  const inTime = (some: readonly Line[]): Line[] =>
    some.toSorted(
      (a, b) =>
        (a.quoted[0]?.index ?? Number.MAX_SAFE_INTEGER) - (b.quoted[0]?.index ?? Number.MAX_SAFE_INTEGER),
    )
  const under = (heading: Heading): JudgedSentence[] => {
    const own = inTime(headed.filter((line) => line.heading === heading))
    if (own.length === 0 || !stands(heading)) return []
    return [judged(`${heading}:`, itemsOf(own)), ...own.map(judgedLine)]
  }
  const first = under('Danger')
  const others = inTime(headed.filter((line) => !stands(line.heading)))
  const plain = others.map(judgedLine)
  // Without a heading of their own they would stand under Danger.
  if (first.length > 0 && others.length > 0) plain.unshift(judged('Also said:', itemsOf(others)))
  const rest = HEADINGS.filter((heading) => heading !== 'Danger' && heading !== 'Also said').flatMap(under)
  const sentences = [...first, ...plain, ...rest]
  return { key, layout: 'bullets', sentences: sentences.length > 0 ? sentences : [judged(noQuote, [])] }
}

const judgedLine = (line: Line): JudgedSentence => judged(textOf(line), itemsOf([line]))

const judged = (text: string, transcriptItems: readonly number[]): JudgedSentence => ({
  text,
  transcriptItems,
  judgement: 'exact_checks_only',
  reason: null,
})
