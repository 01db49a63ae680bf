import {
  NOTE_TEMPLATES,
  type NotePatch,
  type NoteSection,
  type NoteType,
  type TranscriptItem,
} from '@casenote/contract'
import { recheckSection } from '../../engines/writer/check-evidence.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import { describeNote, matchesTag, readSections } from './describe-note.js'
import { getLockedNote, getNote } from './get-note.js'
import { versionPlace } from './note-content.js'
import { requireUnlocked, requireWritten } from './note-lifecycle.js'
import { insertNoteVersion, updateNoteVersion, type NoteRow } from './progress-notes.sql.js'
import { recordNoteChange } from './record-note-change.js'

export interface NoteChange {
  patch: NotePatch
  ifMatch: string | null
  /** What the new sentences are checked against; null for a session without a transcript. */
  transcript: readonly TranscriptItem[] | null
}

/** The clinician's own hand: a new version under the same id and status, without an event (decisions 4). */
export async function changeNote(
  tx: Tx,
  context: ChangeContext,
  noteId: string,
  { patch, ifMatch, transcript }: NoteChange,
): Promise<NoteRow> {
  const { ring } = context
  const note = await getLockedNote(tx, noteId)
  requireUnlocked(note)
  const problems = findSectionProblems(note.noteType, patch.note)
  if (problems.length > 0) throw refuse.invalid(problems)
  requireWritten(note)
  if (ifMatch !== null && !matchesTag(ifMatch, describeNote(ring, note))) {
    throw refuse.conflict('Progress note has changed since it was read')
  }
  const version = note.version + 1
  const sections = mergeSections(note.noteType, patch.note, readSections(ring, note)).map((section) =>
    transcript === null ? section : recheckSection(section, transcript),
  )
  if ((await tx.run(updateNoteVersion(tx.tenant, noteId, version))).length === 0) {
    throw new Error('a note that is free could not be changed')
  }
  await tx.run(
    insertNoteVersion(tx.tenant, {
      noteId,
      version,
      versionId: newId(),
      progressNoteId: note.progressNoteId,
      origin: 'edit',
      generationId: null,
      sealedSections: sealJson(ring, versionPlace(noteId, version), sections),
      madeBy: null,
      noteType: note.noteType,
    }),
  )
  await recordNoteChange(tx, context, 'progressNote.change', note)
  return getNote(tx, noteId)
}

type GivenSections = NotePatch['note']

/** Sections of the template only, none twice. Which of them, and in which order, is the clinician's choice. */
function findSectionProblems(noteType: NoteType, given: GivenSections): string[] {
  const known = NOTE_TEMPLATES[noteType].sections.map(({ key }) => key)
  return given.flatMap(({ key }, index) => {
    if (!known.includes(key))
      return [`note.${index}.key must be one of the following values: ${known.join(', ')}`]
    return given.findIndex((one) => one.key === key) < index ? [`note.${index}.key must be unique`] : []
  })
}

/** Evidence is ours and cannot be sent: it stays with the sentences that stayed, and is found for the others. */
function mergeSections(
  noteType: NoteType,
  given: GivenSections,
  before: readonly NoteSection[],
): NoteSection[] {
  const titles = new Map(NOTE_TEMPLATES[noteType].sections.map(({ key, title }) => [key, title]))
  return given.map(({ key, title, content }) => {
    const evidence = before.find((section) => section.key === key)?.evidence ?? []
    return {
      key,
      title: title ?? titles.get(key) ?? key,
      content,
      evidence: evidence.filter(({ sentence }) => content.includes(sentence)),
    }
  })
}
