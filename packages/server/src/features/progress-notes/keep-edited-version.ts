import { type NoteSection, type NoteTemplate, type ReviewItem } from '@casenote/contract'
import { templateFor } from '../../engines/writer/templates/built-in-templates.js'
import { enqueueStep } from '../../jobs/enqueue-step.js'
import { afterNote } from '../../jobs/next-step.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId } from '../../kernel/ids.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import { applyNoteAction } from './apply-note-action.js'
import { getNote } from './get-note.js'
import { reviewPlace, versionPlace } from './note-content.js'
import { sealGoals, type NoteGoal } from './note-goals.js'
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
  /** With the links of these sections. */
  goals: readonly NoteGoal[]
  template: NoteTemplate
  operation: 'progressNote.change' | 'progressNote.restore'
}

/** A new version by the clinician's hand, of a note that the transaction has locked and that may be changed. */
export async function keepEditedVersion(
  tx: Tx,
  context: ChangeContext,
  note: NoteRow,
  { sections, review, goals, template, operation }: EditedVersion,
): Promise<NoteRow> {
  const { noteId } = note
  requireRoomForVersion(note)
  const version = Math.max(note.version, note.versionsGone) + 1
  const ring = context.ring.forClient(note.clientId)
  if (!(await raiseVersion(tx, context, note))) throw new Error('a note that is free could not be changed')
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
      sealedGoals: sealGoals(ring, { noteId, version, goals }),
      madeBy: null,
      template,
    }),
  )
  await recordNoteChange(tx, context, operation, note)
  return getNote(tx, noteId)
}

/** The first text since the others were struck ends that there is none, too. */
async function raiseVersion(tx: Tx, context: ChangeContext, note: NoteRow): Promise<boolean> {
  const { noteId, progressNoteId, version } = note
  if (note.isEmptied) {
    // What else is made of the session went with the strike, too, and may have been given up for as long as an engine was away.
    await enqueueStep(tx, afterNote(note.noteType), note.sessionId)
    return applyNoteAction(tx, context, note, 'writeByHand', {
      generationId: null,
      progressNoteId,
      addedVersions: 1,
    })
  }
  return (await tx.run(updateNoteVersion(tx.tenant, noteId, version + 1))).length > 0
}
