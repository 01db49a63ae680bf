import { readdirSync, readFileSync } from 'node:fs'
import { NOTE_TYPES, type NoteType, type TranscriptItem } from '@casenote/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { packFigures, type DangerFinding } from '../../../src/engines/reader/reading.js'
import { cutSentences } from '../../../src/engines/reader/talk/read-talk.js'
import { readByRules } from '../session-fixtures.js'
import { compareWith, danger, extract, figuresOf, requestOf, type Told } from './extract-talk.js'

const { write } = extract
const never = new AbortController().signal

/** What was found about danger and is neither quoted by the note nor listed, by a reading of its own. */
async function listLost(told: Told, noteType: NoteType): Promise<string[]> {
  const note = await write(told, noteType)
  const { review } = compareWith(told, note, noteType)
  // What is suspected of several matters is listed once.
  const isListed = ({ id, items, words }: DangerFinding): boolean =>
    review.some(
      (one) =>
        one.id === id ||
        (one.words.includes(words) && items.every((item) => one.transcriptItems.includes(item))),
    )
  const lines = note.sections.flatMap(({ sentences }) => sentences)
  const isQuoted = ({ items, words }: DangerFinding): boolean => {
    const wanted = wordsIn(words)
    return lines.some(({ text, transcriptItems }) => {
      const quoted = new Set([...text.matchAll(/“([^”]*)”/g)].flatMap(([, quote = '']) => wordsIn(quote)))
      const held = wanted.filter((word) => quoted.has(word)).length
      return items.some((item) => transcriptItems.includes(item)) && held >= wanted.length / 2
    })
  }
  return told.reading.findings.flatMap((one) =>
    one.kind === 'danger' && !isListed(one) && !isQuoted(one) ? [one.words] : [],
  )
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []

const sayings = [
  'Any thoughts of killing yourself?',
  'No.',
  'Yeah, some nights.',
  'I look at the vent and somebody could tie something on that.',
  'He hit me with the belt.',
  'Hold on, is that going to hurt?',
  'Um, no. Not really, I mean.',
  'Mm-hmm.',
  'How do you sleep?',
  'I hear her walking over my head.',
  'My back hurts in the morning.',
  'I want to kill myself.',
]

const turn = fc.record({
  speaker: fc.constantFrom('clinician', 'client', 'client', 'speaker_3'),
  said: fc.array(fc.constantFrom(...sayings), { minLength: 1, maxLength: 3 }),
  code: fc.constantFrom('D2a', 'D2q', 'D1p.4', 'R2a', 'R1p', 'N', 'D2n', 'Q0a'),
})

const found = fc.record({
  at: fc.nat(19),
  sentence: fc.nat(2),
  reach: fc.nat(2),
  matter: fc.constantFrom('suicide' as const, 'abuse' as const, 'psychosis' as const),
  element: fc.constantFrom('thoughts' as const, 'violence' as const, 'unspecified' as const),
  standing: fc.constantFrom('affirmed' as const, 'denied' as const, 'unclear' as const),
  certainty: fc.constantFrom('plain' as const, 'suspected' as const),
  foundBy: fc.constantFrom('words' as const, 'encoder' as const, 'model' as const),
  isAsked: fc.boolean(),
})

const session = fc
  .tuple(fc.array(turn, { minLength: 3, maxLength: 20 }), fc.array(found, { minLength: 1, maxLength: 6 }))
  .map(([turns, given]): Told => {
    const transcript = turns.map(({ speaker, said }, at): TranscriptItem => ({
      startTime: at * 10,
      endTime: at * 10 + 9,
      speaker,
      transcript: said.join(' '),
    }))
    const findings = given.map(({ at, sentence, reach, isAsked, ...rest }, index) => {
      const item = at % turns.length
      const said = turns[item]?.said ?? []
      const items = Array.from({ length: reach + 1 }, (_, step) => item - reach + step).filter(
        (one) => one >= 0,
      )
      const questionItem = isAsked && item > 0 ? item - 1 : null
      return danger({
        ...rest,
        id: `d${index}`,
        items,
        words: said[sentence % said.length] ?? '',
        questionItem,
      })
    })
    const sentences = turns.map(({ said, code }) => cutSentences(said.join(' ')).map(() => figuresOf(code)))
    const figures = packFigures({ topics: [], sentences })
    return { transcript, reading: { figures, findings, questionOf: {}, version: 'test' } }
  })

it('what was found about danger is quoted by the note or listed, in any talk', async () => {
  await fc.assert(
    fc.asyncProperty(session, fc.constantFrom(...NOTE_TYPES), async (told, noteType) => {
      expect(await listLost(told, noteType)).toEqual([])
    }),
    { numRuns: 150 },
  )
})

const nothingPlaced = 'No quote was placed here.'

it('a summary has what stands under Danger in the note, and nothing else there, in any talk', async () => {
  await fc.assert(
    fc.asyncProperty(session, async (told) => {
      const note = await write(told)
      const lines = note.sections.flatMap(({ sentences }) => sentences.map(({ text }) => text))
      const from = lines.indexOf('Danger:') + 1
      const rest = from === 0 ? [] : lines.slice(from)
      const end = rest.findIndex((line) => /^[A-Z][a-z ]+:$/.test(line) || line === nothingPlaced)
      const summary = (await extract.engine.summarize(requestOf(told), never)).split('\n')
      const under = rest.slice(0, end < 0 ? rest.length : end).map((line) => `- ${line}`)
      expect(summary.slice(1, summary.indexOf('Plan and what was agreed:'))).toEqual(under)
    }),
    { numRuns: 150 },
  )
})

it('what a summary may not leave out about danger is quoted in it, in any talk', async () => {
  await fc.assert(
    fc.asyncProperty(session, async (told) => {
      const summary = new Set(wordsIn(await extract.engine.summarize(requestOf(told), never)))
      for (const one of told.reading.findings)
        if (one.kind === 'danger' && one.certainty === 'plain' && one.standing !== 'denied')
          expect(wordsIn(one.words).filter((word) => summary.has(word)).length).toBeGreaterThanOrEqual(
            wordsIn(one.words).length / 2,
          )
    }),
    { numRuns: 150 },
  )
})

const opened = new URL('../../../../../eval/reader/opened/', import.meta.url)
const speakers: Readonly<Record<string, string>> = { T: 'clinician', C: 'client', O: 'speaker_3' }

interface Written {
  id: string
  turns: [string, string][]
  danger: { turns: number[] }[]
}

/** As the rules read it, and as an encoder would that knows every place of danger and nothing else. */
function readWritten({ turns, danger: tagged }: Written): Told {
  const transcript = turns.map(([who, text], at): TranscriptItem => ({
    startTime: at * 10,
    endTime: at * 10 + 9,
    speaker: speakers[who] ?? 'client',
    transcript: text,
  }))
  const isDanger = new Set(tagged.flatMap((one) => one.turns))
  const sentences = transcript.map(({ transcript: text }, at) =>
    cutSentences(text).map((said) =>
      figuresOf(`${isDanger.has(at) ? 'D' : said.endsWith('?') ? 'Q' : 'R'}1${at % 2 === 0 ? 'a' : 'q'}`),
    ),
  )
  return {
    transcript,
    reading: { ...readByRules(transcript), figures: packFigures({ topics: [], sentences }) },
  }
}

/** All of them are gone through by `npm run eval extract --opened`; each takes a tenth of a second here. */
const oneIn = 4

it('what was found about danger is quoted by the note or listed, in whole sessions', async () => {
  const sessions = readdirSync(opened)
    .filter((name) => name.startsWith('whole-'))
    .flatMap((name) => readFileSync(new URL(name, opened), 'utf8').trim().split('\n'))
    .filter((_line, index) => index % oneIn === 0)
    .map((line) => JSON.parse(line) as Written)
  expect(sessions.length).toBeGreaterThanOrEqual(30)
  const lost: [string, string][] = []
  for (const one of sessions)
    for (const words of await listLost(readWritten(one), 'soap')) lost.push([one.id, words])
  expect(lost).toEqual([])
})
