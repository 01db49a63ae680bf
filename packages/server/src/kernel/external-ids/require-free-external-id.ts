import type { Statement, Tx } from '../db/database.js'
import { refuse } from '../refuse.js'
import { lockExternalId, selectUniqueExternalIds } from './external-ids.sql.js'

/** What a partner gives an id of its own. */
export interface ExternalId {
  kind: 'clinician' | 'client' | 'session'
  externalId: string | null | undefined
  /** Finds another one that has it already, as `id`. Run under the lock. */
  selectTaken: (externalId: string) => Statement<{ id: string }>
}

/**
 * 409 that names who has the id; nothing where it is free, or none. It stays free until the transaction ends: of two that want it
 * at once, the second sees the first (decision 0034). The lock is the last that a transaction takes of what others take, too: a client,
 * for one, is locked before.
 */
export async function requireFreeExternalId(
  tx: Tx,
  { kind, externalId, selectTaken }: ExternalId,
): Promise<void> {
  if (!isGiven(externalId)) return
  await tx.run(lockExternalId(tx.tenant, kind, externalId))
  const [taken] = await tx.run(selectTaken(externalId))
  if (taken === undefined) return
  const field = kind === 'session' ? 'sessionExternalId' : 'externalId'
  throw refuse.conflict('external_id_taken', `${field} is taken by ${kind} ${taken.id}`)
}

/** For what is never refused for its id: whoever wants it at the same time waits, and sees it taken. */
export async function reserveExternalId(
  tx: Tx,
  { kind, externalId }: Pick<ExternalId, 'kind' | 'externalId'>,
): Promise<void> {
  if (isGiven(externalId)) await tx.run(lockExternalId(tx.tenant, kind, externalId))
}

/** As the operator has set it for the tenant; for whoever does not come as a partner, who brings it along. */
export async function areExternalIdsUnique(tx: Tx): Promise<boolean> {
  const [row] = await tx.run(selectUniqueExternalIds(tx.tenant))
  return row?.areUnique === true
}

const isGiven = (externalId: string | null | undefined): externalId is string =>
  externalId !== null && externalId !== undefined && externalId !== ''
