import { setImmediate as nextTurn } from 'node:timers/promises'
import { pageOf, type NoteVersion, type Page } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import { unsealJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { asJudged } from './as-judged.js'
import { versionPlace } from './note-content.js'
import { countNoteVersions, selectNoteVersions, type NoteVersionRow } from './progress-notes.sql.js'

export async function listVersions(
  db: Database,
  ring: TenantKeyRing,
  { noteId, page }: { noteId: string; page: number },
): Promise<Page<NoteVersion>> {
  const tenant = { tenantId: ring.tenantId }
  const [rows, [count]] = (await db.read(
    tenant,
    selectNoteVersions(tenant, noteId, page),
    countNoteVersions(tenant, noteId),
  )) as [NoteVersionRow[], { total: number }[]]
  const versions: NoteVersion[] = []
  for (const row of rows) {
    versions.push({
      id: row.versionId,
      version: row.version,
      progressNoteId: row.progressNoteId,
      origin: row.origin,
      note: asJudged(unsealJson(ring, versionPlace(noteId, row.version), row.sealedSections)),
      createdAt: row.createdAt.toISOString(),
    })
    // A page of the longest notes has ten megabytes: other requests come in between.
    await nextTurn()
  }
  return pageOf(versions, count?.total ?? 0, page)
}
