import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { applyNoteAction } from './apply-note-action.js'
import { getLockedNote, getNote } from './get-note.js'
import { requireIdle, requireWritten } from './note-lifecycle.js'
import type { NoteRow } from './progress-notes.sql.js'
import { recordNoteChange } from './record-note-change.js'
import { toSigner } from './to-signer.js'

/** Locks the note for good. Already finalized: nothing happens, and no second event. `settle`: what goes with it, or stops it. */
export async function finalizeNote(
  tx: Tx,
  context: ChangeContext,
  noteId: string,
  settle: () => Promise<void>,
): Promise<NoteRow> {
  const note = await getLockedNote(tx, noteId)
  if (note.status === 'finalized') return note
  requireIdle(note)
  requireWritten(note)
  await settle()
  const { progressNoteId } = note
  const signer = toSigner(context.actor)
  const change = { generationId: null, progressNoteId, addedVersions: 0, signer } as const
  if (!(await applyNoteAction(tx, context, note, 'finalize', change))) {
    throw new Error('a note that is free could not be finalized')
  }
  await recordNoteChange(tx, context, 'progressNote.finalize', note)
  return getNote(tx, noteId)
}
