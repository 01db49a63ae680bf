import type { Statement, Tx } from '../db/database.js'
import { refuse } from '../refuse.js'
import { lockExternalId } from './external-ids.sql.js'

/** What a partner gives an id of its own. */
export interface ExternalId {
  kind: 'clinician' | 'client' | 'session'
  externalId: string | null | undefined
  /** Finds another one that has it already, as `id`. Run under the lock. */
  selectTaken: (externalId: string) => Statement
}

/**
 * 409 that names who has the id; nothing where it is free, or none. It stays free until the transaction ends: of two that want it
 * at once, the second sees the first (decision 0034).
 */
export async function requireFreeExternalId(
  tx: Tx,
  { kind, externalId, selectTaken }: ExternalId,
): Promise<void> {
  if (externalId === null || externalId === undefined || externalId === '') return
  await tx.run(lockExternalId(tx.tenant, kind, externalId))
  const [taken] = await tx.run<{ id: string }>(selectTaken(externalId))
  if (taken === undefined) return
  const field = kind === 'session' ? 'sessionExternalId' : 'externalId'
  throw refuse.conflict('external_id_taken', `${field} is taken by ${kind} ${taken.id}`)
}
