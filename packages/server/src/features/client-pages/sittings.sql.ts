import type { Statement } from '../../kernel/db/database.js'
import { tenantNow } from '../../kernel/db/tenant-clock.sql.js'
import type { ClientId, SittingId, TenantId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { openingIdleMinutes } from './openings.sql.js'

/** Begins a sitting or keeps it going, and locks it until the transaction ends: nobody ends it meanwhile. */
export const continueSitting = (
  tenant: TenantScope,
  sittingId: SittingId,
  clientId: ClientId,
): Statement => ({
  name: 'continue_client_sitting',
  text: `insert into casenote.client_sittings (tenant_id, sitting_id, client_id, due_at)
    values ($1, $2, $3, ${tenantNow} + interval '${openingIdleMinutes} minutes')
    on conflict (tenant_id, client_id) where ended_at is null do update set due_at = excluded.due_at`,
  values: [tenant.tenantId, sittingId, clientId],
})

export interface SittingRow {
  sittingId: SittingId
  clientId: ClientId
}

/** The client's sitting; nothing if there is none. */
export const lockSitting = (tenant: TenantScope, clientId: ClientId): Statement<SittingRow> => ({
  name: 'lock_client_sitting',
  text: `select sitting_id as "sittingId", client_id as "clientId" from casenote.client_sittings
    where tenant_id = $1 and client_id = $2 and ended_at is null for update`,
  values: [tenant.tenantId, clientId],
})

/** Nothing if it has ended, goes on after all, or another worker is at it. */
export const lockDueSitting = (tenant: TenantScope, sittingId: SittingId): Statement<SittingRow> => ({
  name: 'lock_due_client_sitting',
  text: `select sitting_id as "sittingId", client_id as "clientId" from casenote.client_sittings
    where tenant_id = $1 and sitting_id = $2 and ended_at is null and due_at <= ${tenantNow} for update skip locked`,
  values: [tenant.tenantId, sittingId],
})

export const endSitting = (tenant: TenantScope, sittingId: SittingId): Statement => ({
  name: 'end_client_sitting',
  text: `update casenote.client_sittings set ended_at = now()
    where tenant_id = $1 and sitting_id = $2 and ended_at is null`,
  values: [tenant.tenantId, sittingId],
})

/** Puts off a sitting that cannot be ended: it must not stand in the way of the others. */
export const postponeSitting = (tenant: TenantScope, sittingId: SittingId): Statement => ({
  name: 'postpone_client_sitting',
  text: `update casenote.client_sittings set due_at = ${tenantNow} + interval '10 minutes'
    where tenant_id = $1 and sitting_id = $2 and ended_at is null and due_at <= ${tenantNow}`,
  values: [tenant.tenantId, sittingId],
})

export const listDueSittings = (most: number): Statement<{ tenantId: TenantId; sittingId: SittingId }> => ({
  name: 'list_due_sittings',
  text: 'select tenant_id as "tenantId", sitting_id as "sittingId" from casenote.list_due_sittings($1)',
  values: [most],
})

/** Sittings that are due by the clock of a sandbox that was moved. */
export const listSittingsOfMovedClocks = (
  most: number,
): Statement<{ tenantId: TenantId; sittingId: SittingId }> => ({
  name: 'list_sittings_of_moved_clocks',
  text: 'select tenant_id as "tenantId", sitting_id as "sittingId" from casenote.list_sittings_of_moved_clocks($1)',
  values: [most],
})
