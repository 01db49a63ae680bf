import type { Tx } from '../../kernel/db/database.js'
import type { ClientId } from '../../kernel/ids.js'
import { lockClient } from '../clients/index.js'
import { selectLegalHold } from './session-gaps.sql.js'

/** Whoever places a hold waits until this transaction has ended, or has placed it. */
export async function isUnderHold(tx: Tx, clientId: ClientId): Promise<boolean> {
  await tx.run(lockClient(tx.tenant, clientId))
  const [hold] = await tx.run(selectLegalHold(tx.tenant, clientId))
  return hold?.isUnderHold === true
}
