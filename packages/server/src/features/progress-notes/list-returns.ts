import type { Database } from '../../kernel/db/database.js'
import type { ClinicianId, NoteId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { selectReturns } from './co-signatures.sql.js'
import { returnPlace } from './note-content.js'

interface NoteReturn {
  by: { clinicianId: ClinicianId; name: string }
  at: string
  reason: string
}

/** Each time that a note was given back, oldest first. */
export async function listReturns(db: Database, ring: TenantKeyRing, noteId: NoteId): Promise<NoteReturn[]> {
  const tenant = { tenantId: ring.tenantId }
  const rows = await db.read(tenant, selectReturns(tenant, noteId))
  return rows.map((row) => ({
    by: { clinicianId: row.returnedById, name: row.returnedByName },
    at: row.returnedAt.toISOString(),
    reason: ring.unseal(returnPlace(noteId, row.number), row.sealedReason).toString(),
  }))
}
