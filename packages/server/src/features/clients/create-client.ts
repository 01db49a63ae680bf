import { recordChange, type AuditEntry } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId } from '../../kernel/ids.js'
import { insertClient, type NewClientRow } from './clients.sql.js'

export async function createClient(
  tx: Tx,
  client: Omit<NewClientRow, 'clientId'>,
  audit: Pick<AuditEntry, 'actor' | 'requestId'>,
): Promise<string> {
  const clientId = newId()
  await tx.run(insertClient(tx.tenant, { ...client, clientId }))
  await recordChange(tx, { ...audit, operation: 'client.create', subjects: [clientId] })
  return clientId
}
