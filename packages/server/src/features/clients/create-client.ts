import type { Client, ClientInput } from '@casenote/contract'
import { changeRecord, type ChangeSource } from '../../kernel/audit/index.js'
import type { Database, Statement, Tx } from '../../kernel/db/database.js'
import { onlyRow } from '../../kernel/db/only-row.js'
import { newId, type ClientId, type ProgramId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { ClinicianRow } from '../clinicians/index.js'
import { requireCallingCode, requireFreeClientId, requirePrograms, toClient } from './client-rules.js'
import {
  insertClient,
  insertClientPrograms,
  insertStatusHistory,
  type FirstStatus,
  type InsertedClient,
  type NewClientRow,
} from './clients.sql.js'
import { foldFullName } from './fold-name.js'

export type NewClient = Omit<NewClientRow, 'clientId' | 'nameFolded'>

/** Inside a transaction of somebody else's: the sandbox, an import. */
export async function createClient(
  tx: Tx,
  {
    programIds = [],
    status = 'awaiting_invite',
    ...client
  }: NewClient & { programIds?: ProgramId[]; status?: FirstStatus },
  source: ChangeSource,
): Promise<string> {
  const clientId = newId()
  for (const statement of creation(tx.tenant, clientId, { ...client, programIds, status }, source)) {
    await tx.run(statement)
  }
  return clientId
}

/** Creates a client from the Partner API in one transaction of one round trip, because creating is what imports do a million times. */
export async function createClientAtOnce(
  db: Database,
  tenant: TenantScope,
  clinician: Pick<ClinicianRow, 'clinicianId' | 'organizationId'>,
  input: ClientInput,
  { source, isExternalIdUnique }: { source: ChangeSource; isExternalIdUnique: boolean },
): Promise<Client> {
  requireCallingCode(input.phoneNumber)
  const { clinicianId, organizationId } = clinician
  const programIds = await requirePrograms(db, tenant, organizationId, input.programIds ?? [])
  const {
    lastName,
    dateOfBirth,
    firstName = null,
    email = null,
    phoneNumber = null,
    externalId = null,
    language = null,
  } = input
  const fields = { clinicianId, lastName, dateOfBirth, firstName, email, phoneNumber, externalId, language }
  const clientId = newId()
  const statements = creation(tenant, clientId, { ...fields, programIds, status: 'awaiting_invite' }, source)
  const [inserted] = await (isExternalIdUnique && externalId !== null
    ? createIfFree(db, tenant, { clientId, externalId }, statements)
    : db.writeAtOnce(tenant, ...statements))
  return toClient({
    ...fields,
    ...onlyRow(inserted),
    clientId,
    organizationId,
    status: 'awaiting_invite',
    programIds,
    recordingConsent: 'none',
  })
}

const createIfFree = (
  db: Database,
  tenant: TenantScope,
  { clientId, externalId }: { clientId: ClientId; externalId: string },
  [insert, ...others]: Creation,
): Promise<[InsertedClient[]]> =>
  db.write(tenant, async (tx) => {
    await requireFreeClientId(tx, clientId, externalId)
    const inserted = await tx.run(insert)
    for (const statement of others) await tx.run(statement)
    return [inserted]
  })

/** The insert comes first: its answer tells what the database added. */
type Creation = [Statement<InsertedClient>, ...Statement[]]

function creation(
  tenant: TenantScope,
  clientId: ClientId,
  { programIds, status, ...client }: NewClient & { programIds: readonly ProgramId[]; status: FirstStatus },
  source: ChangeSource,
): Creation {
  const created = { action: 'create', fromStatus: null, toStatus: status } as const
  return [
    insertClient(tenant, { ...client, clientId, nameFolded: foldFullName(client) }, status),
    ...(programIds.length > 0 ? [insertClientPrograms(tenant, clientId, programIds)] : []),
    insertStatusHistory(tenant, clientId, created),
    changeRecord(tenant, { ...source, operation: 'client.create', subjects: [clientId] }),
  ]
}
