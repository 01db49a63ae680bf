import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { GenerationId, NoteId, ProgressNoteId, SessionId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { applyNoteAction } from './apply-note-action.js'
import { abandonNote } from './fail-generation.js'
import { getLockedNote, getNote } from './get-note.js'
import { isAwaiting } from './note-lifecycle.js'
import { selectNoteIds, selectNoteOfSession } from './progress-notes.sql.js'
import { recordNoteChange } from './record-note-change.js'

export interface WithdrawnNote {
  noteId: NoteId
  /** All that it ever had, newest first: partners keep notes under any of them. */
  progressNoteIds: ProgressNoteId[]
  /** What was being written then. */
  generationId: GenerationId | null
}

/**
 * With its session, which was recorded under the wrong client: under all of its ids it says nothing from now on. What it
 * said stays in its versions, for the clinician who wrote it.
 */
export async function withdrawNote(
  tx: Tx,
  context: ChangeContext,
  sessionId: SessionId,
): Promise<WithdrawnNote> {
  const [found] = await tx.run(selectNoteOfSession(tx.tenant, sessionId))
  // Its draft was erased, or went by age.
  if (found === undefined) throw refuse.conflict('note_not_generated', 'Progress note has not been generated')
  const { noteId } = found
  const locked = await getLockedNote(tx, noteId)
  if (locked.status === 'finalized' || isAwaiting(locked)) {
    throw refuse.forbidden('note_finalized', 'Progress note is locked')
  }
  await abandonNote(tx, context, sessionId)
  const note = await getNote(tx, noteId)
  const { progressNoteId } = note
  const change = { generationId: null, progressNoteId, addedVersions: 0 } as const
  if (!(await applyNoteAction(tx, context, note, 'withdraw', change))) {
    throw new Error('a note that is locked for it could not be withdrawn')
  }
  await recordNoteChange(tx, context, 'progressNote.withdraw', note)
  const ids = await tx.run(selectNoteIds(tx.tenant, noteId))
  const { activeGenerationId: generationId } = locked
  return { noteId, progressNoteIds: ids.map((id) => id.progressNoteId), generationId }
}
