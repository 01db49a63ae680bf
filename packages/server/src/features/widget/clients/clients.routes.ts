import { PageOf, pageOfTen, PageQuery, WidgetClient } from '@casenote/contract'
import { Type } from 'typebox'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import type { Database } from '../../../kernel/db/database.js'
import { describeTreatedClient, findTreatedClient, listTreatedClients } from './treated-clients.js'

const ClientSearch = Type.Object({
  ...PageQuery.properties,
  name: Type.Optional(Type.String({ maxLength: 200 })),
})

export function registerClients(api: WidgetApi, { db }: { db: Database }): void {
  const load = (caller: WidgetCaller, { clientId }: Record<'clientId', string>) =>
    findTreatedClient(db, caller, clientId)
  api.route({
    operation: 'widget.listClients',
    method: 'GET',
    path: '/clients',
    query: ClientSearch,
    answer: { status: 200, schema: PageOf(WidgetClient) },
    audit: 'read',
    handle: ({ caller, query: { name = '', page } }) =>
      listTreatedClients(db, caller, { name, page: pageOfTen(page) }),
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
}
