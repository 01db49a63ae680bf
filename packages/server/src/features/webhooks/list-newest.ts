import {
  EVENT_TYPES,
  type ConsoleDelivery,
  type ConsoleDeliveryTries,
  type ConsoleEndpoint,
  type ConsoleOverview,
} from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'
import {
  countDeliveriesByStatus,
  selectEndpointStandings,
  selectNewestDeliveries,
  type NewestDeliveries,
} from './delivery-lists.sql.js'
import type { DeliveryRow } from './webhook-deliveries.sql.js'

/** The newest deliveries of all endpoints, newest first. */
export async function listNewestDeliveries(
  db: Database,
  tenant: TenantScope,
  filter: NewestDeliveries,
): Promise<{ seq: number; delivery: ConsoleDelivery }[]> {
  const rows = await db.read(tenant, selectNewestDeliveries(tenant, filter))
  return rows.map((row) => ({ seq: row.seq, delivery: { ...describeDelivery(row), attempts: row.attempts } }))
}

const describeDelivery = (row: Omit<DeliveryRow, 'attempts'>): Omit<ConsoleDelivery, 'attempts'> => ({
  id: row.deliveryId,
  eventId: row.eventId,
  eventType: row.eventType,
  endpointId: row.endpointId,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
})

export const describeTries = (row: DeliveryRow): ConsoleDeliveryTries => ({
  ...describeDelivery(row),
  attempts: row.attempts.length,
  tries: row.attempts.map(({ at, status, error, durationMs }) => ({
    at: new Date(at).toISOString(),
    status,
    fault: error,
    latencyMs: durationMs,
  })),
})

export async function listEndpointStandings(db: Database, tenant: TenantScope): Promise<ConsoleEndpoint[]> {
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
): Promise<ConsoleOverview['deliveriesByStatus']> {
  const rows = await db.read(tenant, countDeliveriesByStatus(tenant))
  return Object.fromEntries(rows.map(({ status, deliveries }) => [status, deliveries]))
}
