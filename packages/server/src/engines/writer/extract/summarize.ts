import type { WritingRequest } from '../writer-engine.js'
import { isAccount } from '../is-account.js'
import { templateOf } from '../templates/built-in-templates.js'
import { placeOf, placeOfChanges } from '../templates/note-template.js'
import { chooseLines } from './choose-lines.js'
import { listDanger, listNotAsked } from './list-danger.js'
import { textOf, type Line } from './line.js'
import { placeSentences } from './place-account.js'
import { readTurns, type Talk } from './read-turns.js'

/** What a reader has time for between two sessions; danger is outside of it. */
const linesMax = 8

/** The danger first, then what was agreed and planned, quoted. */
export function summarize(request: WritingRequest): string {
  const { reading, transcript } = request
  const template = templateOf(request)
  const talk = readTurns(transcript, reading)
  const danger = listDanger({ template, talk, reading })
  const plan = isAccount(transcript) ? listTypedPlan(request) : listPlan(request, talk, danger)
  return [
    'Danger:',
    ...[...danger, ...listNotAsked(reading.findings, { template, talk })].map((line) => `- ${textOf(line)}`),
    'Plan and what was agreed:',
    ...(plan.length > 0 ? plan.map((line) => `- ${line}`) : ['- Nothing was found.']),
  ].join('\n')
}

function listPlan(request: WritingRequest, talk: Talk, danger: readonly Line[]): string[] {
  const isPlan = makePlanFinder(request)
  return chooseLines(request, { talk, danger })
    .filter(({ section }) => isPlan(section))
    .filter(({ heading }) => heading === null)
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, linesMax)
    .toSorted((a, b) => (a.quoted[0]?.index ?? 0) - (b.quoted[0]?.index ?? 0))
    .map(textOf)
}

/** What the clinician typed under their plan, or the reader places there. */
const listTypedPlan = (request: WritingRequest): string[] => {
  const isPlan = makePlanFinder(request)
  return placeSentences(request)
    .filter(({ section }) => isPlan(section))
    .map((placed, at) => ({ ...placed, at }))
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, linesMax)
    .toSorted((a, b) => a.at - b.at)
    .map(({ text }) => text)
}

const makePlanFinder = (request: WritingRequest): ((section: string) => boolean) => {
  const template = templateOf(request)
  const places = new Set([placeOf(template, 'plan'), placeOfChanges(template)])
  return (section) => places.has(section)
}
