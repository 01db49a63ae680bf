import type { NoteType, ReviewItem, TranscriptItem } from '@casenote/contract'
import { compareNote } from '../../../src/engines/ledger/compare-note.js'
import {
  packFigures,
  type DangerFinding,
  type Finding,
  type MedicineFinding,
  type Place,
  type Reading,
  type SentenceFigures,
  type Stands,
  type TopicScores,
} from '../../../src/engines/reader/reading.js'
import { cutSentences } from '../../../src/engines/reader/talk/read-talk.js'
import { makeExtractWriter } from '../../../src/engines/writer/extract/extract-writer.js'
import { builtInTemplate } from '../../../src/engines/writer/templates/built-in-templates.js'
import { toNoteSections } from '../../../src/engines/writer/to-note-sections.js'
import type { WriterEngine, WritingRequest, WrittenNote } from '../../../src/engines/writer/writer-engine.js'
import { writeAll } from './prose-fixture.js'

export interface Told {
  transcript: TranscriptItem[]
  reading: Reading
}

const places: Readonly<Record<string, Place>> = {
  N: 'none',
  R: 'reported',
  H: 'history',
  M: 'medicines',
  A: 'allergies',
  D: 'danger',
  O: 'observed',
  J: 'judgement',
  I: 'done',
  P: 'plan',
  Q: 'question',
}
const stands: Readonly<Record<string, Stands>> = {
  a: 'alone',
  j: 'goes_on',
  q: 'answers',
  p: 'points_back',
  n: 'shred',
}

/** "R2a": reported, a key fact, stands alone; "P2a.5": a plan by a share of a half, the rest divided. */
export function figuresOf(code: string): SentenceFigures {
  const [, place = 'N', worth = '0', stand = 'a', share = '1'] = /^(\w)(\d)?(\w)?(\.\d+)?$/.exec(code) ?? []
  const sure = Number(share)
  return {
    places: {
      [places[place] ?? 'none']: sure,
      ...(sure < 1 ? { none: (1 - sure) / 2, done: (1 - sure) / 2 } : {}),
    },
    stands: { [stands[stand] ?? 'alone']: 1 },
    worth: Number(worth) / 2,
  }
}

/**
 * "client [sleep .9] {R2a}: I sleep four hours.", one line a turn, a code for each sentence, the last for all that follow;
 * "client {R1q} <0: …" answers the item with that number. Without codes it is nothing for a note, or a question.
 */
export function tell(lines: string, findings: readonly Finding[] = []): Told {
  const transcript: TranscriptItem[] = []
  const topics: TopicScores[] = []
  const sentences: SentenceFigures[][] = []
  const questionOf: Record<number, number> = {}
  for (const line of lines.trim().split('\n')) {
    const [, speaker = '', tags = '', codes = '', asked, said = ''] =
      /^\s*(\w+)(?: \[([^\]]*)\])?(?: \{([^}]*)\})?(?: <(\d+))?: (.*)$/.exec(line) ?? []
    const at = transcript.length
    transcript.push({ startTime: at * 10, endTime: at * 10 + 9, speaker, transcript: said })
    const parts = tags.split(' ').filter(Boolean)
    const given = codes.split(' ').filter(Boolean)
    // Where the encoder places a sentence under danger, it nearly always says so of its item, too.
    const shares = given.map((code) => figuresOf(code).places.danger ?? 0)
    const own = parts.length === 0 && Math.max(0, ...shares) > 0 ? { risk_self: Math.max(...shares) } : {}
    topics.push({
      ...own,
      ...Object.fromEntries(parts.flatMap((part, i) => (i % 2 === 0 ? [[part, Number(parts[i + 1])]] : []))),
    })
    sentences.push(
      cutSentences(said).map((text, k) =>
        figuresOf(given[k] ?? given.at(-1) ?? (text.endsWith('?') ? 'Q0a' : 'N')),
      ),
    )
    if (asked !== undefined) questionOf[at] = Number(asked)
  }
  return {
    transcript,
    reading: { figures: packFigures({ topics, sentences }), findings, questionOf, version: 'test' },
  }
}

export const danger = (
  given: Partial<DangerFinding> & Pick<DangerFinding, 'items' | 'words'>,
): DangerFinding => ({
  id: `danger-${given.items.join('-')}`,
  kind: 'danger',
  matter: 'suicide',
  element: 'thoughts',
  standing: 'denied',
  time: 'present',
  whose: 'client',
  certainty: 'plain',
  foundBy: 'words',
  questionItem: null,
  ...given,
})

export const medicine = (
  given: Partial<MedicineFinding> & Pick<MedicineFinding, 'items' | 'words'>,
): MedicineFinding => ({
  id: `medicine-${given.items.join('-')}`,
  kind: 'medicine',
  name: 'sertraline',
  said: 'sertraline',
  dose: '50 mg',
  use: 'at night',
  status: 'taken',
  whose: 'client',
  ...given,
})

export const requestOf = (told: Told, noteType: NoteType = 'soap'): WritingRequest => ({
  noteType,
  transcript: told.transcript,
  reading: told.reading,
  treatmentApproaches: [],
})

export const textOf = (note: WrittenNote, key: string): string =>
  note.sections
    .filter((section) => section.key === key)
    .flatMap(({ sentences }) => sentences.map(({ text }) => text))
    .join('\n')

/** What the ledger makes of a note: what it holds of the findings, and what is listed for the clinician. */
export const compareWith = (told: Told, note: WrittenNote, noteType: NoteType = 'soap') =>
  compareNote({
    sections: toNoteSections(builtInTemplate(noteType), note.sections),
    findings: note.findings,
    transcript: told.transcript,
  })

export interface ExtractStage {
  engine: WriterEngine
  writeNote: (request: WritingRequest) => Promise<WrittenNote>
  write: (told: Told, noteType?: NoteType) => Promise<WrittenNote>
  /** The text of one section. */
  textIn: (key: string, talk: string, findings?: readonly Finding[], noteType?: NoteType) => Promise<string>
  /** What stands under Danger, its heading aside. */
  underDanger: (talk: string, findings?: readonly Finding[]) => Promise<string>
  /** What is listed about danger, by the writer's findings and the ledger. */
  listed: (talk: string, findings?: readonly Finding[]) => Promise<ReviewItem[]>
}

/** One thread for all files of a process: it knows nothing of the order before, and ends with the process. */
const engine = makeExtractWriter()
const writeNote = async (request: WritingRequest): Promise<WrittenNote> =>
  (await writeAll(engine, request)).note
const write: ExtractStage['write'] = (told, noteType = 'soap') => writeNote(requestOf(told, noteType))
const textIn: ExtractStage['textIn'] = async (key, talk, findings = [], noteType = 'soap') =>
  textOf(await write(tell(talk, findings), noteType), key)

/** The extracting writer behind its door. */
export const extract: ExtractStage = {
  engine,
  writeNote,
  write,
  textIn,
  underDanger: async (talk, findings = []) =>
    (await textIn('assessment', talk, findings)).split('Also said:')[0]?.replace('Danger:', '') ?? '',
  listed: async (talk, findings = []) => {
    const told = tell(talk, findings)
    return compareWith(told, await write(told)).review.filter(({ kind }) => kind === 'danger')
  },
}
