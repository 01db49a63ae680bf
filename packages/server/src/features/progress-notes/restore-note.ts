import type { NoteSection, NoteType, TranscriptItem } from '@casenote/contract'
import type { NoteChecker } from '../../engines/writer/note-checker.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Database } from '../../kernel/db/database.js'
import { refuse } from '../../kernel/refuse.js'
import { unsealJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { readPreferences } from './describe-note.js'
import { getLockedNote } from './get-note.js'
import { keepEditedVersion } from './keep-edited-version.js'
import { versionPlace } from './note-content.js'
import { requireUnlocked, requireWritten } from './note-lifecycle.js'
import { selectNoteVersion, type NoteRow } from './progress-notes.sql.js'

interface OldVersionRow {
  sealedSections: Buffer
  noteType: NoteType | null
}

/**
 * The note is again what an earlier version was, as a new version by the clinician's hand: nothing that was written is
 * lost, and like any edit it sends no event. Speakers may have been corrected since: evidence is judged by the transcript
 * as it is now, in a thread and before the note is locked; versions never change, so nothing can overtake that.
 */
export async function restoreNote(
  { db, checker }: { db: Database; checker: NoteChecker },
  tenant: TenantScope,
  context: ChangeContext,
  note: NoteRow,
  { version, transcript }: { version: number; transcript: readonly TranscriptItem[] | null },
): Promise<NoteRow> {
  const { ring } = context
  const { noteId } = note
  const [old] = (await db.read(tenant, selectNoteVersion(tenant, noteId, version))) as OldVersionRow[]
  if (old === undefined) {
    requireUnlocked(note)
    throw refuse.invalid(['version must be a version of the note'])
  }
  const written = unsealJson<NoteSection[]>(ring, versionPlace(noteId, version), old.sealedSections)
  const given = readPreferences(ring, note).treatmentApproaches
  const sections =
    transcript === null ? written : await checker.recheck({ sections: written, transcript, given })
  return db.write(tenant, async (tx) => {
    const locked = await getLockedNote(tx, noteId)
    requireUnlocked(locked)
    requireWritten(locked)
    const noteType = old.noteType ?? locked.noteType
    return keepEditedVersion(tx, context, locked, { sections, noteType, operation: 'progressNote.restore' })
  })
}
