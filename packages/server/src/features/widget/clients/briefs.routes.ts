import { ClientBrief, PageOf, pageOfTen, PageQuery, TimelineEntry } from '@casenote/contract'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import { listTimeline, readBrief, type BriefParts } from '../../client-briefs/index.js'
import { findTreatedClient } from './treated-clients.js'

/** The brief and the timeline on a client's page: before a session, and over all of them. */
export function registerBriefs(api: WidgetApi, parts: BriefParts): void {
  const load = (caller: WidgetCaller, { clientId }: Record<'clientId', string>) =>
    findTreatedClient(parts.db, caller, clientId)
  api.route({
    operation: 'widget.readBrief',
    method: 'GET',
    path: '/clients/{clientId}/brief',
    load,
    answer: { status: 200, schema: ClientBrief },
    audit: 'read',
    handle: ({ caller, loaded }) => readBrief(parts, caller.tenant, loaded.clientId),
  })
  api.route({
    operation: 'widget.listTimeline',
    method: 'GET',
    path: '/clients/{clientId}/timeline',
    load,
    query: PageQuery,
    answer: { status: 200, schema: PageOf(TimelineEntry) },
    audit: 'read',
    handle: ({ caller, loaded, query }) =>
      listTimeline(parts, caller.tenant, { clientId: loaded.clientId, page: pageOfTen(query.page) }),
  })
}
