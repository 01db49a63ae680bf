import type { NoteSection, NoteType } from '@casenote/contract'
import type { NoteChecker, PackedTalk } from '../../engines/checker/note-checker.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Database } from '../../kernel/db/database.js'
import { refuse } from '../../kernel/refuse.js'
import { unsealLongJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { asJudged } from './as-judged.js'
import { recheckNote } from './change-note.js'
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
  { version, talk }: { version: number; talk: PackedTalk | null },
): Promise<NoteRow> {
  const { ring } = context
  const { noteId } = note
  const [old] = (await db.read(tenant, selectNoteVersion(tenant, noteId, version))) as OldVersionRow[]
  if (old === undefined) {
    requireUnlocked(note)
    throw refuse.invalid(['version must be a version of the note'])
  }
  const written = await unsealLongJson<NoteSection[]>(ring, versionPlace(noteId, version), old.sealedSections)
  const checked = await recheckNote(checker, tenant.tenantId, {
    noteType: old.noteType ?? note.noteType,
    sections: asJudged(written),
    talk,
  })
  return db.write(tenant, async (tx) => {
    const locked = await getLockedNote(tx, noteId)
    requireUnlocked(locked)
    requireWritten(locked)
    const noteType = old.noteType ?? locked.noteType
    return keepEditedVersion(tx, context, locked, { ...checked, noteType, operation: 'progressNote.restore' })
  })
}
