import type { ClientStatus } from '@casenote/contract'
import type { Tx } from '../../kernel/db/database.js'
import type { ClientId } from '../../kernel/ids.js'
import { CLIENT_TRANSITIONS, type ClientAction } from './client-lifecycle.js'
import { insertStatusHistory, updateStatus } from './clients.sql.js'

/**
 * The one way to change a status: compare and set, with its history row. Null: the client is in no status that this
 * action starts from (or does not exist), and nothing was changed; the caller decides whether that is a refusal.
 */
export async function applyClientAction(
  tx: Tx,
  clientId: ClientId,
  action: ClientAction,
): Promise<ClientStatus | null> {
  const { from, to } = CLIENT_TRANSITIONS[action]
  const [changed] = await tx.run(updateStatus(tx.tenant, clientId, { from, to }))
  if (changed === undefined) return null
  await tx.run(insertStatusHistory(tx.tenant, clientId, { action, ...changed }))
  return changed.toStatus
}
