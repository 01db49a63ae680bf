import type { Client } from '@casenote/contract'
import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClientId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { applyClientAction } from './apply-client-action.js'
import { toClient } from './client-rules.js'
import { readClient } from './find-client.js'

/** Idempotent: archiving an archived client changes nothing and records nothing. */
export async function archiveClient(tx: Tx, clientId: ClientId, source: ChangeSource): Promise<Client> {
  const status = await applyClientAction(tx, clientId, 'archive')
  if (status !== null)
    await recordChange(tx, { ...source, operation: 'client.archive', subjects: [clientId] })
  return toClient(await readClient(tx, clientId))
}

export async function unarchiveClient(tx: Tx, clientId: ClientId, source: ChangeSource): Promise<Client> {
  const status = await applyClientAction(tx, clientId, 'unarchive')
  if (status === null) throw refuse.conflict('client_not_archived', 'Client is not archived')
  await recordChange(tx, { ...source, operation: 'client.unarchive', subjects: [clientId] })
  return toClient(await readClient(tx, clientId))
}
