import type { Database, Tx } from '../../kernel/db/database.js'
import { isId, type ClientId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { lockClient, selectClient, type ClientRow } from './clients.sql.js'

export async function findClient(
  db: Database,
  tenant: TenantScope,
  clientId: ClientId,
): Promise<ClientRow | null> {
  if (!isId(clientId)) return null
  const [row] = await db.read(tenant, selectClient(tenant, clientId))
  return row ?? null
}

/**
 * The whole client as partners see them, read by a second statement once they are locked, until the transaction ends: what is decided on it still
 * holds when it is written. What a session needs, and no more, is `getLockedClient` there.
 */
export async function readLockedClient(tx: Tx, clientId: ClientId): Promise<ClientRow> {
  await tx.run(lockClient(tx.tenant, clientId))
  return readClient(tx, clientId)
}

export async function readClient(tx: Tx, clientId: ClientId): Promise<ClientRow> {
  const [row] = await tx.run(selectClient(tx.tenant, clientId))
  if (row === undefined) throw refuse.notFound()
  return row
}
