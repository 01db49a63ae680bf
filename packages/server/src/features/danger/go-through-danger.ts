import type { Database } from '../../kernel/db/database.js'
import type { AssignmentId, ClientId, DangerItemId, ProgressNoteId, SessionId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { unsealItem, unsealLeftReason, unsealReason } from './danger-item.js'
import { selectItemsOfClient, selectLeftOpen, type ExportedItemRow, type LeftOpenRow } from './danger.sql.js'

/** One item as it stands, for whoever is given all that is kept about them. */
export interface ExportedDanger {
  id: DangerItemId
  sessionId: SessionId | null
  assignmentId: AssignmentId | null
  label: string
  question: string | null
  words: string
  at: string
  status: ExportedItemRow['status']
  endedAt: string | null
  closedById: string | null
  reason: string | null
  /** Notes that were signed beside it, and why. */
  leftOpen: { progressNoteId: ProgressNoteId; at: string; reason: string | null }[]
}

/** Some hundred kilobytes. */
const pageMax = 100

/** Every item of a client, oldest first, a page at a time. */
export async function* goThroughDanger(
  db: Database,
  ring: TenantKeyRing,
  clientId: ClientId,
): AsyncGenerator<ExportedDanger> {
  const tenant: TenantScope = { tenantId: ring.tenantId }
  let after = 0
  let rows: ExportedItemRow[]
  do {
    const statement = selectItemsOfClient(tenant, { clientId, after, most: pageMax })
    rows = await db.read(tenant, statement)
    const itemIds = rows.map(({ itemId }) => itemId)
    const left = await db.read(tenant, selectLeftOpen(tenant, clientId, itemIds))
    for (const row of rows)
      yield describe(
        ring,
        row,
        left.filter(({ itemId }) => itemId === row.itemId),
      )
    after = rows.at(-1)?.seq ?? after
  } while (rows.length === pageMax)
}

function describe(
  ring: TenantKeyRing,
  row: ExportedItemRow,
  leftOpen: readonly LeftOpenRow[],
): ExportedDanger {
  const { label, question, words } = unsealItem(ring, row)
  return {
    id: row.itemId,
    sessionId: row.sessionId,
    assignmentId: row.assignmentId,
    label,
    question,
    words,
    at: row.occurredAt.toISOString(),
    status: row.status,
    endedAt: row.endedAt?.toISOString() ?? null,
    closedById: row.closedById,
    reason: row.sealedReason === null ? null : unsealReason(ring, row.itemId, row.sealedReason),
    leftOpen: leftOpen.map((left) => ({
      progressNoteId: left.progressNoteId,
      at: left.leftAt.toISOString(),
      reason: left.sealedReason === null ? null : unsealLeftReason(ring, left, left.sealedReason),
    })),
  }
}
