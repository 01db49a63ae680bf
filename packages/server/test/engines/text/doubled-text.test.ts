import { templateLimits, type TranscriptItem } from '@casenote/contract'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { builtInTemplate } from '../../../src/engines/writer/templates/built-in-templates.js'
import { checkExactly } from '../../../src/engines/checker/check-exactly.js'
import { findKept } from '../../../src/engines/checker/find-kept.js'
import { makeKnownKeeper, recheckNote } from '../../../src/engines/checker/recheck-note.js'
import { compareNote } from '../../../src/engines/ledger/compare-note.js'
import { findMedications } from '../../../src/engines/lexicon/medications.js'
import { readFindings } from '../../../src/engines/reader/read-findings.js'
import {
  packFigures,
  TOPICS,
  type Reading,
  type SentenceFigures,
  type TopicScores,
} from '../../../src/engines/reader/reading.js'
import { readTalk } from '../../../src/engines/reader/talk/read-talk.js'
import { readAmounts } from '../../../src/engines/text/read-amounts.js'
import { splitSentences } from '../../../src/engines/text/split-sentences.js'
import { tokenizeWords } from '../../../src/engines/text/tokenize-words.js'
import { editNote } from '../../../src/engines/writer/edits/edit-note.js'
import { parseInstructions } from '../../../src/engines/writer/edits/parse-instructions.js'
import { deriveMdm } from '../../../src/engines/writer/extract/derive-mdm.js'
import { summarize } from '../../../src/engines/writer/extract/summarize.js'
import { writeNote } from '../../../src/engines/writer/extract/write-note.js'
import { placeDanger, type ToldDanger } from '../../../src/engines/writer/prose/place-danger.js'
import { quoteNote } from '../../../src/engines/writer/prose/quote-data.js'
import { takeEdit, type TakeEditRequest } from '../../../src/engines/writer/prose/take-edit.js'
import { listUnmet } from '../../../src/engines/writer/templates/list-unmet.js'
import { toNoteSection } from '../../../src/engines/writer/to-note-sections.js'
import type { WritingRequest } from '../../../src/engines/writer/writer-engine.js'
import { expectLinear } from '../../support/measure-growth.js'
import { readingOf, section, talk } from '../checker/talk.js'
import { danger, medicine, score } from '../ledger/findings.js'

/** What the rules look for, what opens and is not closed, and what breaks words. */
const pieces = [
  'a',
  'A',
  '1',
  ' ',
  '\n',
  '\t',
  '.',
  '. ',
  'e.g. ',
  '...',
  '"',
  '“',
  '”',
  "'",
  '’',
  '-',
  '- ',
  ', ',
  '[',
  '(',
  '1:00',
  '1,000',
  'no ',
  'not ',
  'denies ',
  'suicide ',
  'gun ',
  'asked ',
  'and ',
  'sleep ',
  'sertraline ',
  '50 mg ',
  'one hundred ',
  'PHQ-9 ',
  'brother Tom ',
  'Client (1:00): "',
  'Mm-hmm. ',
  'I took it. ',
  'plan section ',
  'vitals and labs ',
  '\u0000',
  '\uD800',
  'é',
]

/** A few pieces again and again, with a beginning and an end of their own: what holds up an expression looks like this. */
const pattern = fc.record({
  head: fc.constantFrom('', 'a', ...pieces),
  pump: fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  tail: fc.constantFrom('', '!', 'x', ...pieces),
})
type Pattern = typeof pattern extends fc.Arbitrary<infer T> ? T : never

const write = ({ head, pump, tail }: Pattern, length: number): string =>
  `${head}${pump.repeat(Math.ceil(length / pump.length))}`.slice(0, length - 1) + tail

const reading = readingOf(
  danger({ words: 'I want to die.' }),
  medicine({ id: 'b', dose: '50 mg' }),
  score({ id: 'c' }),
)
const transcript = talk('clinician: Any thoughts of suicide?\nclient: No. Sertraline fifty milligrams.')

const noteOf = (content: string) => ({
  ...section(
    ...splitSentences(content)
      .slice(0, 500)
      .map((sentence) => ({ sentence, transcriptItems: [1] })),
  ),
  content,
})

const request = (content: string, instructions: string) => ({
  noteType: 'soap' as const,
  treatmentApproaches: [],
  note: [noteOf(content)],
  instructions,
  transcript,
  reading,
})
const writeNothing = () => ({ sections: [], findings: [] })

/** As items of a talk between two, each of a few sentences. */
function talkOf(text: string): TranscriptItem[] {
  const itemLength = 200
  return Array.from({ length: Math.ceil(text.length / itemLength) }, (_, index) => ({
    startTime: index * 5,
    endTime: index * 5 + 4,
    speaker: index % 2 === 0 ? 'clinician' : 'client',
    transcript: text.slice(index * itemLength, (index + 1) * itemLength),
  }))
}

/** As if the encoder had found something of everything everywhere. */
const someTopics = Object.fromEntries(TOPICS.map((topic) => [topic, 0.3])) as TopicScores
const someFigures: SentenceFigures = {
  places: { reported: 0.5, danger: 0.5 },
  stands: { alone: 0.5, answers: 0.5 },
  worth: 0.9,
}

function readAll(items: readonly TranscriptItem[]): Reading {
  const turns = readTalk(items)
  const topics = items.map(() => someTopics)
  const sentences = turns.map((turn) => turn.sentences.map(() => someFigures))
  return { ...readFindings(turns, topics), figures: packFigures({ topics, sentences }), version: 'test' }
}

/** The writer without a model, on a talk that was read before. */
function extract(work: (request: WritingRequest) => unknown) {
  return (text: string) => {
    const items = talkOf(text)
    const given: WritingRequest = {
      noteType: 'medication_management',
      treatmentApproaches: [],
      transcript: items,
      reading: readAll(items),
    }
    return () => void work(given)
  }
}

/** As much as may be wanted of one section, all of it in vain. */
const wanting = {
  ...builtInTemplate('soap'),
  sections: builtInTemplate('soap').sections.map((one) => ({
    ...one,
    must: Array.from({ length: templateLimits.must }, (_must, at) => ({
      what: `${at}`,
      words: Array.from({ length: templateLimits.mustWords }, (_word, word) => `sleep ${at} of ${word}`),
    })),
  })),
}

/** A section, which is the most that one text of an endpoint holds; and an instruction. */
const sectionLength = 50_000
const instructionLength = 5_000

/** Of an hour. */
const talkLength = 40_000

const works: [name: string, length: number, prepare: (text: string) => () => void][] = [
  ['splits sentences', sectionLength, (text) => () => splitSentences(text)],
  ['parts words', sectionLength, (text) => () => tokenizeWords(text)],
  ['reads amounts', sectionLength, (text) => () => readAmounts(text, tokenizeWords(text))],
  ['finds medicines', sectionLength, (text) => () => findMedications(text)],
  [
    'finds what was kept',
    sectionLength,
    (text) => {
      const { evidence } = noteOf(text)
      return () => findKept(text, evidence)
    },
  ],
  [
    'finds what must stand and does not',
    sectionLength,
    (text) => {
      const { content, evidence } = noteOf(text)
      const refused = evidence.map((entry, at) => ({ ...entry, supported: at % 2 === 0 }))
      return () =>
        listUnmet({
          template: wanting,
          sections: [{ ...section(), key: 'plan', content, evidence: refused }],
        })
    },
  ],
  ['keeps what is known', sectionLength, (text) => () => makeKnownKeeper()(noteOf(text))],
  [
    'rechecks a note',
    sectionLength,
    (text) => () => recheckNote({ noteType: 'soap', sections: [noteOf(text)], transcript, reading }),
  ],
  [
    'checks sentences',
    sectionLength,
    (text) => () =>
      checkExactly({
        sections: [{ key: 'a', layout: 'paragraph', sentences: [{ text, transcriptItems: [1] }] }],
        transcript,
        reading,
      }),
  ],
  [
    'compares a note',
    sectionLength,
    (text) => () => compareNote({ sections: [noteOf(text)], findings: reading.findings, transcript }),
  ],
  [
    'reads an instruction',
    instructionLength,
    (text) => () => tryTo(() => parseInstructions(text, builtInTemplate('soap'))),
  ],
  [
    'reads an instruction about sections',
    instructionLength,
    (text) => () =>
      tryTo(() => parseInstructions(`Move ${text} to the plan`, builtInTemplate('medication_management'))),
  ],
  [
    'replaces',
    sectionLength,
    (text) => () => editNote(request(text, 'Replace "a a" with "b"'), writeNothing),
  ],
  ['removes', sectionLength, (text) => () => editNote(request(text, 'Remove the sleep line'), writeNothing)],
  ['uses initials', sectionLength, (text) => () => editNote(request(text, 'Use initials'), writeNothing)],
  ['sets bullets', sectionLength, (text) => () => editNote(request(text, 'Use bullet points'), writeNothing)],
  ['reads what was said', talkLength, (text) => () => readAll(talkOf(text))],
  ['extracts a note', talkLength, extract(writeNote)],
  ['extracts a summary', talkLength, extract(summarize)],
  ['extracts what decisions rest on', talkLength, extract(deriveMdm)],
  [
    'takes a model’s answer to an edit of own words',
    sectionLength,
    (text) => () => takeEdit(shortened(text)),
  ],
  [
    'finds where a model’s words were said',
    talkLength,
    (text) => {
      const items = talkOf(text)
      const found = Array.from({ length: 60 }, (_, at) => told(text.slice(at, at + 400)))
      return () =>
        placeDanger({ found, window: { start: 0, end: items.length }, transcript: items, questionOf: {} })
    },
  ],
  ['quotes a note for a model', sectionLength, (text) => () => quoteNote([noteOf(text)])],
  [
    'sets a section',
    sectionLength,
    (text) => {
      const sentences = splitSentences(text).map((one) => ({
        text: one,
        transcriptItems: [1],
        judgement: 'verified' as const,
        reason: null,
      }))
      return () => toNoteSection(builtInTemplate('soap'), { key: 'plan', layout: 'bullets', sentences })
    },
  ],
]

/** All of it typed by the clinician; what a model makes of it says nothing that it rests on. */
const shortened = (text: string): TakeEditRequest => ({
  answer: {
    isDone: true,
    reason: null,
    noteType: 'soap',
    sections: [
      {
        key: 'plan',
        layout: 'paragraph',
        sentences: splitSentences(text)
          .slice(0, 40)
          .map((one) => ({ text: `Briefly: ${one.slice(0, 500)}`, items: [], source: 'session' })),
      },
    ],
  },
  request: {
    noteType: 'soap',
    note: [{ ...section(), key: 'plan', content: text }],
    instructions: 'Make it shorter.',
  },
})

const told = (words: string): ToldDanger => ({
  matter: 'suicide',
  element: 'thoughts',
  standing: 'affirmed',
  time: 'present',
  whose: 'client',
  items: [0],
  words: `${words} and nobody said so`.slice(-400),
})

const tryTo = (work: () => unknown): void => {
  try {
    work()
  } catch {
    // Most of them are no instructions; how long it took to say so is what counts.
  }
}

/** Some ten texts for each: what one run misses, another finds. */
const numRuns = 10

describe('twice the text takes twice the time, at the largest size', () => {
  it.each(works)(
    '%s',
    (_name, length, prepare) => {
      fc.assert(
        fc.property(pattern, (given) => expectLinear((size) => prepare(write(given, size)), length)),
        { numRuns },
      )
    },
    600_000,
  )
})
