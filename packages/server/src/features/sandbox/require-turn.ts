import { GatewayRefusal } from '../../http/errors.js'
import type { Tx } from '../../kernel/db/database.js'
import { openSettings, takeTurn } from './sandbox.sql.js'

/**
 * For a control of which every process hears: each time all read again whom they know, production's partners too. So once a second
 * for a tenant, and else what the gateway answers to too many calls.
 */
export async function requireTurn(tx: Tx, column: Parameters<typeof takeTurn>[1]): Promise<void> {
  await tx.run(openSettings(tx.tenant))
  const [taken] = await tx.run(takeTurn(tx.tenant, column))
  if (taken === undefined) throw new GatewayRefusal('rateExceeded', 1)
}
