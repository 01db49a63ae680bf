import { skippedBefore, type AskedPage, type DeliveryStatus, type EventType } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import type { DeliveryId, EndpointId, EventId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { DELIVERY_TRANSITIONS } from './delivery-lifecycle.js'

export interface DeliveryRow {
  deliveryId: DeliveryId
  endpointId: EndpointId
  eventId: EventId
  eventType: EventType
  status: DeliveryStatus
  nextAttemptAt: Date | null
  createdAt: Date
  attempts: { at: string; status: number | null; durationMs: number; error: string | null }[]
}

/** Sent again and again on request, a delivery may have any number of attempts; nobody reads more than the newest. */
const attemptsShown = 50

/** The columns of a delivery, from `casenote.webhook_deliveries d`. */
const deliveryColumns = `d.delivery_id as "deliveryId", d.endpoint_id as "endpointId", d.event_id as "eventId",
  d.event_type as "eventType", d.status, d.next_attempt_at as "nextAttemptAt", d.created_at as "createdAt",
  (select coalesce(json_agg(json_build_object('at', a.started_at, 'status', a.status,
      'durationMs', a.duration_ms, 'error', a.error) order by a.attempt), '[]')
    from (select * from casenote.webhook_attempts w where w.tenant_id = d.tenant_id
      and w.delivery_id = d.delivery_id order by w.attempt desc limit ${attemptsShown}) a) as attempts`

/** A delivery of an endpoint that is still there: what belonged to a deleted one is gone with it. */
export const selectDelivery = (tenant: TenantScope, deliveryId: DeliveryId): Statement<DeliveryRow> => ({
  name: 'select_webhook_delivery',
  text: `select ${deliveryColumns} from casenote.webhook_deliveries d
    join casenote.webhook_endpoints e on e.tenant_id = d.tenant_id and e.endpoint_id = d.endpoint_id
    where d.tenant_id = $1 and d.delivery_id = $2 and e.deleted_at is null`,
  values: [tenant.tenantId, deliveryId],
})

export interface DeliveryFilter {
  endpointId: EndpointId
  status: string | null
  eventType: string | null
}

const filtered = `d.tenant_id = $1 and d.endpoint_id = $2 and ($3::text is null or d.status = $3)
  and ($4::text is null or d.event_type = $4)`

const filterValues = (tenant: TenantScope, { endpointId, status, eventType }: DeliveryFilter): unknown[] => [
  tenant.tenantId,
  endpointId,
  status,
  eventType,
]

/** Unnamed, as is the count: one plan for every combination of filters would suit none. */
export const selectDeliveries = (
  tenant: TenantScope,
  filter: DeliveryFilter,
  page: AskedPage,
): Statement<DeliveryRow> => ({
  text: `select ${deliveryColumns} from casenote.webhook_deliveries d where ${filtered}
    order by d.seq limit ${page.size} offset $5`,
  values: [...filterValues(tenant, filter), skippedBefore(page)],
})

export const countDeliveries = (
  tenant: TenantScope,
  filter: DeliveryFilter,
): Statement<{ total: number }> => ({
  text: `select count(*) as total from casenote.webhook_deliveries d where ${filtered}`,
  values: filterValues(tenant, filter),
})

/** A test delivery of the newest event of a type. No row: there is no such event yet. */
export const insertTestDelivery = (
  tenant: TenantScope,
  row: { deliveryId: DeliveryId; endpointId: EndpointId; eventType: string },
): Statement => ({
  name: 'insert_webhook_test_delivery',
  text: `insert into casenote.webhook_deliveries
      (tenant_id, delivery_id, endpoint_id, event_id, event_type, trigger)
    select $1, $2, $3, event_id, event_type, 'test' from casenote.events
    where tenant_id = $1 and event_type = $4 order by seq desc limit 1
    returning delivery_id`,
  values: [tenant.tenantId, row.deliveryId, row.endpointId, row.eventType],
})

const { resend, recover } = DELIVERY_TRANSITIONS

/** Due at once, and the retry schedule starts over. */
export const requeueDelivery = (tenant: TenantScope, deliveryId: DeliveryId): Statement => ({
  name: 'requeue_webhook_delivery',
  text: `update casenote.webhook_deliveries set status = $3, next_attempt_at = now(), schedule_step = 0
    where tenant_id = $1 and delivery_id = $2 and status = any($4) returning 1`,
  values: [tenant.tenantId, deliveryId, resend.to, resend.from],
})

export interface Recovery {
  endpointId: EndpointId
  since: Date
  eventTypes: readonly string[]
  most: number
}

/**
 * Deliveries that were given up, oldest first. Here and below the other table is asked row by row, on purpose: written
 * as a join, on tables whose statistics lag, the planner compared every row with every other (60,000 events: > 15 s).
 */
export const requeueGivenUp = (tenant: TenantScope, recovery: Recovery): Statement => ({
  text: `update casenote.webhook_deliveries set status = $6, next_attempt_at = now(), schedule_step = 0
    where tenant_id = $1 and delivery_id = any(array(
      select d.delivery_id from casenote.webhook_deliveries d
      where d.tenant_id = $1 and d.endpoint_id = $2 and d.trigger = 'event' and d.status = any($7)
        and d.event_type = any($4)
        and (select e.created_at from casenote.events e
          where e.tenant_id = d.tenant_id and e.event_id = d.event_id) >= $3
      order by d.seq limit $5 for no key update of d
    )) returning 1`,
  values: [
    tenant.tenantId,
    recovery.endpointId,
    recovery.since,
    recovery.eventTypes,
    recovery.most,
    recover.to,
    recover.from,
  ],
})

/** What one statement of a recovery came to: how many it queued, and how far it looked, null when there was no more. */
export interface MissedRow {
  queued: number
  lastSeq: string | null
}

/**
 * Deliveries that were never created, because the endpoint was not there, disabled, or not asking for that type; of the
 * events after `afterSeq`. Asks for the endpoints that have the event, so that only the index by event fits; with the endpoint
 * in the condition the index by endpoint was taken, and all of its deliveries were read for each event.
 */
export const insertMissed = (
  tenant: TenantScope,
  recovery: Recovery,
  afterSeq: string,
): Statement<MissedRow> => ({
  text: `with missed as (
      select e.event_id, e.event_type, e.seq from casenote.events e
      where e.tenant_id = $1 and e.created_at >= $3 and e.event_type = any($4) and e.seq > $6
        and $2 <> all(array(select d.endpoint_id from casenote.webhook_deliveries d
          where d.tenant_id = e.tenant_id and d.event_id = e.event_id and d.trigger = 'event'))
      order by e.seq limit $5
    ), queued as (
      insert into casenote.webhook_deliveries (tenant_id, delivery_id, endpoint_id, event_id, event_type, trigger)
      select $1, gen_random_uuid(), $2::uuid, event_id, event_type, 'event' from missed order by seq
      on conflict (tenant_id, event_id, endpoint_id) where trigger = 'event' do nothing
      returning 1
    )
    select (select count(*) from queued)::integer as queued, max(seq)::text as "lastSeq" from missed`,
  values: [
    tenant.tenantId,
    recovery.endpointId,
    recovery.since,
    recovery.eventTypes,
    recovery.most,
    afterSeq,
  ],
})
