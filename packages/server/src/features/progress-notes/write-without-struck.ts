import { templateFor } from '../../engines/writer/templates/built-in-templates.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { readSections } from './describe-note.js'
import { getLockedNote } from './get-note.js'
import { keepEditedVersion } from './keep-edited-version.js'
import { selectNoteOfSession, type NoteRow } from './progress-notes.sql.js'
import { regenerateNote } from './request-generation.js'

/** Null: its draft was erased, or went by age. */
export async function findLockedNoteOfSession(tx: Tx, sessionId: SessionId): Promise<NoteRow | null> {
  const [found] = await tx.run(selectNoteOfSession(tx.tenant, sessionId))
  return found === undefined ? null : getLockedNote(tx, found.noteId)
}

/**
 * All its texts are gone, since a stretch was struck on which they may rest: it is empty, and written anew from what is left. `note` as it was
 * before, and held. Where no text was ever written, the first is tried again.
 */
export async function writeWithoutStruck(tx: Tx, context: ChangeContext, note: NoteRow): Promise<void> {
  if (note.version > 0) {
    const sections = readSections(context.ring, note).map((section) => ({
      ...section,
      content: '',
      evidence: [],
    }))
    const template = templateFor(note)
    await keepEditedVersion(tx, context, note, {
      sections,
      review: [],
      template,
      operation: 'progressNote.change',
      isAlone: true,
    })
  }
  await regenerateNote(tx, context, note.noteId, null, { isAlone: true })
}
