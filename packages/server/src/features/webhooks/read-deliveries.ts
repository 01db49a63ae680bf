import { ALL_EVENT_TYPES, pageOf, type Page, type WebhookDelivery, type AskedPage } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import { isId, type DeliveryId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import {
  countDeliveries,
  selectDeliveries,
  selectDelivery,
  type DeliveryFilter,
  type DeliveryRow,
} from './webhook-deliveries.sql.js'

export async function findDelivery(
  db: Database,
  tenant: TenantScope,
  deliveryId: DeliveryId,
): Promise<DeliveryRow | null> {
  if (!isId(deliveryId)) return null
  const [row] = await db.read(tenant, selectDelivery(tenant, deliveryId))
  return row ?? null
}

export async function listDeliveries(
  db: Database,
  tenant: TenantScope,
  { page, ...filter }: DeliveryFilter & { page: AskedPage },
): Promise<Page<WebhookDelivery>> {
  // A filter that cannot match gives an empty list (ruling 2), and need not reach the database.
  if (filter.eventType !== null && !(ALL_EVENT_TYPES as readonly string[]).includes(filter.eventType)) {
    return pageOf<WebhookDelivery>([], 0, page)
  }
  const [rows, [count]] = await db.read(
    tenant,
    selectDeliveries(tenant, filter, page),
    countDeliveries(tenant, filter),
  )
  return pageOf(rows.map(toDelivery), count?.total ?? 0, page)
}

export const toDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.deliveryId,
  eventType: row.eventType,
  webhookId: row.eventId,
  status: row.status,
  // PostgreSQL writes times into JSON with an offset and microseconds.
  attempts: row.attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at).toISOString() })),
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})
