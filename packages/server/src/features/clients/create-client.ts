import { recordChange, type AuditEntry } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId } from '../../kernel/ids.js'
import { insertClient, insertStatusHistory, type NewClientRow } from './clients.sql.js'
import { foldName } from './fold-name.js'

export type NewClient = Omit<NewClientRow, 'clientId' | 'nameFolded'>

export async function createClient(
  tx: Tx,
  client: NewClient,
  audit: Pick<AuditEntry, 'actor' | 'requestId'>,
): Promise<string> {
  const clientId = newId()
  const nameFolded = foldName(`${client.firstName ?? ''} ${client.lastName}`)
  await tx.run(insertClient(tx.tenant, { ...client, clientId, nameFolded }))
  const created = { action: 'create', fromStatus: null, toStatus: 'awaiting_invite' } as const
  await tx.run(insertStatusHistory(tx.tenant, clientId, created))
  await recordChange(tx, { ...audit, operation: 'client.create', subjects: [clientId] })
  return clientId
}
