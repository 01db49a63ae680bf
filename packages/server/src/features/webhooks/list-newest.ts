import { EVENT_TYPES } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'
import {
  countDeliveriesByStatus,
  selectEndpointStandings,
  selectNewestDeliveries,
  type NewestDeliveries,
} from './delivery-lists.sql.js'
import type { DeliveryRow } from './webhook-deliveries.sql.js'

/** Of all endpoints, newest first. */
export async function listNewestDeliveries(db: Database, tenant: TenantScope, filter: NewestDeliveries) {
  const rows = await db.read(tenant, selectNewestDeliveries(tenant, filter))
  return rows.map((row) => ({ seq: row.seq, delivery: { ...describeDelivery(row), attempts: row.attempts } }))
}

const describeDelivery = (row: Omit<DeliveryRow, 'attempts'>) => ({
  id: row.deliveryId,
  eventId: row.eventId,
  eventType: row.eventType,
  endpointId: row.endpointId,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
})

/** A delivery with each try: the status, or why there was none. */
export const describeTries = (row: DeliveryRow) => ({
  ...describeDelivery(row),
  attempts: row.attempts.length,
  tries: row.attempts.map(({ at, status, error, durationMs }) => ({
    at: new Date(at).toISOString(),
    status,
    fault: error,
    latencyMs: durationMs,
  })),
})

/** By host: the rest of a URL may hold a secret. */
export async function listEndpointStandings(db: Database, tenant: TenantScope) {
  const rows = await db.read(tenant, selectEndpointStandings(tenant))
  return rows.map((row) => ({
    id: row.endpointId,
    host: URL.canParse(row.url) ? new URL(row.url).host : '',
    isActive: row.enabled,
    isPaused: row.isPaused,
    failingSince: row.failingSince?.toISOString() ?? null,
    eventTypes: row.eventTypes ?? [...EVENT_TYPES],
    digestHeader: row.digestHeader,
    createdAt: row.createdAt.toISOString(),
    pending: row.pending,
    failed24h: row.failed24h,
  }))
}

export async function countNewestDeliveries(
  db: Database,
  tenant: TenantScope,
): Promise<Record<string, number>> {
  const rows = await db.read(tenant, countDeliveriesByStatus(tenant))
  return Object.fromEntries(rows.map(({ status, deliveries }) => [status, deliveries]))
}
