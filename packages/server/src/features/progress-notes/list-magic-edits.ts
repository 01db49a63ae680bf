import { pageOf, type MagicEdit, type Page, type AskedPage } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { ClinicianId, NoteId } from '../../kernel/ids.js'
import { unsealJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { failurePlace, instructionsPlace } from './note-content.js'
import {
  countMagicEdits,
  countMagicEditsOfNote,
  selectMagicEdits,
  selectMagicEditsOfNote,
  type MagicEditRow,
} from './note-generations.sql.js'

/** The magic edits of a clinician's sessions. */
export async function listMagicEdits(
  db: Database,
  ring: TenantKeyRing,
  { clinicianId, page }: { clinicianId: ClinicianId; page: AskedPage },
): Promise<Page<MagicEdit>> {
  const tenant = { tenantId: ring.tenantId }
  const [rows, [count]] = await db.read(
    tenant,
    selectMagicEdits(tenant, clinicianId, page),
    countMagicEdits(tenant, clinicianId),
  )
  return pageOf(
    rows.map((row) => toMagicEdit(ring, row)),
    count?.total ?? 0,
    page,
  )
}

/** The magic edits of one note, newest first. */
export async function listMagicEditsOfNote(
  db: Database,
  ring: TenantKeyRing,
  { noteId, page }: { noteId: NoteId; page: AskedPage },
): Promise<Page<MagicEdit>> {
  const tenant = { tenantId: ring.tenantId }
  const [rows, [count]] = await db.read(
    tenant,
    selectMagicEditsOfNote(tenant, noteId, page),
    countMagicEditsOfNote(tenant, noteId),
  )
  return pageOf(
    rows.map((row) => toMagicEdit(ring, row)),
    count?.total ?? 0,
    page,
  )
}

const toMagicEdit = (ring: TenantKeyRing, row: MagicEditRow): MagicEdit => ({
  id: row.generationId,
  progressNoteId: row.progressNoteId,
  sessionId: row.sessionId,
  clientId: row.clientId,
  clinicianId: row.clinicianId,
  userInstructions: unsealJson(ring, instructionsPlace(row.generationId), row.sealedInstructions),
  status: row.status,
  failureReason:
    row.sealedFailure === null ? null : unsealJson(ring, failurePlace(row.generationId), row.sealedFailure),
  createdAt: row.createdAt.toISOString(),
  completedAt: row.endedAt?.toISOString() ?? null,
})
