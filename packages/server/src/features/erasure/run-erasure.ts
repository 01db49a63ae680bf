import { recordChange } from '../../kernel/audit/index.js'
import { deleteBlob, type BlobStore } from '../../kernel/blobs/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { ClientKeySource } from '../../kernel/secrets/client-key-source.js'
import type { TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import {
  eraseRows,
  finishErasure,
  selectErasure,
  selectNow,
  selectSessionsOfClient,
  type ErasureRow,
} from './erasure.sql.js'
import { signReceipt, type Receipt } from './receipt.js'

export interface ErasureParts {
  db: Database
  keys: TenantKeys
  clientKeys: ClientKeySource
  /** Null: the bytes of recordings stay, and so does the erasure under way. For a backup that is only looked at. */
  store: BlobStore | null
  /** What else must be sealed for its own client before this client's key goes. */
  freeOthers: (tenant: TenantScope, clientId: string) => Promise<void>
}

/** Sessions of one look: each is a transaction. */
const sessionsMost = 100

/** Somebody who goes on recording adds sessions behind us; the last step locks the client, and ends that. */
const looksMax = 1_000

/**
 * On the list, rows, bytes, key, receipt, in this order, each safe to do again: wherever it is killed, a second run ends the same. Null:
 * nothing more than the rows, for a store that must stay as it is.
 */
export async function runErasure(
  parts: ErasureParts,
  tenant: TenantScope,
  erasureId: string,
): Promise<Receipt | null> {
  const { db, keys, clientKeys, store } = parts
  const asked = await getErasure(db, tenant, erasureId)
  if (asked.receipt !== null) return JSON.parse(asked.receipt) as Receipt
  const { kind, subjectId, clientId, askedAt } = asked
  await clientKeys.list(db, {
    erasureId,
    tenantId: tenant.tenantId,
    kind,
    subjectId,
    clientId,
    askedAt: askedAt.toISOString(),
  })
  await deleteRows(db, tenant, asked)
  if (store === null) return null
  const row = await getErasure(db, tenant, erasureId)
  for (const blobId of row.blobIds) await deleteBlob({ db, store }, tenant, blobId, 'requested')
  if (kind === 'client') {
    await parts.freeOthers(tenant, clientId)
    await clientKeys.destroy(db, tenant.tenantId, clientId)
  }
  const ring = await keys.get(tenant)
  return db.write(tenant, async (tx) => {
    const [clock] = await tx.run<{ now: Date }>(selectNow())
    const doneAt = clock?.now ?? new Date()
    const receipt = signReceipt(ring, row, { doneAt, isKeyDestroyed: kind === 'client' })
    const [finished] = await tx.run(
      finishErasure(tenant, { erasureId, doneAt, receipt: JSON.stringify(receipt) }),
    )
    if (finished === undefined) return receipt
    const actor = { kind: 'system', id: null } as const
    const subjects = [...new Set([erasureId, subjectId, clientId, ...row.blobIds])]
    await recordChange(tx, { operation: 'erasure.finish', actor, requestId: null, subjects })
    return receipt
  })
}

async function deleteRows(db: Database, tenant: TenantScope, asked: ErasureRow): Promise<void> {
  const { erasureId, kind, subjectId } = asked
  if (kind === 'client') await deleteSessions(db, tenant, asked)
  await db.write(tenant, (tx) => tx.run(eraseRows(tenant, erasureId, kind, subjectId)))
}

/** One by one: a client of years has more rows than one transaction should hold. */
async function deleteSessions(
  db: Database,
  tenant: TenantScope,
  { erasureId, clientId }: ErasureRow,
): Promise<void> {
  for (let look = 0; look < looksMax; look += 1) {
    const sessions = (await db.read(tenant, selectSessionsOfClient(tenant, clientId, sessionsMost))) as {
      sessionId: string
    }[]
    if (sessions.length === 0) return
    for (const { sessionId } of sessions)
      await db.write(tenant, (tx) => tx.run(eraseRows(tenant, erasureId, 'session', sessionId)))
  }
}

async function getErasure(db: Database, tenant: TenantScope, erasureId: string): Promise<ErasureRow> {
  const [row] = (await db.read(tenant, selectErasure(tenant, erasureId))) as ErasureRow[]
  if (row === undefined) throw new Error('an erasure does not exist')
  return row
}
