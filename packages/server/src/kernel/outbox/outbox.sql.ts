import type { Statement } from '../db/database.js'
import type { EventId } from '../ids.js'
import type { TenantScope } from '../tenant.js'

export const insertEvent = (
  tenant: TenantScope,
  event: { eventId: EventId; eventType: string; onceKey: string | null; body: Buffer },
): Statement => ({
  name: 'insert_event',
  text: `insert into casenote.events (tenant_id, event_id, event_type, once_key, body) values ($1, $2, $3, $4, $5)
    on conflict (tenant_id, once_key) where once_key is not null do nothing`,
  values: [tenant.tenantId, event.eventId, event.eventType, event.onceKey, event.body],
})
