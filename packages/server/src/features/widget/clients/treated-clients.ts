import {
  type Client,
  type ClientStatus,
  type Page,
  type WidgetClient,
  type AskedPage,
} from '@casenote/contract'
import type { WidgetCaller } from '../../../http/widget-api.js'
import type { Database, Tx } from '../../../kernel/db/database.js'
import { isId } from '../../../kernel/ids.js'
import { listClients, selectClient, selectTreats, type ClientRow } from '../../clients/index.js'
import { selectIsWaiting } from '../../progress-notes/index.js'
import { selectConsents, type ConsentRow } from './consents.sql.js'

/** A client whom the clinician treats, as primary or as secondary; null for all others, whoever they are. */
export async function findTreatedClient(
  db: Database,
  { tenant, clinicianId }: WidgetCaller,
  clientId: string,
): Promise<ClientRow | null> {
  if (!isId(clientId)) return null
  const [[row], [found]] = (await db.read(
    tenant,
    selectClient(tenant, clientId),
    selectTreats(tenant, clientId, clinicianId),
  )) as [ClientRow[], { treats: boolean }[]]
  return found?.treats === true ? (row ?? null) : null
}

/** Also one whose note waits for the clinician's co-signature: who answers for the note answers for what is open beside it. */
export async function findClientInCare(
  db: Database,
  caller: WidgetCaller,
  clientId: string,
): Promise<ClientRow | null> {
  const treated = await findTreatedClient(db, caller, clientId)
  if (treated !== null || !isId(clientId)) return treated
  const { tenant, clinicianId } = caller
  const [[row], [found]] = (await db.read(
    tenant,
    selectClient(tenant, clientId),
    selectIsWaiting(tenant, { clientId, supervisorId: clinicianId }),
  )) as [ClientRow[], { isWaiting: boolean }[]]
  return found?.isWaiting === true ? (row ?? null) : null
}

export async function describeTreatedClient(
  db: Database,
  { tenant }: WidgetCaller,
  row: ClientRow,
): Promise<WidgetClient> {
  const [consent] = (await db.read(tenant, selectConsents(tenant, [row.clientId]))) as ConsentRow[]
  return toWidgetClient({ ...row, id: row.clientId }, consent ?? null)
}

export async function listTreatedClients(
  db: Database,
  { tenant, clinicianId }: WidgetCaller,
  { name, page }: { name: string; page: AskedPage },
): Promise<Page<WidgetClient>> {
  const { data, meta } = await listClients(
    db,
    tenant,
    { clinicianId },
    { ...(name === '' ? {} : { name }), page },
  )
  const rows = (await db.read(
    tenant,
    selectConsents(
      tenant,
      data.map(({ id }) => id),
    ),
  )) as ConsentRow[]
  const consents = new Map(rows.map((row) => [row.clientId, row]))
  return { data: data.map((client) => toWidgetClient(client, consents.get(client.id) ?? null)), meta }
}

/** In the transaction that starts a recording: a withdrawal comes before or after it. */
export async function hasConsent(tx: Tx, clientId: string): Promise<boolean> {
  return (await tx.run(selectConsents(tx.tenant, [clientId]))).length > 0
}

const toWidgetClient = (
  {
    id,
    firstName,
    lastName,
    dateOfBirth,
    status,
  }: Pick<Client, 'id' | 'firstName' | 'lastName' | 'dateOfBirth'> & { status: ClientStatus },
  consent: ConsentRow | null,
): WidgetClient => ({
  id,
  firstName,
  lastName,
  dateOfBirth,
  isArchived: status === 'archived',
  consentedAt: consent?.recordedAt.toISOString() ?? null,
})
