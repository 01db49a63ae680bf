import type { DeliveryStatus, EventType } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import type { DeliveryId, EndpointId, EventId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** How many deliveries of each endpoint are looked at, newest first: days of a busy one. A tenant has 100 endpoints at the most. */
const lookedMax = 2_000

/** The newest of every endpoint, each by its own index; what is older is not looked at. */
const newest = (columns: string): string => `casenote.webhook_endpoints e
  cross join lateral (select ${columns} from casenote.webhook_deliveries w
    where w.tenant_id = e.tenant_id and w.endpoint_id = e.endpoint_id order by w.seq desc limit ${lookedMax}) d
  where e.tenant_id = $1 and e.deleted_at is null`

export interface ListedDeliveryRow {
  seq: number
  deliveryId: DeliveryId
  eventId: EventId
  eventType: EventType
  endpointId: EndpointId
  status: DeliveryStatus
  createdAt: Date
  nextAttemptAt: Date | null
  attempts: number
}

export interface NewestDeliveries {
  endpointId: EndpointId | null
  status: DeliveryStatus | null
  before: number | null
  most: number
}

export const selectNewestDeliveries = (
  tenant: TenantScope,
  { endpointId, status, before, most }: NewestDeliveries,
): Statement<ListedDeliveryRow> => ({
  text: `select d.seq, d.delivery_id as "deliveryId", d.event_id as "eventId", d.event_type as "eventType",
      d.endpoint_id as "endpointId", d.status, d.created_at as "createdAt", d.next_attempt_at as "nextAttemptAt",
      d.attempt_count as attempts
    from ${newest('w.*')}
      and ($2::uuid is null or e.endpoint_id = $2) and ($3::text is null or d.status = $3)
      and ($4::int8 is null or d.seq < $4)
    order by d.seq desc limit $5`,
  values: [tenant.tenantId, endpointId, status, before, most],
})

export const countDeliveriesByStatus = (
  tenant: TenantScope,
): Statement<{ status: DeliveryStatus; deliveries: number }> => ({
  text: `select d.status, count(*)::int as deliveries from ${newest('w.status')} group by d.status`,
  values: [tenant.tenantId],
})

export const countDeliveriesByDay = (
  tenant: TenantScope,
  days: number,
): Statement<{ day: string; deliveries: number }> => ({
  text: `select to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as deliveries
    from ${newest('w.created_at')} and d.created_at >= now() - make_interval(days => $2) group by 1`,
  values: [tenant.tenantId, days],
})

/** The first UTC day of which all deliveries of every endpoint are looked at; null: there is none that is not. */
export const selectDeliveriesKnownFrom = (tenant: TenantScope): Statement<{ day: string | null }> => ({
  text: `select to_char(max((d.created_at at time zone 'UTC')::date + 1), 'YYYY-MM-DD') as day
    from casenote.webhook_endpoints e
    cross join lateral (select w.created_at from casenote.webhook_deliveries w
      where w.tenant_id = e.tenant_id and w.endpoint_id = e.endpoint_id
      order by w.seq desc offset ${lookedMax} limit 1) d
    where e.tenant_id = $1 and e.deleted_at is null`,
  values: [tenant.tenantId],
})

export interface EndpointStandingRow {
  endpointId: EndpointId
  url: string
  enabled: boolean
  isPaused: boolean
  failingSince: Date | null
  eventTypes: EventType[] | null
  digestHeader: string | null
  createdAt: Date
  pending: number
  failed24h: number
}

export const selectEndpointStandings = (tenant: TenantScope): Statement<EndpointStandingRow> => ({
  text: `select e.endpoint_id as "endpointId", e.url, e.enabled, coalesce(e.held_until > now(), false) as "isPaused",
      e.failing_since as "failingSince", e.event_types as "eventTypes", e.digest_header as "digestHeader",
      e.created_at as "createdAt", d.pending, d.failed as "failed24h"
    from casenote.webhook_endpoints e
    cross join lateral (
      select count(*) filter (where n.status in ('pending', 'delivering'))::int as pending,
        count(*) filter (where n.status = 'failed' and n.created_at > now() - interval '24 hours')::int as failed
      from (select w.status, w.created_at from casenote.webhook_deliveries w
        where w.tenant_id = e.tenant_id and w.endpoint_id = e.endpoint_id order by w.seq desc limit ${lookedMax}) n
    ) d
    where e.tenant_id = $1 and e.deleted_at is null order by e.seq limit 100`,
  values: [tenant.tenantId],
})
