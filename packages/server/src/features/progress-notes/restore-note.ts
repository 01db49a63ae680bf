import type { NoteSection, NoteType, TranscriptItem } from '@casenote/contract'
import { recheckSection } from '../../engines/writer/check-evidence.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { sealJson, unsealJson } from '../../kernel/secrets/sealed-json.js'
import { getLockedNote, getNote } from './get-note.js'
import { versionPlace } from './note-content.js'
import { requireUnlocked, requireWritten } from './note-lifecycle.js'
import {
  insertNoteVersion,
  selectNoteVersion,
  updateNoteVersion,
  updateTypeOfNote,
  type NoteRow,
} from './progress-notes.sql.js'
import { recordNoteChange } from './record-note-change.js'

/**
 * The note is again what an earlier version was, as a new version by the clinician's hand: nothing that was written is
 * lost, and like any edit it sends no event.
 */
export async function restoreNote(
  tx: Tx,
  context: ChangeContext,
  noteId: string,
  { version, transcript }: { version: number; transcript: readonly TranscriptItem[] | null },
): Promise<NoteRow> {
  const { ring } = context
  const note = await getLockedNote(tx, noteId)
  requireUnlocked(note)
  requireWritten(note)
  const [old] = await tx.run<{ sealedSections: Buffer; noteType: NoteType | null }>(
    selectNoteVersion(tx.tenant, noteId, version),
  )
  if (old === undefined) throw refuse.invalid(['version must be a version of the note'])
  const noteType = old.noteType ?? note.noteType
  // Speakers may have been corrected since; evidence is judged by the transcript as it is now.
  const sections = unsealJson<NoteSection[]>(ring, versionPlace(noteId, version), old.sealedSections).map(
    (section) => (transcript === null ? section : recheckSection(section, transcript)),
  )
  const next = note.version + 1
  if ((await tx.run(updateNoteVersion(tx.tenant, noteId, next))).length === 0) {
    throw new Error('a note that is free could not be changed')
  }
  if (noteType !== note.noteType) await tx.run(updateTypeOfNote(tx.tenant, note.sessionId, noteType))
  await tx.run(
    insertNoteVersion(tx.tenant, {
      noteId,
      version: next,
      versionId: newId(),
      progressNoteId: note.progressNoteId,
      origin: 'edit',
      generationId: null,
      sealedSections: sealJson(ring, versionPlace(noteId, next), sections),
      madeBy: null,
      noteType,
    }),
  )
  await recordNoteChange(tx, context, 'progressNote.restore', note)
  return getNote(tx, noteId)
}
