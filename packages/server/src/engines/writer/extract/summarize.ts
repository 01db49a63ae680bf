import type { WritingRequest } from '../writer-engine.js'
import { chooseLines } from './choose-lines.js'
import { listDanger } from './list-danger.js'
import { textOf } from './line.js'
import { changeSection } from './slots.js'
import { readTurns } from './read-turns.js'

/** What a reader has time for between two sessions; danger is outside of it. */
const linesMax = 8

/** The danger first, then what was agreed and planned, quoted. */
export function summarize(request: WritingRequest): string {
  const { noteType, reading, transcript } = request
  const talk = readTurns(transcript, reading)
  const danger = listDanger({ noteType, talk, reading })
  const plan = chooseLines(request, { talk, danger })
    .filter(({ section }) => section === 'plan' || section === changeSection(noteType))
    .filter(({ heading }) => heading === null)
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, linesMax)
    .toSorted((a, b) => (a.quoted[0]?.index ?? 0) - (b.quoted[0]?.index ?? 0))
  return [
    'Danger:',
    ...danger.map((line) => `- ${textOf(line)}`),
    'Plan and what was agreed:',
    ...(plan.length > 0 ? plan.map((line) => `- ${textOf(line)}`) : ['- Nothing was found.']),
  ].join('\n')
}
