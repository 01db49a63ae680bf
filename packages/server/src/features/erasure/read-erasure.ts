import type { Erasure } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import { isId, type ErasableId, type ErasureId } from '../../kernel/ids.js'
import type { ErasureKind } from '../../kernel/secrets/client-key-source.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectAsked, selectErasure, selectSubject, type ErasureRow } from './erasure.sql.js'

export async function findErasure(
  db: Database,
  tenant: TenantScope,
  erasureId: ErasureId,
): Promise<ErasureRow | null> {
  if (!isId(erasureId)) return null
  const [row] = await db.read(tenant, selectErasure(tenant, erasureId))
  return row ?? null
}

/** What a call to erase is about: what is there, or the erasure by which it went. */
export interface Erasable {
  kind: ErasureKind
  id: ErasableId
  /** Under way, or done and nothing is there again. Null: it was never asked for, or refused. */
  erasure: ErasureRow | null
}

/** Null: neither is there. */
export async function findErasable(
  db: Database,
  tenant: TenantScope,
  kind: ErasureKind,
  id: ErasableId,
): Promise<Erasable | null> {
  if (!isId(id)) return null
  const [subjects, asked] = await db.read(
    tenant,
    selectSubject(tenant, kind, id),
    selectAsked(tenant, kind, id),
  )
  const erasure = asked[0] ?? null
  return subjects[0] === undefined && erasure === null ? null : { kind, id, erasure }
}

const statuses = { deleting: 'erasing', done: 'erased', refused: 'refused' } as const

export const describeErasure = (row: ErasureRow): Erasure => ({
  id: row.erasureId,
  kind: row.kind,
  subjectId: row.askedId ?? row.subjectId,
  clientId: row.clientId,
  status: statuses[row.status],
  requestedAt: row.askedAt.toISOString(),
  finishedAt: row.doneAt?.toISOString() ?? null,
  receipt: row.receipt === null ? null : (JSON.parse(row.receipt) as Erasure['receipt']),
})
