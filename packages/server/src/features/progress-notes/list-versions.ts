import { setImmediate as nextTurn } from 'node:timers/promises'
import { pageOf, type NoteVersion, type Page, type AskedPage } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { NoteId } from '../../kernel/ids.js'
import { unsealLongJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { asJudged } from './as-judged.js'
import { versionPlace } from './note-content.js'
import { countNoteVersions, selectNoteVersions } from './progress-notes.sql.js'

export async function listVersions(
  db: Database,
  ring: TenantKeyRing,
  { noteId, page }: { noteId: NoteId; page: AskedPage },
): Promise<Page<NoteVersion>> {
  const tenant = { tenantId: ring.tenantId }
  const [rows, [count]] = await db.read(
    tenant,
    selectNoteVersions(tenant, noteId, page),
    countNoteVersions(tenant, noteId),
  )
  const versions: NoteVersion[] = []
  // A page of the longest notes has ten megabytes: other requests come in between.
  for (const row of rows) {
    const place = versionPlace(noteId, row.version)
    const sections = await unsealLongJson(ring, place, row.sealedSections)
    await nextTurn()
    versions.push({
      id: row.versionId,
      version: row.version,
      progressNoteId: row.progressNoteId,
      origin: row.origin,
      note: asJudged(sections),
      createdAt: row.createdAt.toISOString(),
    })
  }
  return pageOf(versions, count?.total ?? 0, page)
}
