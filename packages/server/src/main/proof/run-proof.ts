import type { NoteSection } from '@casenote/contract'
import type { NoteChecker } from '../../engines/checker/note-checker.js'
import type { Reader } from '../../engines/reader/reading.js'
import { builtInTemplate } from '../../engines/writer/templates/built-in-templates.js'
import { toNoteSections } from '../../engines/writer/to-note-sections.js'
import type { WriterEngine, WritingEvent } from '../../engines/writer/writer-engine.js'
import type { ProofSession } from './proof-session.js'

/** What one session gave. */
export interface ProofResult {
  name: string
  about: string
  seconds: number
  danger: number
  dangerFound: number
  /** Stated by the note, or listed for the clinician with its words. */
  dangerTold: number
  facts: number
  factsWritten: number
  /** Statements that must not be. */
  forbidden: number
  draftSentences: number
  refusedBeforeRepair: number
  /** Also those that the note then leaves out. */
  refusedAfterRepair: number
  sentences: number
  verified: number
  words: number
}

export interface ProofParts {
  reader: Reader
  writer: WriterEngine
  checker: NoteChecker
}

export interface ProofOptions {
  signal: AbortSignal
  /** How much of the session's work is done, from 0 to 1. */
  onProgress?: (fraction: number) => void
}

/** The way of a session through reader, writer, checker and ledger, without a database. */
export async function proveSession(
  { reader, writer, checker }: ProofParts,
  session: ProofSession,
  { signal, onProgress = () => undefined }: ProofOptions,
): Promise<ProofResult> {
  const { noteType, transcript, danger } = session
  const begun = performance.now()
  const reading = await reader.read(transcript, signal)
  const template = builtInTemplate(noteType)
  const sectionCount = template.sections.length
  let written = 0
  const onSection = (): void => {
    written += 1
    // The last of the equal parts is for verification and repair.
    onProgress(Math.min(written, sectionCount) / (sectionCount + 1))
  }
  const request = { noteType, transcript, reading, treatmentApproaches: [] }
  const { note, repair } = await writeWhole(writer, request, { signal, onSection })
  const sections = toNoteSections(template, note.sections)
  const { entries, review } = await checker.compare({ sections, findings: note.findings, transcript })
  const seconds = (performance.now() - begun) / 1_000
  const found = note.findings.filter(({ kind }) => kind === 'danger')
  const told = new Set([
    ...entries.flatMap(({ finding, state }) =>
      finding.kind === 'danger' && state === 'stated' ? finding.items : [],
    ),
    ...review.flatMap(({ kind, transcriptItems }) => (kind === 'danger' ? transcriptItems : [])),
  ])
  const evidence = sections.flatMap((section) => section.evidence)
  const refused = evidence.filter(({ judgement }) => judgement === 'refused').length
  const text = textOf(sections, null)
  return {
    name: session.name,
    about: session.about,
    seconds,
    danger: danger.length,
    dangerFound: danger.filter((items) => found.some((one) => one.items.some((item) => items.includes(item))))
      .length,
    dangerTold: danger.filter((items) => items.some((item) => told.has(item))).length,
    ...countFacts(session, sections),
    // What a writer does not repair is its draft.
    draftSentences: repair?.draftSentences ?? evidence.length,
    refusedBeforeRepair: repair?.refusedBefore ?? refused,
    refusedAfterRepair: repair?.refusedAfter ?? refused,
    sentences: evidence.length,
    verified: evidence.filter(({ judgement }) => judgement === 'verified').length,
    words: text.split(/\s+/).length,
  }
}

/** What a note says of what it must, and of what it must not. */
export const countFacts = (
  { facts, forbidden }: ProofSession,
  sections: readonly Pick<NoteSection, 'key' | 'content'>[],
): Pick<ProofResult, 'facts' | 'factsWritten' | 'forbidden'> => ({
  facts: facts.length,
  factsWritten: facts.filter(({ pattern, section }) => pattern.test(textOf(sections, section))).length,
  forbidden: forbidden.filter((pattern) => pattern.test(textOf(sections, null))).length,
})

async function writeWhole(
  writer: WriterEngine,
  request: Parameters<WriterEngine['writeNote']>[0],
  { signal, onSection }: { signal: AbortSignal; onSection: () => void },
): Promise<Extract<WritingEvent, { kind: 'end' }>> {
  for await (const event of writer.writeNote(request, signal)) {
    if (event.kind === 'end') return event
    onSection()
  }
  throw new Error('the writer ended without a note')
}

const textOf = (sections: readonly Pick<NoteSection, 'key' | 'content'>[], key: string | null): string =>
  sections
    .filter((section) => key === null || section.key === key)
    .map(({ content }) => content)
    .join('\n')
