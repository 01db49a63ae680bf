import { EVENT_TYPES, pageOf, type Page, type WebhookEndpoint, type AskedPage } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import { isId, type EndpointId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { countEndpoints, selectEndpoint, selectEndpoints, type EndpointRow } from './webhook-endpoints.sql.js'

export async function findEndpoint(
  db: Database,
  tenant: TenantScope,
  endpointId: EndpointId,
): Promise<WebhookEndpoint | null> {
  if (!isId(endpointId)) return null
  const [row] = await db.read(tenant, selectEndpoint(tenant, endpointId))
  return row === undefined ? null : toEndpoint(row)
}

export async function listEndpoints(
  db: Database,
  tenant: TenantScope,
  page: AskedPage,
): Promise<Page<WebhookEndpoint>> {
  const [rows, [count]] = await db.read(tenant, selectEndpoints(tenant, page), countEndpoints(tenant))
  return pageOf(rows.map(toEndpoint), count?.total ?? 0, page)
}

export const toEndpoint = (row: EndpointRow): WebhookEndpoint => ({
  id: row.endpointId,
  url: row.url,
  eventTypes: row.eventTypes ?? [...EVENT_TYPES],
  enabled: row.enabled,
  disabledReason: row.disabledReason,
  digestHeader: row.digestHeader,
  isPrimary: row.isPrimary,
  createdAt: row.createdAt.toISOString(),
})
