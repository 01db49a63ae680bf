import type { ClosedDanger, DangerItem, DangerStanding, OpenDanger } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { ClientId, ClinicianId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { unsealItem, unsealLeftReason, unsealReason } from './danger-item.js'
import {
  selectEndedOfClient,
  selectOpenOfClient,
  selectOpenOfClinician,
  type OpenItemRow,
} from './danger.sql.js'

/** More than fit on a screen: whoever has so many open begins with the newest. */
const openOfClinicianMost = 50
const endedMost = 20

/** The open danger of all clients whom the clinician treats. */
export async function listOpenDanger(
  db: Database,
  ring: TenantKeyRing,
  clinicianId: ClinicianId,
): Promise<OpenDanger> {
  const tenant = { tenantId: ring.tenantId }
  const statement = selectOpenOfClinician(tenant, clinicianId, openOfClinicianMost)
  return describeOpen(ring, await db.read(tenant, statement))
}

export async function listOpenDangerOfClient(
  db: Database,
  ring: TenantKeyRing,
  /** Whose sight of it is told; null: nobody's. */
  of: { clientId: ClientId; clinicianId: ClinicianId | null },
): Promise<OpenDanger> {
  const tenant: TenantScope = { tenantId: ring.tenantId }
  return describeOpen(ring, await db.read(tenant, selectOpenOfClient(tenant, of)))
}

/** What was closed and why, or went into a signed note; the newest. */
export async function listEndedDangerOfClient(
  db: Database,
  ring: TenantKeyRing,
  of: { clientId: ClientId; clinicianId: ClinicianId },
): Promise<ClosedDanger> {
  const tenant: TenantScope = { tenantId: ring.tenantId }
  const statement = selectEndedOfClient(tenant, { ...of, most: endedMost })
  const rows = await db.read(tenant, statement)
  const items = rows.map((row) => ({
    ...describeItem(ring, row, null),
    closedAt: row.endedAt.toISOString(),
    closedBy: row.closedBy,
    reason: row.sealedReason === null ? null : unsealReason(ring, row.itemId, row.sealedReason),
  }))
  return { items }
}

const describeOpen = (ring: TenantKeyRing, rows: readonly OpenItemRow[]): OpenDanger => ({
  items: rows.map((row) => describeItem(ring, row, null)),
  total: rows[0]?.total ?? 0,
})

export function describeItem(
  ring: TenantKeyRing,
  row: Omit<OpenItemRow, 'total'>,
  standing: DangerStanding | null,
): DangerItem {
  const { label, question, words, transcriptItems } = unsealItem(ring, row)
  return {
    id: row.itemId,
    client: { id: row.clientId, firstName: row.firstName, lastName: row.lastName },
    sessionId: row.sessionId,
    label,
    question,
    words,
    transcriptItems: [...transcriptItems],
    at: row.occurredAt.toISOString(),
    seenAt: row.seenAt?.toISOString() ?? null,
    leftOpen: describeLeft(ring, row),
    standing,
    isAnswered: false,
  }
}

function describeLeft(
  ring: TenantKeyRing,
  { itemId, leftNoteId: noteId, leftAt, sealedLeftReason }: Omit<OpenItemRow, 'total'>,
): DangerItem['leftOpen'] {
  if (noteId === null || leftAt === null) return null
  const reason =
    sealedLeftReason === null ? null : unsealLeftReason(ring, { noteId, itemId }, sealedLeftReason)
  return { at: leftAt.toISOString(), reason }
}
