import type { NoteType, TranscriptItem } from '@casenote/contract'
import type {
  DangerFinding,
  Finding,
  MedicineFinding,
  Reading,
  TopicScores,
} from '../../../src/engines/reader/reading.js'
import type {
  JudgedSection,
  WriterEngine,
  WritingRequest,
  WrittenNote,
} from '../../../src/engines/writer/writer-engine.js'

export interface Told {
  transcript: TranscriptItem[]
  reading: Reading
}

/** "client [sleep .9]: I sleep four hours.", one line a turn; "client [sleep .9] <0: …" answers the item with that number. */
export function tell(lines: string, findings: readonly Finding[] = []): Told {
  const transcript: TranscriptItem[] = []
  const topics: TopicScores[] = []
  const questionOf: Record<number, number> = {}
  for (const line of lines.trim().split('\n')) {
    const [, speaker = '', tags = '', asked, said = ''] =
      /^\s*(\w+)(?: \[([^\]]*)\])?(?: <(\d+))?: (.*)$/.exec(line) ?? []
    const at = transcript.length
    transcript.push({ startTime: at * 10, endTime: at * 10 + 9, speaker, transcript: said })
    const parts = tags.split(' ').filter(Boolean)
    topics.push(
      Object.fromEntries(parts.flatMap((part, i) => (i % 2 === 0 ? [[part, Number(parts[i + 1])]] : []))),
    )
    if (asked !== undefined) questionOf[at] = Number(asked)
  }
  return { transcript, reading: { topics, findings, questionOf, version: 'test' } }
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

export async function write(
  engine: WriterEngine,
  told: Told,
  noteType: NoteType = 'soap',
): Promise<WrittenNote> {
  const sections: JudgedSection[] = []
  for await (const event of engine.writeNote(requestOf(told, noteType), new AbortController().signal)) {
    if (event.kind === 'end') return event.note
    sections.push(event.section)
  }
  throw new Error(`the note has no end after ${sections.length} sections`)
}

export const textOf = (note: WrittenNote, key: string): string =>
  note.sections
    .filter((section) => section.key === key)
    .flatMap(({ sentences }) => sentences.map(({ text }) => text))
    .join('\n')
