import { ClientBrief, PageOf, PageQuery, TimelineEntry } from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { findClient } from '../clients/index.js'
import { listTimeline } from './list-timeline.js'
import { readBrief, type BriefParts } from './read-brief.js'

/** The brief, which is read before a session, and the timeline, which goes over all of them. */
export function registerClientBriefs(api: PartnerApi, parts: BriefParts): void {
  const load = (tenant: TenantScope, { clientId }: Record<'clientId', string>) =>
    findClient(parts.db, tenant, clientId)
  api.route({
    operation: 'client.readBrief',
    method: 'GET',
    path: '/clients/{clientId}/brief',
    summary: 'Read what a clinician wants to know before a session',
    load,
    answer: {
      status: 200,
      schema: ClientBrief,
      description:
        'The plan and homework of the last session, open danger, and the newest scores with their change',
    },
    audit: 'read',
    handle: ({ tenant, loaded }) => readBrief(parts, tenant, loaded.clientId),
  })
  api.route({
    operation: 'client.listTimeline',
    method: 'GET',
    path: '/clients/{clientId}/timeline',
    summary: 'List what happened with a client',
    load,
    query: PageQuery,
    answer: {
      status: 200,
      schema: PageOf(TimelineEntry),
      description: 'A page of the timeline, newest first',
    },
    audit: 'read',
    handle: ({ tenant, loaded, page }) => listTimeline(parts, tenant, { clientId: loaded.clientId, page }),
  })
}
