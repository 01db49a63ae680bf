import { NOTE_TEMPLATES, type NoteSection, type NoteType } from '@casenote/contract'
import type { NoteChecker, PackedTalk } from '../../engines/checker/note-checker.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Database } from '../../kernel/db/database.js'
import { refuse } from '../../kernel/refuse.js'
import { unsealLongJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { asJudged } from './as-judged.js'
import { changedMeanwhile, recheckNote } from './change-note.js'
import { readSections } from './describe-note.js'
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
  {
    version,
    sectionKeys,
    talk,
  }: { version: number; sectionKeys: readonly string[] | null; talk: PackedTalk | null },
): Promise<NoteRow> {
  const { ring } = context
  const { noteId } = note
  const [old] = (await db.read(tenant, selectNoteVersion(tenant, noteId, version))) as OldVersionRow[]
  if (old === undefined) {
    requireUnlocked(note)
    throw refuse.invalid(['version must be a version of the note'])
  }
  const noteType = old.noteType ?? note.noteType
  if (sectionKeys !== null && noteType !== note.noteType)
    throw refuse.invalid(['version must have the note type that the note has now'])
  const whole = await unsealLongJson<NoteSection[]>(ring, versionPlace(noteId, version), old.sealedSections)
  const written =
    sectionKeys === null ? whole : putBack(note.noteType, whole, readSections(ring, note), sectionKeys)
  const checked = await recheckNote(checker, tenant.tenantId, {
    noteType,
    sections: asJudged(written),
    talk,
  })
  return db.write(tenant, async (tx) => {
    const locked = await getLockedNote(tx, noteId)
    requireUnlocked(locked)
    requireWritten(locked)
    // The other sections are those that were read: what somebody typed meanwhile stays.
    if (sectionKeys !== null && locked.version !== note.version) throw changedMeanwhile()
    return keepEditedVersion(tx, context, locked, { ...checked, noteType, operation: 'progressNote.restore' })
  })
}

/** Some sections as they were: one that was not there goes, one that is gone comes back to its place. */
function putBack(
  noteType: NoteType,
  old: readonly NoteSection[],
  now: readonly NoteSection[],
  sectionKeys: readonly string[],
): NoteSection[] {
  const wanted = new Set(sectionKeys)
  const merged = [...now.filter(({ key }) => !wanted.has(key)), ...old.filter(({ key }) => wanted.has(key))]
  const order = NOTE_TEMPLATES[noteType].sections.map(({ key }) => key)
  return merged.toSorted((one, other) => order.indexOf(one.key) - order.indexOf(other.key))
}
