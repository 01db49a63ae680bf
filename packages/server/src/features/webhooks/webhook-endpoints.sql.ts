import { skippedBefore, type AskedPage, type DisabledReason, type EventType } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { namedForPage } from '../../kernel/db/page-statement.js'
import type { EndpointId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface EndpointRow {
  endpointId: EndpointId
  url: string
  /** Null: the contract's seven. */
  eventTypes: EventType[] | null
  enabled: boolean
  disabledReason: DisabledReason | null
  digestHeader: string | null
  isPrimary: boolean
  createdAt: Date
}

export interface CountRow {
  total: number
}

const endpointColumns = `endpoint_id as "endpointId", url, event_types as "eventTypes", enabled,
  disabled_reason as "disabledReason", digest_header as "digestHeader", is_primary as "isPrimary",
  created_at as "createdAt"`

export const selectPrimaryUrl = (tenant: TenantScope): Statement<{ url: string }> => ({
  name: 'select_primary_webhook_url',
  text: `select url from casenote.webhook_endpoints
    where tenant_id = $1 and is_primary and deleted_at is null`,
  values: [tenant.tenantId],
})

export const selectEndpoint = (tenant: TenantScope, endpointId: EndpointId): Statement<EndpointRow> => ({
  name: 'select_webhook_endpoint',
  text: `select ${endpointColumns} from casenote.webhook_endpoints
    where tenant_id = $1 and endpoint_id = $2 and deleted_at is null`,
  values: [tenant.tenantId, endpointId],
})

/** Nothing changes or deletes it, and no other call queues for it, until the transaction ends. */
export const lockEndpoint = (tenant: TenantScope, endpointId: EndpointId): Statement<EndpointRow> => ({
  name: 'lock_webhook_endpoint',
  text: `select ${endpointColumns} from casenote.webhook_endpoints
    where tenant_id = $1 and endpoint_id = $2 and deleted_at is null for no key update`,
  values: [tenant.tenantId, endpointId],
})

export const selectEndpoints = (tenant: TenantScope, page: AskedPage): Statement<EndpointRow> => ({
  ...namedForPage('select_webhook_endpoints', page),
  text: `select ${endpointColumns} from casenote.webhook_endpoints
    where tenant_id = $1 and deleted_at is null order by seq limit ${page.size} offset $2`,
  values: [tenant.tenantId, skippedBefore(page)],
})

export const countEndpoints = (tenant: TenantScope): Statement<CountRow> => ({
  name: 'count_webhook_endpoints',
  text: `select count(*) as total from casenote.webhook_endpoints
    where tenant_id = $1 and deleted_at is null`,
  values: [tenant.tenantId],
})

/** So that two creations at once cannot both be the last that fits. */
export const lockEndpoints = (tenant: TenantScope): Statement => ({
  name: 'lock_webhook_endpoints',
  text: `select pg_advisory_xact_lock(hashtextextended('webhook_endpoints/' || $1::text, 0))`,
  values: [tenant.tenantId],
})

export interface NewEndpointRow {
  endpointId: EndpointId
  url: string
  eventTypes: readonly EventType[] | null
  enabled: boolean
  digestHeader: string | null
  isPrimary: boolean
}

export const insertEndpoint = (tenant: TenantScope, row: NewEndpointRow): Statement<EndpointRow> => ({
  name: 'insert_webhook_endpoint',
  text: `insert into casenote.webhook_endpoints
      (tenant_id, endpoint_id, url, event_types, enabled, digest_header, is_primary)
    values ($1, $2, $3, $4, $5, $6, $7) returning ${endpointColumns}`,
  values: [
    tenant.tenantId,
    row.endpointId,
    row.url,
    row.eventTypes,
    row.enabled,
    row.digestHeader,
    row.isPrimary,
  ],
})

/** An endpoint that is enabled, or has another URL, is not paused for what it did before. */
const startOver = (
  when: string,
): string => `failing_since = case when ${when} then null else failing_since end,
  failures_in_a_row = case when ${when} then 0 else failures_in_a_row end,
  held_until = case when ${when} then null else held_until end`

/** What is undefined stays. Only enabling clears the reason for which the service had disabled it. */
export interface EndpointChange {
  url: string | undefined
  eventTypes: readonly EventType[] | undefined
  enabled: boolean | undefined
  digestHeader: string | null | undefined
}

export const updateEndpoint = (
  tenant: TenantScope,
  endpointId: EndpointId,
  change: EndpointChange,
): Statement<EndpointRow> => ({
  name: 'update_webhook_endpoint',
  text: `update casenote.webhook_endpoints
    set url = coalesce($3, url), event_types = coalesce($4, event_types), enabled = coalesce($5, enabled),
      disabled_reason = case when $5 then null else disabled_reason end,
      digest_header = case when $6 then $7 else digest_header end, ${startOver('$5 or $3 <> url')}
    where tenant_id = $1 and endpoint_id = $2 and deleted_at is null returning ${endpointColumns}`,
  values: [
    tenant.tenantId,
    endpointId,
    change.url ?? null,
    change.eventTypes ?? null,
    change.enabled ?? null,
    change.digestHeader !== undefined,
    change.digestHeader ?? null,
  ],
})

/** A new URL keeps the endpoint's id and the settings that are not given (ruling 4). */
export const updatePrimaryEndpoint = (
  tenant: TenantScope,
  { url, digestHeader }: { url: string | undefined; digestHeader: string | null | undefined },
): Statement => ({
  text: `update casenote.webhook_endpoints set url = coalesce($2, url),
      digest_header = case when $3 then $4 else digest_header end, ${startOver('$2 <> url')}
    where tenant_id = $1 and is_primary and deleted_at is null returning 1`,
  values: [tenant.tenantId, url ?? null, digestHeader !== undefined, digestHeader ?? null],
})

export const deletePrimaryEndpoint = (tenant: TenantScope): Statement => ({
  text: `update casenote.webhook_endpoints set deleted_at = now()
    where tenant_id = $1 and is_primary and deleted_at is null`,
  values: [tenant.tenantId],
})

export const deleteEndpoint = (tenant: TenantScope, endpointId: EndpointId): Statement => ({
  name: 'delete_webhook_endpoint',
  text: `update casenote.webhook_endpoints set deleted_at = now()
    where tenant_id = $1 and endpoint_id = $2 and deleted_at is null returning 1`,
  values: [tenant.tenantId, endpointId],
})
