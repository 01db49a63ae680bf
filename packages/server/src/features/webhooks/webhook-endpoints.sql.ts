import type { Statement } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'

export const selectPrimaryUrl = (tenant: TenantScope): Statement => ({
  name: 'select_primary_webhook_url',
  text: 'select url from casenote.webhook_endpoints where tenant_id = $1 and is_primary',
  values: [tenant.tenantId],
})

/** A new URL keeps the endpoint's id and its other settings (decisions 4). */
export const upsertPrimaryEndpoint = (tenant: TenantScope, endpointId: string, url: string): Statement => ({
  text: `insert into casenote.webhook_endpoints (tenant_id, endpoint_id, url, is_primary) values ($1, $2, $3, true)
    on conflict (tenant_id) where is_primary do update set url = excluded.url`,
  values: [tenant.tenantId, endpointId, url],
})

export const deletePrimaryEndpoint = (tenant: TenantScope): Statement => ({
  text: 'delete from casenote.webhook_endpoints where tenant_id = $1 and is_primary',
  values: [tenant.tenantId],
})
