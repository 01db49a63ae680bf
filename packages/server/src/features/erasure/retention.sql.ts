import type { Statement } from '../../kernel/db/database.js'
import type { ClientId, NoteId, SessionId, TenantId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { HeldCursor, HeldPage } from './purge-beside-holds.js'

/** In days. Null: recordings as the installation has it, all else for good. */
export interface Retention {
  recordingDays: number | null
  transcriptDays: number | null
  draftDays: number | null
  eventDays: number | null
}

export const upsertRetention = (tenant: TenantScope, days: Retention): Statement => ({
  text: `insert into casenote.tenant_retention (tenant_id, recording_days, transcript_days, draft_days, event_days)
    values ($1, $2, $3, $4, $5) on conflict (tenant_id) do update set recording_days = excluded.recording_days,
      transcript_days = excluded.transcript_days, draft_days = excluded.draft_days, event_days = excluded.event_days`,
  values: [tenant.tenantId, days.recordingDays, days.transcriptDays, days.draftDays, days.eventDays],
})

export const selectRetention = (tenant: TenantScope): Statement<Retention> => ({
  text: `select recording_days as "recordingDays", transcript_days as "transcriptDays", draft_days as "draftDays",
      event_days as "eventDays" from casenote.tenant_retention where tenant_id = $1`,
  values: [tenant.tenantId],
})

export const listRetainingTenants = (): Statement<{ tenantId: TenantId }> => ({
  text: 'select casenote.list_retaining_tenants() as "tenantId"',
  values: [],
})

export interface ExpiredRow {
  kind: 'transcript' | 'draft'
  subjectId: SessionId | NoteId
}

export const listExpired = (tenant: TenantScope, most: number): Statement<ExpiredRow> => ({
  text: 'select kind, subject_id as "subjectId" from casenote.list_expired_of($1, null, $2)',
  values: [tenant.tenantId, most],
})

export const expireRows = (
  tenant: TenantScope,
  { kind, subjectId }: ExpiredRow,
): Statement<{ clientId: ClientId | null }> => ({
  text: 'select casenote.expire_rows($2, $3) as "clientId" from casenote.tenants where tenant_id = $1',
  values: [tenant.tenantId, kind, subjectId],
})

/** Purges events of tenants without a legal hold. */
export const purgeOldEvents = (most: number): Statement => ({
  text: 'select casenote.purge_old_events($1) as count',
  values: [most],
})

/** Purges events of tenants with a hold: a page of them after the one that was looked at last. No row: there are none. */
export const purgeEventsBesideHolds = (
  { lastTenant, lastId }: HeldCursor,
  most: number,
): Statement<HeldPage> => ({
  text: `select looked, last_tenant as "lastTenant", last_event as "lastId" from casenote.purge_events_beside_holds($1, $2, $3)`,
  values: [lastTenant, lastId, most],
})
