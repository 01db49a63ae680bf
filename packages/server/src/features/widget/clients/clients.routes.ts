import { PageOf, PageQuery, RecordingConsent, WidgetAssessments, WidgetClient } from '@casenote/contract'
import { Type } from 'typebox'
import type { WidgetApi, WidgetCaller } from '../../../http/widget-api.js'
import { listOutstanding, readTrends, type AssessmentsParts } from '../../assessments/index.js'
import { listAlerts } from '../../client-pages/index.js'
import { recordConsent } from './record-consent.js'
import { describeTreatedClient, findTreatedClient, listTreatedClients } from './treated-clients.js'

const ClientSearch = Type.Object({
  ...PageQuery.properties,
  name: Type.Optional(Type.String({ maxLength: 200 })),
})

export function registerClients(
  api: WidgetApi,
  { db, keys, instruments }: Pick<AssessmentsParts, 'db' | 'keys' | 'instruments'>,
): void {
  const load = (caller: WidgetCaller, { clientId }: Record<string, string>) =>
    findTreatedClient(db, caller, clientId ?? '')
  api.route({
    operation: 'widget.listClients',
    method: 'GET',
    path: '/clients',
    query: ClientSearch,
    answer: { status: 200, schema: PageOf(WidgetClient) },
    audit: 'read',
    handle: ({ caller, query }) =>
      listTreatedClients(db, caller, { name: query.name ?? '', page: query.page ?? 1 }),
  })
  api.route({
    operation: 'widget.readClient',
    method: 'GET',
    path: '/clients/{clientId}',
    load,
    answer: { status: 200, schema: WidgetClient },
    audit: 'read',
    handle: ({ caller, loaded }) => describeTreatedClient(db, caller, loaded),
  })
  api.route({
    operation: 'widget.recordConsent',
    method: 'POST',
    path: '/clients/{clientId}/consent',
    load,
    body: RecordingConsent,
    answer: { status: 200, schema: WidgetClient },
    audit: 'change',
    handle: async ({ caller, loaded, body, ...source }) => {
      const { clientId } = loaded
      const { clinicianId } = caller
      await db.write(caller.tenant, (tx) => recordConsent(tx, { clientId, clinicianId }, body, source))
      return describeTreatedClient(db, caller, loaded)
    },
  })
  api.route({
    operation: 'widget.listAssessments',
    method: 'GET',
    path: '/clients/{clientId}/assessments',
    load,
    answer: { status: 200, schema: WidgetAssessments },
    audit: 'read',
    handle: async ({ caller: { tenant }, loaded: { clientId } }) => {
      const catalogue = await instruments.get()
      const [outstanding, alerts, trends] = await Promise.all([
        listOutstanding({ db, catalogue }, tenant, clientId),
        listAlerts({ db, keys, catalogue }, tenant, clientId),
        readTrends({ db, keys, instruments }, tenant, clientId),
      ])
      return { outstanding, alerts, trends }
    },
  })
}
