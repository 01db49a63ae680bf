import { readFileSync } from 'node:fs'
import {
  makeBuiltInCatalogue,
  readInstrumentFile,
  type Catalogue,
  type GivenAnswer,
  type Instrument,
} from '../../src/features/assessments/instruments/index.js'

const catalogue = makeBuiltInCatalogue()

export const listInstruments = (): Instrument[] => catalogue.list()

export function getInstrument(id: string): Instrument {
  const instrument = catalogue.find(id)
  if (instrument === null) throw new Error(`no instrument ${id}`)
  return instrument
}

/** `phq9` and `[0, 1, …]`: the numbered questions in order; null leaves one out. */
export const answersTo = (id: string, values: readonly (number | null)[]): GivenAnswer[] =>
  values.flatMap((answerValue, index) =>
    answerValue === null ? [] : [{ questionKey: `${id}_${index + 1}`, answerValue }],
  )

/** Words for an instrument that has none; made up, so that nothing of the protected form is here. */
export function makeTextPack(id: string, changes: object = {}): string {
  const { questions } = getInstrument(id)
  const file = {
    format: 1,
    completes: id,
    version: '2026-12-01',
    language: 'en',
    permission: 'Letter of 1 December 2026, file 7',
    texts: {
      leadIn: 'Made-up lead-in',
      questions: Object.fromEntries(questions.map(({ key }) => [key, `Made-up question ${key}`])),
      answers: answerWordsOf(id),
    },
    ...changes,
  }
  return JSON.stringify(file)
}

/** By answer set; the sets are not part of a worded instrument, so they come from the file. */
function answerWordsOf(id: string): Record<string, Record<string, string>> {
  const sets = answerSetsOf(id)
  return Object.fromEntries(
    Object.entries(sets).map(([set, values]) => [
      set,
      Object.fromEntries(values.map((value) => [value, `Made-up answer ${value}`])),
    ]),
  )
}

export function withTextPack(id: string, changes: object = {}): Catalogue {
  const worded = makeBuiltInCatalogue()
  worded.add(readInstrumentFile(makeTextPack(id, changes)))
  return worded
}

const answerSetsOf = (id: string): Record<string, readonly number[]> => {
  const source = readBuiltIn(id)
  return source.answerSets
}

export function readBuiltIn(id: string): { answerSets: Record<string, number[]> } & Record<string, unknown> {
  const text = readFileSync(new URL(`../../instruments/${id}.json`, import.meta.url), 'utf8')
  return JSON.parse(text) as { answerSets: Record<string, number[]> } & Record<string, unknown>
}
