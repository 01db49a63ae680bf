import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { applyNoteAction } from './apply-note-action.js'
import { abandonNote } from './fail-generation.js'
import { getLockedNote, getNote } from './get-note.js'
import { selectNoteOfSession, type NoteRow } from './progress-notes.sql.js'
import { writeAnew } from './request-generation.js'

/** Null: its draft was erased, or went by age. */
export async function findLockedNoteOfSession(tx: Tx, sessionId: SessionId): Promise<NoteRow | null> {
  const [found] = await tx.run(selectNoteOfSession(tx.tenant, sessionId))
  return found === undefined ? null : getLockedNote(tx, found.noteId)
}

/**
 * All its texts are gone, since a stretch was struck on which they may rest: it is written anew from what is left, and until that has gone well there
 * is nothing to sign. `note` as it was before, and locked. Of a session that has failed nothing is written any more.
 */
export async function writeWithoutStruck(
  tx: Tx,
  context: ChangeContext,
  { noteId, progressNoteId, sessionId }: NoteRow,
  { isSessionOver }: { isSessionOver: boolean },
): Promise<void> {
  const note = await getNote(tx, noteId)
  const change = { generationId: null, progressNoteId, addedVersions: 0 } as const
  if (!(await applyNoteAction(tx, context, note, 'strike', change)))
    throw new Error('a note that is free could not be struck')
  if (isSessionOver) await abandonNote(tx, context, sessionId)
  else await writeAnew(tx, context, note)
}
