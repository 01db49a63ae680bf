import type { Client } from '@casenote/contract'
import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { refuse } from '../../kernel/refuse.js'
import { applyClientAction } from './apply-client-action.js'
import { toClient } from './client-rules.js'
import { selectClient, type ClientRow } from './clients.sql.js'

/** Idempotent: archiving an archived client changes nothing and records nothing. */
export async function archiveClient(tx: Tx, clientId: string, source: ChangeSource): Promise<Client> {
  const status = await applyClientAction(tx, clientId, 'archive')
  if (status !== null)
    await recordChange(tx, { ...source, operation: 'client.archive', subjects: [clientId] })
  return readClient(tx, clientId)
}

export async function unarchiveClient(tx: Tx, clientId: string, source: ChangeSource): Promise<Client> {
  const status = await applyClientAction(tx, clientId, 'unarchive')
  if (status === null) throw refuse.conflict('Client is not archived')
  await recordChange(tx, { ...source, operation: 'client.unarchive', subjects: [clientId] })
  return readClient(tx, clientId)
}

async function readClient(tx: Tx, clientId: string): Promise<Client> {
  const [row] = await tx.run<ClientRow>(selectClient(tx.tenant, clientId))
  if (row === undefined) throw refuse.notFound()
  return toClient(row)
}
