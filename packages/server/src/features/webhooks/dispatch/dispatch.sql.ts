import type { Statement } from '../../../kernel/db/database.js'
import type { DeliveryId, EndpointId, EventId, TenantId } from '../../../kernel/ids.js'
import type { Environment } from '../../../kernel/tenant.js'
import type { AttemptResult, Outcome } from './decide-outcome.js'

/** One call for all tenants: each statement here goes through a door. */

export const fanOutEvents = (mostOfTenant: number): Statement<{ count: number }> => ({
  name: 'fan_out_webhook_events',
  text: 'select casenote.fan_out_webhook_events($1) as count',
  values: [mostOfTenant],
})

export interface ClaimedDelivery {
  tenantId: TenantId
  deliveryId: DeliveryId
  endpointId: EndpointId
  eventId: EventId
  body: Buffer
  url: string
  digestHeader: string | null
  environment: Environment
  failuresInARow: number
  fence: number
  scheduleStep: number
  waitedMs: number
}

export interface ClaimBounds {
  most: number
  mostOfEndpoint: number
  mostOfFailing: number
  leaseMs: number
}

export const claimDeliveries = (bounds: ClaimBounds): Statement<ClaimedDelivery> => ({
  name: 'claim_webhook_deliveries',
  text: `select tenant_id as "tenantId", delivery_id as "deliveryId", endpoint_id as "endpointId",
      event_id as "eventId", body, url, digest_header as "digestHeader", environment,
      failures_in_a_row as "failuresInARow", fence, schedule_step as "scheduleStep", waited_ms as "waitedMs"
    from casenote.claim_webhook_deliveries($1, $2, $3, $4)`,
  values: [bounds.most, bounds.mostOfEndpoint, bounds.mostOfFailing, bounds.leaseMs],
})

/** A claim with how it ended. */
export interface EndedClaim {
  claim: ClaimedDelivery
  result: AttemptResult
  outcome: Outcome
}

export const recordOutcomes = (ended: readonly EndedClaim[], disableAfterMs: number): Statement => ({
  name: 'record_webhook_outcomes',
  text: `select casenote.record_webhook_outcomes($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
    as "deliveryId"`,
  values: [
    ended.map(({ claim }) => claim.tenantId),
    ended.map(({ claim }) => claim.endpointId),
    ended.map(({ claim }) => claim.deliveryId),
    ended.map(({ claim }) => claim.fence),
    ended.map(({ result }) => result.durationMs),
    ended.map(({ result }) => result.httpStatus),
    ended.map(({ result }) => result.error),
    ended.map(({ outcome }) => outcome.status),
    ended.map(({ outcome }) => outcome.scheduleStep),
    ended.map(({ outcome }) => outcome.delayMs),
    ended.map(({ outcome }) => outcome.verdict),
    ended.map(({ outcome }) => outcome.pauseMs),
    disableAfterMs,
  ],
})

export const renewLeases = (
  claims: readonly ClaimedDelivery[],
  leaseMs: number,
): Statement<{ deliveryId: DeliveryId }> => ({
  name: 'renew_webhook_leases',
  text: 'select casenote.renew_webhook_leases($1, $2, $3, $4) as "deliveryId"',
  values: [
    claims.map(({ tenantId }) => tenantId),
    claims.map(({ deliveryId }) => deliveryId),
    claims.map(({ fence }) => fence),
    leaseMs,
  ],
})

export const releaseClaims = (most: number, leaseMs: number): Statement<{ count: number }> => ({
  name: 'release_webhook_claims',
  text: 'select casenote.release_webhook_claims($1, $2) as count',
  values: [most, leaseMs],
})

export const cancelDeliveries = (most: number): Statement<{ count: number }> => ({
  name: 'cancel_webhook_deliveries',
  text: 'select casenote.cancel_webhook_deliveries($1) as count',
  values: [most],
})

/**
 * Deletes deliveries that have ended and are older than they are kept, by the database's clock: a worker whose own is wrong must delete
 * nothing that is to be kept.
 */
export const purgeDeliveries = (keptDays: number, most: number): Statement<{ count: number }> => ({
  name: 'purge_webhook_deliveries',
  text: "select casenote.purge_webhook_deliveries(now() - $1 * interval '1 day', $2) as count",
  values: [keptDays, most],
})

/** Purges deliveries of tenants with a legal hold, which the other two leave out: a page after the delivery that was looked at last. No row: there are none. */
export const purgeDeliveriesBesideHolds = (
  keptDays: number,
  { lastTenant, lastId }: { lastTenant: TenantId; lastId: string },
  most: number,
): Statement<{ looked: number; lastTenant: TenantId; lastId: string }> => ({
  text: `select looked, last_tenant as "lastTenant", last_delivery as "lastId"
    from casenote.purge_deliveries_beside_holds($1, $2, $3, $4)`,
  values: [keptDays, lastTenant, lastId, most],
})

/** A door of its own: sandboxes whose clock was moved, by what it shows (docs/sandbox.md). */
export const purgeDeliveriesOfMovedClocks = (
  keptDays: number,
  most: number,
): Statement<{ count: number }> => ({
  name: 'purge_deliveries_of_moved_clocks',
  text: 'select casenote.purge_deliveries_of_moved_clocks($1, $2) as count',
  values: [keptDays, most],
})

export const ENDPOINT_STATES = [
  'well',
  'failing',
  'held',
  'suspended',
  'disabled',
  'disabled_gone',
  'disabled_failing',
] as const
export type EndpointState = (typeof ENDPOINT_STATES)[number]

export interface EndpointQueue {
  endpointId: EndpointId
  state: EndpointState
  waiting: number
  due: number
  underWay: number
  oldestDueMs: number | null
}

export const describeQueue = (most: number): Statement<EndpointQueue> => ({
  name: 'describe_webhook_queue',
  text: `select endpoint_id as "endpointId", state, waiting, due, under_way as "underWay",
      oldest_due_ms as "oldestDueMs"
    from casenote.describe_webhook_queue($1)`,
  values: [most],
})
