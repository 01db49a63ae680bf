import type { Tx } from '../../kernel/db/database.js'
import { newId } from '../../kernel/ids.js'
import { requireEndpointRoom } from './endpoint-room.js'
import {
  deletePrimaryEndpoint,
  insertEndpoint,
  lockEndpoints,
  updatePrimaryEndpoint,
} from './webhook-endpoints.sql.js'

/** What is undefined stays. A null URL removes the endpoint. */
interface PrimaryEndpoint {
  url: string | null | undefined
  digestHeader: string | null | undefined
}

/** The short way to one callback URL: the tenant's primary webhook endpoint. False: there is none that could have the header. */
export async function setPrimaryEndpoint(tx: Tx, { url, digestHeader }: PrimaryEndpoint): Promise<boolean> {
  // Two first URLs at once: the second finds the endpoint of the first.
  await tx.run(lockEndpoints(tx.tenant))
  if (url === null) {
    await tx.run(deletePrimaryEndpoint(tx.tenant))
    return digestHeader == null
  }
  if ((await tx.run(updatePrimaryEndpoint(tx.tenant, { url, digestHeader }))).length > 0) return true
  if (url === undefined) return digestHeader === null
  await requireEndpointRoom(tx)
  const settings = {
    eventTypes: null,
    enabled: true,
    digestHeader: digestHeader ?? null,
    isPrimary: true,
  }
  await tx.run(insertEndpoint(tx.tenant, { endpointId: newId(), url, ...settings }))
  return true
}
