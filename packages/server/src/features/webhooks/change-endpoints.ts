import type { EventType, NewWebhookEndpoint, WebhookEndpoint, WebhookEndpointPatch } from '@casenote/contract'
import { recordChange, type AuditEntry } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { onlyRow } from '../../kernel/db/only-row.js'
import { newId, type EndpointId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { requireEndpointRoom } from './endpoint-room.js'
import { toEndpoint } from './read-endpoints.js'
import { deleteEndpoint, insertEndpoint, updateEndpoint } from './webhook-endpoints.sql.js'

type By = Pick<AuditEntry, 'actor' | 'requestId'>

export async function createWebhookEndpoint(
  tx: Tx,
  endpoint: NewWebhookEndpoint,
  by: By,
): Promise<WebhookEndpoint> {
  await requireEndpointRoom(tx)
  const endpointId = newId()
  const rows = await tx.run(
    insertEndpoint(tx.tenant, {
      endpointId,
      url: endpoint.url,
      eventTypes: withoutDuplicates(endpoint.eventTypes) ?? null,
      enabled: endpoint.enabled ?? true,
      digestHeader: endpoint.digestHeader ?? null,
      isPrimary: false,
    }),
  )
  await recordChange(tx, { ...by, operation: 'webhookEndpoint.create', subjects: [endpointId] })
  return toEndpoint(onlyRow(rows))
}

export async function changeWebhookEndpoint(
  tx: Tx,
  endpointId: EndpointId,
  patch: WebhookEndpointPatch,
  by: By,
): Promise<WebhookEndpoint> {
  const { url, enabled, digestHeader } = patch
  const change = { url, enabled, digestHeader, eventTypes: withoutDuplicates(patch.eventTypes) }
  const [row] = await tx.run(updateEndpoint(tx.tenant, endpointId, change))
  // Deleted since the path was checked.
  if (row === undefined) throw refuse.notFound()
  // What was paused may go on.
  tx.announce('casenote_webhooks')
  await recordChange(tx, { ...by, operation: 'webhookEndpoint.change', subjects: [endpointId] })
  return toEndpoint(row)
}

/** The primary one's going clears `callbackUrl`, which is nothing but its URL. */
export async function deleteWebhookEndpoint(tx: Tx, endpointId: EndpointId, by: By): Promise<void> {
  if ((await tx.run(deleteEndpoint(tx.tenant, endpointId))).length === 0) throw refuse.notFound()
  await recordChange(tx, { ...by, operation: 'webhookEndpoint.delete', subjects: [endpointId] })
}

const withoutDuplicates = (eventTypes: readonly string[] | undefined): EventType[] | undefined =>
  eventTypes === undefined ? undefined : ([...new Set(eventTypes)] as EventType[])
