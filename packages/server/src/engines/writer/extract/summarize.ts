import type { WritingRequest } from '../writer-engine.js'
import { makeContextFinder } from './find-context.js'
import { chooseLines } from './gather-lines.js'
import { listFindings } from './list-findings.js'
import { mergeLines, textOf, type Line } from './line.js'
import { medicineChangeSection } from './place-topics.js'
import { readTurns } from './read-turns.js'

/** What a reader has time for between two sessions; danger is outside of it. */
const linesMax = 8

/** The danger first, then what was agreed and planned, quoted. */
export function summarize(request: WritingRequest): string {
  const { noteType, reading, transcript } = request
  const talk = readTurns(transcript)
  const contextOf = makeContextFinder(talk, reading)
  const known = listFindings(reading.findings, { noteType, talk, reading, contextOf })
  const danger = known.filter(({ heading }) => heading === 'Danger')
  const isPlan = ({ section }: Line): boolean =>
    section === 'plan' || section === medicineChangeSection(noteType)
  const decided = known.filter((line) => line.heading !== 'Danger' && isPlan(line))
  const quoted = chooseLines(request, { talk, contextOf, known }).filter(isPlan)
  const plan = mergeLines(decided, quoted)
    .slice(0, linesMax)
    .toSorted((a, b) => (a.quoted[0]?.index ?? 0) - (b.quoted[0]?.index ?? 0))
  return [
    'Danger:',
    ...danger.map((line) => `- ${textOf(line)}`),
    'Plan and what was agreed:',
    ...(plan.length > 0 ? plan.map((line) => `- ${textOf(line)}`) : ['- Nothing was found.']),
  ].join('\n')
}
