import type { Tx } from '../../kernel/db/database.js'
import { refuse } from '../../kernel/refuse.js'
import { countEndpoints, lockEndpoints } from './webhook-endpoints.sql.js'

/** Every event is fanned out to all of them; a partner has one for each of its systems, and nobody has a hundred. */
const endpointsMax = 100

/** Until the transaction ends nobody else of the tenant adds one. */
export async function requireEndpointRoom(tx: Tx): Promise<void> {
  await tx.run(lockEndpoints(tx.tenant))
  const [count] = await tx.run(countEndpoints(tx.tenant))
  if ((count?.total ?? 0) >= endpointsMax) {
    throw refuse.conflict('webhook_endpoints_full', `There are already ${endpointsMax} webhook endpoints`)
  }
}
