import { setImmediate as nextTurn } from 'node:timers/promises'
import type { NoteRewriting, NoteSection, NoteTemplate, NoteType } from '@casenote/contract'
import type { NoteChecker } from '../../engines/checker/note-checker.js'
import type { PackedTalk } from '../../engines/checker/checker-requests.js'
import { templateFor } from '../../engines/writer/templates/built-in-templates.js'
import { listKeys } from '../../engines/writer/templates/note-template.js'
import type { Database } from '../../kernel/db/database.js'
import { unsealLongJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { isAwaiting } from './note-lifecycle.js'
import { isWritten } from './to-danger-note.js'
import { versionPlace } from './note-content.js'
import { selectOpenRewriting, type OpenRewritingRow } from './note-generations.sql.js'
import { selectNoteVersion, type NoteRow } from './progress-notes.sql.js'

/**
 * What magic edits and writing again made of the note since the clinician last said that its text stays, with what left the note
 * since then. Null: nothing waits for that, or the note is locked or being written.
 */
export async function findRewriting(
  { db, checker }: { db: Database; checker: NoteChecker },
  ring: TenantKeyRing,
  note: NoteRow,
  talk: PackedTalk | null,
): Promise<NoteRewriting | null> {
  if (!isWritten(note) || note.status === 'finalized' || isAwaiting(note)) return null
  const after = await readVersion(db, ring, note, note.version)
  const open = await findRewritten(db, ring, note, after)
  if (open === null || open.sections.length === 0) return null
  await nextTurn()
  const { generationId, kind, versionBefore, before, sections } = open
  const gone = await checker.findGone({ before: before.sections, after: after.sections, talk }, ring.tenantId)
  const isOtherType = before.noteType !== after.noteType
  return { generationId, kind, versionBefore, isOtherType, sections, gone }
}

interface NoteText {
  sections: readonly NoteSection[]
  noteType: NoteType
}

/**
 * The open rewriting, and which of the sections that it changed are still others than before it in such a text. What only
 * the clinician's hand has changed since is not the rewriting's.
 */
export async function findRewritten(
  db: Database,
  ring: TenantKeyRing,
  note: NoteRow,
  now: NoteText,
): Promise<(OpenRewritingRow & { before: NoteText; sections: NoteRewriting['sections'] }) | null> {
  const tenant = { tenantId: ring.tenantId }
  const [row] = await db.read(tenant, selectOpenRewriting(tenant, note.noteId))
  if (row === undefined) return null
  const template = templateFor(note)
  const before = await readVersion(db, ring, note, row.versionBefore)
  const written = await readVersion(db, ring, note, row.versionWritten)
  const touched = new Set(listChanged(template, before.sections, written.sections).map(({ key }) => key))
  const changed = listChanged(template, before.sections, now.sections)
  return { ...row, before, sections: changed.filter(({ key }) => touched.has(key)) }
}

async function readVersion(
  db: Database,
  ring: TenantKeyRing,
  { noteId, noteType }: NoteRow,
  version: number,
): Promise<NoteText> {
  const tenant = { tenantId: ring.tenantId }
  const [row] = await db.read(tenant, selectNoteVersion(tenant, noteId, version))
  if (row === undefined) throw new Error('a note lacks a version')
  const sections = await unsealLongJson(ring, versionPlace(noteId, version), row.sealedSections)
  return { sections, noteType: row.noteType ?? noteType }
}

function listChanged(
  template: NoteTemplate,
  before: readonly NoteSection[],
  after: readonly NoteSection[],
): NoteRewriting['sections'] {
  const old = new Map(before.map((section) => [section.key, section]))
  const now = new Map(after.map((section) => [section.key, section]))
  const keys = new Set([...listKeys(template), ...old.keys(), ...now.keys()])
  return [...keys].flatMap((key) => {
    const [was, is] = [old.get(key), now.get(key)]
    if (was?.content === is?.content) return []
    const title = is?.title ?? was?.title ?? key
    return [{ key, title, before: was?.content ?? null, after: is?.content ?? null }]
  })
}
