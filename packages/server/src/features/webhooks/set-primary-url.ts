import type { Tx } from '../../kernel/db/database.js'
import { newId } from '../../kernel/ids.js'
import { requireEndpointRoom } from './endpoint-room.js'
import {
  deletePrimaryEndpoint,
  insertEndpoint,
  lockEndpoints,
  updatePrimaryUrl,
} from './webhook-endpoints.sql.js'

/** The short way to one callback URL: the tenant's primary webhook endpoint. */
export async function setPrimaryUrl(tx: Tx, url: string | null): Promise<void> {
  // Two first URLs at once: the second finds the endpoint of the first.
  await tx.run(lockEndpoints(tx.tenant))
  if (url === null) {
    await tx.run(deletePrimaryEndpoint(tx.tenant))
    return
  }
  if ((await tx.run(updatePrimaryUrl(tx.tenant, url))).length > 0) return
  await requireEndpointRoom(tx)
  const settings = { eventTypes: null, enabled: true, digestHeader: null, isPrimary: true }
  await tx.run(insertEndpoint(tx.tenant, { endpointId: newId(), url, ...settings }))
}
