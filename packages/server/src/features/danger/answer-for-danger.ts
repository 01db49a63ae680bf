import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClientId, ClinicianId, DangerItemId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { sealReason } from './danger-item.js'
import { closeItem, insertSightings, lockItemsOfClient } from './danger.sql.js'

interface Named {
  clientId: ClientId
  clinicianId: ClinicianId
  itemIds: readonly DangerItemId[]
}

/** "Seen by me": kept the first time, and closes nothing. */
export async function seeDanger(
  tx: Tx,
  { clientId, clinicianId, itemIds }: Named,
  source: ChangeSource,
): Promise<void> {
  await lockItems(tx, clientId, itemIds)
  const seen = await tx.run(insertSightings(tx.tenant, clinicianId, [...new Set(itemIds)]))
  if (seen.length === 0) return
  await record(tx, source, 'danger.see', clientId, seen)
}

/** Closes with a word why. What somebody else closed, or a note holds by now, stays as it is. */
export async function closeDanger(
  tx: Tx,
  ring: TenantKeyRing,
  { clientId, clinicianId, itemIds, reason }: Named & { reason: string },
  source: ChangeSource,
): Promise<void> {
  const open = (await lockItems(tx, clientId, itemIds)).filter(({ isOpen }) => isOpen)
  for (const { itemId } of open) {
    const sealedReason = sealReason(ring.forClient(clientId), itemId, reason)
    await tx.run(closeItem(tx.tenant, { itemId, clinicianId, sealedReason }))
  }
  if (open.length > 0) await record(tx, source, 'danger.close', clientId, open)
}

/** Locks the items that somebody answers for. An item of another client's is one that does not exist. */
async function lockItems(
  tx: Tx,
  clientId: ClientId,
  itemIds: readonly DangerItemId[],
): Promise<{ itemId: DangerItemId; isOpen: boolean }[]> {
  const rows = await tx.run(lockItemsOfClient(tx.tenant, clientId, itemIds))
  if (rows.length !== new Set(itemIds).size) throw refuse.notFound()
  return rows
}

const record = (
  tx: Tx,
  { actor, requestId }: ChangeSource,
  operation: string,
  clientId: ClientId,
  items: readonly { itemId: DangerItemId }[],
): Promise<void> =>
  recordChange(tx, {
    operation,
    actor,
    requestId,
    subjects: [clientId, ...items.map(({ itemId }) => itemId)],
  })
