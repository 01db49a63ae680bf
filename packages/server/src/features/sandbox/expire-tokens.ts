import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { requireTurn } from './require-turn.js'
import { raiseTokenEpoch } from './sandbox.sql.js'

/** All that this tenant has, the caller's own included: from here on they are 401, as after their hour. */
export async function expirePartnerTokens(tx: Tx, source: ChangeSource): Promise<void> {
  await requireTurn(tx, 'expired_at')
  await tx.run(raiseTokenEpoch(tx.tenant))
  await recordChange(tx, { ...source, operation: 'sandbox.expireTokens', subjects: [tx.tenant.tenantId] })
}
