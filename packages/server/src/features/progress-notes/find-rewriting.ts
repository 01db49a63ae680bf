import { setImmediate as nextTurn } from 'node:timers/promises'
import { NOTE_TEMPLATES, type NoteRewriting, type NoteSection, type NoteType } from '@casenote/contract'
import type { NoteChecker, PackedTalk } from '../../engines/checker/note-checker.js'
import type { Database } from '../../kernel/db/database.js'
import { unsealLongJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { isAwaiting } from './note-lifecycle.js'
import { isWritten } from './sign-note.js'
import { versionPlace } from './note-content.js'
import { selectOpenRewriting, type OpenRewritingRow } from './note-generations.sql.js'
import { selectNoteVersion, type NoteRow } from './progress-notes.sql.js'

interface VersionRow {
  sealedSections: Buffer
  noteType: NoteType | null
}

/**
 * What magic edits and writing again made of the note since the clinician last said that its text stays, with what left the note
 * by it. Null: nothing waits for that, or the note is locked or being written.
 */
export async function findRewriting(
  { db, checker }: { db: Database; checker: NoteChecker },
  ring: TenantKeyRing,
  note: NoteRow,
  talk: PackedTalk | null,
): Promise<NoteRewriting | null> {
  if (!isWritten(note) || note.status === 'finalized' || isAwaiting(note)) return null
  const tenant = { tenantId: ring.tenantId }
  const [row] = (await db.read(tenant, selectOpenRewriting(tenant, note.noteId))) as OpenRewritingRow[]
  if (row === undefined) return null
  const [before, after] = [
    await readVersion(db, ring, note, row.versionBefore),
    await readVersion(db, ring, note, note.version),
  ]
  const sections = listChanged(after.noteType, before.sections, after.sections)
  if (sections.length === 0) return null
  await nextTurn()
  const gone = await checker.findGone(
    { before: before.sections, after: after.sections, talk },
    tenant.tenantId,
  )
  return { ...row, isOtherType: before.noteType !== after.noteType, sections, gone }
}

async function readVersion(
  db: Database,
  ring: TenantKeyRing,
  { noteId, noteType }: NoteRow,
  version: number,
): Promise<{ sections: NoteSection[]; noteType: NoteType }> {
  const tenant = { tenantId: ring.tenantId }
  const [row] = (await db.read(tenant, selectNoteVersion(tenant, noteId, version))) as VersionRow[]
  if (row === undefined) throw new Error('a note lacks a version')
  const sections = await unsealLongJson<NoteSection[]>(
    ring,
    versionPlace(noteId, version),
    row.sealedSections,
  )
  return { sections, noteType: row.noteType ?? noteType }
}

function listChanged(
  noteType: NoteType,
  before: readonly NoteSection[],
  after: readonly NoteSection[],
): NoteRewriting['sections'] {
  const old = new Map(before.map((section) => [section.key, section]))
  const now = new Map(after.map((section) => [section.key, section]))
  const keys = new Set([
    ...NOTE_TEMPLATES[noteType].sections.map(({ key }) => key),
    ...old.keys(),
    ...now.keys(),
  ])
  return [...keys].flatMap((key) => {
    const [was, is] = [old.get(key), now.get(key)]
    if (was?.content === is?.content) return []
    const title = is?.title ?? was?.title ?? key
    return [{ key, title, before: was?.content ?? null, after: is?.content ?? null }]
  })
}
