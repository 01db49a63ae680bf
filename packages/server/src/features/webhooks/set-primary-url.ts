import type { Tx } from '../../kernel/db/database.js'
import { newId } from '../../kernel/ids.js'
import { deletePrimaryEndpoint, upsertPrimaryEndpoint } from './webhook-endpoints.sql.js'

/** The short way to one callback URL: the tenant's primary webhook endpoint. */
export async function setPrimaryUrl(tx: Tx, url: string | null): Promise<void> {
  await tx.run(
    url === null ? deletePrimaryEndpoint(tx.tenant) : upsertPrimaryEndpoint(tx.tenant, newId(), url),
  )
}
