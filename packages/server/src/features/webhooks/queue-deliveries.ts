import { EVENT_TYPES, type WebhookDelivery, type WebhookRecovered } from '@casenote/contract'
import { recordChange, type AuditEntry } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { onlyRow } from '../../kernel/db/only-row.js'
import { newId, type DeliveryId, type EndpointId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { toDelivery } from './read-deliveries.js'
import {
  insertMissed,
  insertTestDelivery,
  requeueDelivery,
  requeueGivenUp,
  selectDelivery,
  type MissedRow,
  type Recovery,
} from './webhook-deliveries.sql.js'
import { lockEndpoint, type EndpointRow } from './webhook-endpoints.sql.js'

type By = Pick<AuditEntry, 'actor' | 'requestId'>

/** A fortnight of a busy partner, and still some seconds at most; who has missed more calls again until it is 0. */
const recoveredMax = 10_000

/** How many deliveries one statement queues; it has seconds on a busy database. */
const queuedAtOnceMax = 2_000

/** Only makes the row: the dispatcher claims what is pending, whoever queued it. */
export async function testEndpoint(
  tx: Tx,
  { endpointId, eventType }: { endpointId: EndpointId; eventType: string },
  by: By,
): Promise<WebhookDelivery> {
  await requireEnabled(tx, endpointId)
  const deliveryId = newId()
  const made = await tx.run(insertTestDelivery(tx.tenant, { deliveryId, endpointId, eventType }))
  if (made.length === 0) throw refuse.conflict('webhook_event_missing', `There is no ${eventType} event yet`)
  const subjects = [endpointId, deliveryId]
  await recordChange(tx, { ...by, operation: 'webhookEndpoint.test', subjects })
  return getDelivery(tx, deliveryId)
}

/** Sends a delivery again at once; the retry schedule starts over, and what was tried stays on record. */
export async function resendDelivery(
  tx: Tx,
  { deliveryId, endpointId }: { deliveryId: DeliveryId; endpointId: EndpointId },
  by: By,
): Promise<WebhookDelivery> {
  await requireEnabled(tx, endpointId)
  const queued = await tx.run(requeueDelivery(tx.tenant, deliveryId))
  if (queued.length === 0) throw refuse.conflictForNow('webhook_delivery_in_flight', 'Delivery is being sent')
  const subjects = [endpointId, deliveryId]
  await recordChange(tx, { ...by, operation: 'webhookDelivery.resend', subjects })
  return getDelivery(tx, deliveryId)
}

/** Further back nobody knows any more what has arrived: it would all be sent again. */
export function boundSince(
  since: string,
  { nowMs, deliveryRetentionDays }: { nowMs: number; deliveryRetentionDays: number },
): Date {
  return new Date(Math.max(Date.parse(since), nowMs - deliveryRetentionDays * 24 * 3_600_000))
}

/** What failed and what was never queued, of the types that the endpoint asks for now. A second call finds nothing. */
export async function recoverEndpoint(
  tx: Tx,
  { endpointId, since }: { endpointId: EndpointId; since: Date },
  by: By,
): Promise<WebhookRecovered> {
  const { eventTypes } = await requireEnabled(tx, endpointId)
  const recovery = { endpointId, since, eventTypes: eventTypes ?? EVENT_TYPES }
  const requeued = await requeueAll(tx, recovery)
  const missed = await queueMissed(tx, recovery, recoveredMax - requeued)
  await recordChange(tx, { ...by, operation: 'webhookEndpoint.recover', subjects: [endpointId] })
  return { recovered: requeued + missed }
}

async function requeueAll(tx: Tx, recovery: Omit<Recovery, 'most'>): Promise<number> {
  let requeued = 0
  while (requeued < recoveredMax) {
    const most = Math.min(queuedAtOnceMax, recoveredMax - requeued)
    const { length } = await tx.run(requeueGivenUp(tx.tenant, { ...recovery, most }))
    requeued += length
    if (length < most) break
  }
  return requeued
}

async function queueMissed(tx: Tx, recovery: Omit<Recovery, 'most'>, missedMax: number): Promise<number> {
  let queued = 0
  let afterSeq: string | null = '0'
  while (afterSeq !== null && queued < missedMax) {
    const most = Math.min(queuedAtOnceMax, missedMax - queued)
    const [made]: MissedRow[] = await tx.run(insertMissed(tx.tenant, { ...recovery, most }, afterSeq))
    queued += made?.queued ?? 0
    afterSeq = made?.lastSeq ?? null
  }
  return queued
}

/** For what is queued now; for a disabled endpoint it would wait unseen. The lock also keeps two recoveries from one another. */
async function requireEnabled(tx: Tx, endpointId: EndpointId): Promise<EndpointRow> {
  const [endpoint] = await tx.run(lockEndpoint(tx.tenant, endpointId))
  if (endpoint === undefined) throw refuse.notFound()
  if (!endpoint.enabled) throw refuse.conflict('webhook_endpoint_disabled', 'Webhook endpoint is disabled')
  tx.announce('casenote_webhooks')
  return endpoint
}

async function getDelivery(tx: Tx, deliveryId: DeliveryId): Promise<WebhookDelivery> {
  return toDelivery(onlyRow(await tx.run(selectDelivery(tx.tenant, deliveryId))))
}
