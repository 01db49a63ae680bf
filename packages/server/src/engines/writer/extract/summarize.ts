import { compareNote } from '../../ledger/compare-note.js'
import { labelFinding } from '../../ledger/label-finding.js'
import type { Finding } from '../../reader/reading.js'
import { findAccount, isAccount } from '../is-account.js'
import { isOwed, nameAll } from '../owed.js'
import { templateOf } from '../templates/built-in-templates.js'
import { placeOf, placeOfChanges } from '../templates/note-template.js'
import { toNoteSections } from '../to-note-sections.js'
import type { JudgedSentence, WritingRequest } from '../writer-engine.js'
import { itemsOf, textOf, type Line } from './line.js'
import { listDanger, listNotAsked } from './list-danger.js'
import { placeSentences } from './place-account.js'
import { readTurns, type Talk } from './read-turns.js'
import { quote } from './render-line.js'
import { settleLines } from './settle-lines.js'

/** What a reader has time for between two sessions; danger is outside of it. */
const linesMax = 8

/** A line, and what it rests on. */
type Told = Pick<JudgedSentence, 'text' | 'transcriptItems'>

/**
 * The danger first, then what was agreed and planned, quoted, both as the note has them; last what may not be left out
 * and stands in neither.
 */
export function summarize(request: WritingRequest): string {
  const { transcript, reading } = request
  const talk = readTurns(transcript, reading)
  const { danger, plan } = isAccount(transcript) ? listTold(request, talk) : listSaid(request, talk)
  const unsaid = listUnsaid(request, [...danger, ...plan.lines])
  return [
    'Danger:',
    ...danger.map(({ text }) => `- ${text}`),
    'Plan and what was agreed:',
    ...(plan.lines.length > 0 ? plan.lines.map(({ text }) => `- ${text}`) : ['- Nothing was found.']),
    ...(plan.more > 0 ? [`- And ${plan.more} more, see the note.`] : []),
    ...(unsaid.length > 0 ? ['Also said:', ...unsaid.map((text) => `- ${text}`)] : []),
  ].join('\n')
}

interface Listed {
  danger: Told[]
  plan: { lines: Told[]; more: number }
}

function listSaid(request: WritingRequest, talk: Talk): Listed {
  const isPlan = makePlanFinder(request)
  const { lines } = settleLines(request, talk)
  const planned = lines.filter(({ section, heading }) => isPlan(section) && heading === null)
  return {
    danger: lines.filter(({ heading }) => heading === 'Danger').map(tell),
    plan: {
      lines: planned
        .toSorted((a, b) => b.worth - a.worth)
        .slice(0, linesMax)
        .toSorted((a, b) => (a.quoted[0]?.index ?? 0) - (b.quoted[0]?.index ?? 0))
        .map(tell),
      more: Math.max(0, planned.length - linesMax),
    },
  }
}

/** What the clinician told about danger, and under their plan or where the reader places it there. */
function listTold(request: WritingRequest, talk: Talk): Listed {
  const { reading, transcript, jotted = [] } = request
  const template = templateOf(request)
  const isPlan = makePlanFinder(request)
  const planned = placeSentences(request).filter(({ section }) => isPlan(section))
  return {
    danger: [
      ...listDanger({ template, talk, reading }),
      ...listNotAsked(reading.findings, { template, talk, jotted, account: findAccount(transcript) }),
    ].map(tell),
    plan: {
      lines: planned
        .map((placed, at) => ({ ...placed, at }))
        .toSorted((a, b) => b.worth - a.worth)
        .slice(0, linesMax)
        .toSorted((a, b) => a.at - b.at)
        .map(({ text, items }) => ({ text, transcriptItems: items })),
      more: Math.max(0, planned.length - linesMax),
    },
  }
}

const tell = (line: Line): Told => ({ text: textOf(line), transcriptItems: itemsOf([line]) })

const makePlanFinder = (request: WritingRequest): ((section: string) => boolean) => {
  const template = templateOf(request)
  const places = new Set([placeOf(template, 'plan'), placeOfChanges(template)])
  return (section) => places.has(section)
}

/** What is owed and these lines do not tell, in the words in which it was said. */
function listUnsaid(request: WritingRequest, told: readonly Told[]): string[] {
  const findings = request.reading.findings.filter(isOwed)
  if (findings.length === 0) return []
  const sentences = told.map((one): JudgedSentence => ({
    ...one,
    judgement: 'exact_checks_only',
    reason: null,
  }))
  const { entries } = compareNote({
    sections: toNoteSections(templateOf(request), [{ key: 'summary', layout: 'bullets', sentences }]),
    findings,
    transcript: request.transcript,
  })
  return nameAll(
    entries.flatMap(({ finding, state }) => (state === 'stated' ? [] : [finding])),
    (finding) => `${nameMatter(finding)}: ${quote(finding.words)}`,
  )
}

/** What it is about and no more: how it stands is in the words. */
const nameMatter = (finding: Finding): string => {
  if (finding.kind === 'danger') return 'Danger'
  if (finding.kind === 'medicine') return finding.name.charAt(0).toUpperCase() + finding.name.slice(1)
  return finding.kind === 'allergy' ? `Allergy, ${finding.substance}` : labelFinding(finding)
}
