import type { NoteSection, NoteTemplate, ReviewItem } from '@casenote/contract'
import { templateFor } from '../../engines/writer/templates/built-in-templates.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId } from '../../kernel/ids.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import { getNote } from './get-note.js'
import { reviewPlace, versionPlace } from './note-content.js'
import { keepLinks, readGoals, sealGoals } from './note-goals.js'
import { requireRoomForVersion } from './note-lifecycle.js'
import {
  insertNoteVersion,
  updateNoteVersion,
  updateTemplateOfNote,
  type NoteRow,
} from './progress-notes.sql.js'
import { recordNoteChange } from './record-note-change.js'

export interface EditedVersion {
  sections: readonly NoteSection[]
  review: readonly ReviewItem[]
  template: NoteTemplate
  operation: 'progressNote.change' | 'progressNote.restore'
  /** Its other versions are gone: there is room, whatever number it has. */
  isAlone?: boolean
}

/** A new version by the clinician's hand, of a note that the transaction has locked and that may be changed. */
export async function keepEditedVersion(
  tx: Tx,
  context: ChangeContext,
  note: NoteRow,
  { sections, review, template, operation, isAlone = false }: EditedVersion,
): Promise<NoteRow> {
  const { noteId } = note
  if (!isAlone) requireRoomForVersion(note)
  const version = note.version + 1
  const ring = context.ring.forClient(note.clientId)
  if ((await tx.run(updateNoteVersion(tx.tenant, noteId, version))).length === 0) {
    throw new Error('a note that is free could not be changed')
  }
  const { id, version: templateVersion } = template
  const now = templateFor(note)
  if (id !== now.id || templateVersion !== now.version)
    await tx.run(updateTemplateOfNote(tx.tenant, note.sessionId, template))
  await tx.run(
    insertNoteVersion(tx.tenant, {
      noteId,
      version,
      versionId: newId(),
      progressNoteId: note.progressNoteId,
      origin: 'edit',
      generationId: null,
      sealedSections: sealJson(ring, versionPlace(noteId, version), sections),
      sealedReview: sealJson(ring, reviewPlace(noteId, version), review),
      sealedGoals: sealGoals(ring, {
        noteId,
        version,
        goals: keepLinks(readGoals(ring, note), sections),
      }),
      madeBy: null,
      template,
    }),
  )
  await recordNoteChange(tx, context, operation, note)
  return getNote(tx, noteId)
}
