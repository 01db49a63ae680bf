import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { tryEach, type PassOptions } from '../../kernel/try-each.js'
import { isLockedElsewhere } from './locked-elsewhere.js'
import {
  expireRows,
  listExpired,
  listRetainingTenants,
  selectRetention,
  upsertRetention,
  type ExpiredRow,
  type Retention,
} from './retention.sql.js'

/** What expires of one tenant in one pass; the next pass is a few minutes later. */
const expiredMost = 500

export const keptForGood: Retention = {
  recordingDays: null,
  transcriptDays: null,
  draftDays: null,
  eventDays: null,
}

/** What is not named stays as it is. */
export async function setRetention(
  tx: Tx,
  source: ChangeSource,
  wanted: Partial<Retention>,
): Promise<Retention> {
  const [known] = await tx.run(selectRetention(tx.tenant))
  const days = { ...keptForGood, ...known, ...wanted }
  await tx.run(upsertRetention(tx.tenant, days))
  await recordChange(tx, { ...source, operation: 'partner.setRetention', subjects: [tx.tenant.tenantId] })
  return days
}

/**
 * Transcripts and drafts that are past their tenant's days. Neither list nor receipt: a backup that brings one back brings one that is
 * due at once. Each with its own entry in the audit log, in the transaction that deletes it; what cannot be deleted delays nothing behind
 * it.
 */
export async function expireOld(db: Database, options: PassOptions = {}): Promise<number> {
  let expired = 0
  const expireOf = async (tenant: TenantScope): Promise<void> => {
    const rows = await db.read(tenant, listExpired(tenant, expiredMost))
    const expire = async (row: ExpiredRow): Promise<void> => {
      if (await expireUnlocked(db, tenant, row)) expired += 1
    }
    await tryEach(rows, expire, options)
  }
  await tryEach(await db.throughDoor(listRetainingTenants()), expireOf, options)
  return expired
}

/** What a job is just writing to is left to the next pass. */
async function expireUnlocked(db: Database, tenant: TenantScope, row: ExpiredRow): Promise<boolean> {
  try {
    return await db.write(tenant, (tx) => expireOne(tx, row))
  } catch (error) {
    if (isLockedElsewhere(error)) return false
    throw error
  }
}

async function expireOne(tx: Tx, row: ExpiredRow): Promise<boolean> {
  const [gone] = await tx.run(expireRows(tx.tenant, row))
  const clientId = gone?.clientId ?? null
  if (clientId === null) return false
  const actor = { kind: 'system', id: null } as const
  const subjects = [row.subjectId, clientId]
  await recordChange(tx, { operation: `${row.kind}.expire`, actor, requestId: null, subjects })
  return true
}
