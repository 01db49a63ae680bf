import {
  type Client,
  type ClientStatus,
  type Page,
  type WidgetClient,
  type AskedPage,
} from '@casenote/contract'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import type { Database } from '../../../kernel/db/database.js'
import { isId, type ClientId } from '../../../kernel/ids.js'
import { listClients, selectClient, selectTreats, type ClientRow } from '../../clients/index.js'
import { selectConsented, type ConsentedRow } from '../../consents/index.js'
import { selectIsWaiting } from '../../progress-notes/index.js'

/** A client whom the clinician treats, as primary or as secondary; null for all others, whoever they are. */
export async function findTreatedClient(
  db: Database,
  { tenant, clinicianId }: WidgetCaller,
  clientId: ClientId,
): Promise<ClientRow | null> {
  if (!isId(clientId)) return null
  const [[row], [found]] = await db.read(
    tenant,
    selectClient(tenant, clientId),
    selectTreats(tenant, clientId, clinicianId),
  )
  return found?.treats === true ? (row ?? null) : null
}

/** A client whom the clinician treats, or whose note waits for their co-signature: who answers for the note answers for what is open beside it. */
export async function findClientInCare(
  db: Database,
  caller: WidgetCaller,
  clientId: ClientId,
): Promise<ClientRow | null> {
  const treated = await findTreatedClient(db, caller, clientId)
  if (treated !== null || !isId(clientId)) return treated
  const { tenant, clinicianId } = caller
  const [[row], [found]] = await db.read(
    tenant,
    selectClient(tenant, clientId),
    selectIsWaiting(tenant, { clientId, supervisorId: clinicianId }),
  )
  return found?.isWaiting === true ? (row ?? null) : null
}

export async function describeTreatedClient(
  db: Database,
  { tenant }: WidgetCaller,
  row: ClientRow,
): Promise<WidgetClient> {
  const [consent] = await db.read(tenant, selectConsented(tenant, [row.clientId]))
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
  const rows = await db.read(
    tenant,
    selectConsented(
      tenant,
      data.map(({ id }) => id),
    ),
  )
  const consents = new Map(rows.map((row) => [row.clientId, row]))
  return { data: data.map((client) => toWidgetClient(client, consents.get(client.id) ?? null)), meta }
}

const toWidgetClient = (
  {
    id,
    firstName,
    lastName,
    dateOfBirth,
    status,
  }: Pick<Client, 'id' | 'firstName' | 'lastName' | 'dateOfBirth'> & { status: ClientStatus },
  consent: ConsentedRow | null,
): WidgetClient => ({
  id,
  firstName,
  lastName,
  dateOfBirth,
  isArchived: status === 'archived',
  consentedAt: consent?.recordedAt.toISOString() ?? null,
})
