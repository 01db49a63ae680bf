import type { Database } from '../../kernel/db/database.js'
import { isId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectClient, type ClientRow } from './clients.sql.js'

export async function findClient(
  db: Database,
  tenant: TenantScope,
  clientId: string,
): Promise<ClientRow | null> {
  if (!isId(clientId)) return null
  const [row] = (await db.read(tenant, selectClient(tenant, clientId))) as ClientRow[]
  return row ?? null
}
