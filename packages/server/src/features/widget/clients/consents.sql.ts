import type { Statement } from '../../../kernel/db/database.js'
import type { TenantScope } from '../../../kernel/tenant.js'

export const insertConsent = (
  tenant: TenantScope,
  row: { clientId: string; clinicianId: string; textVersion: string; isGiven: boolean },
): Statement => ({
  name: 'insert_recording_consent',
  text: `insert into casenote.recording_consents (tenant_id, client_id, clinician_id, text_version, is_given)
    values ($1, $2, $3, $4, $5)`,
  values: [tenant.tenantId, row.clientId, row.clinicianId, row.textVersion, row.isGiven],
})

export interface ConsentRow {
  clientId: string
  recordedAt: Date
}

/** Of those whose last word was yes. */
export const selectConsents = (tenant: TenantScope, clientIds: readonly string[]): Statement => ({
  name: 'select_recording_consents',
  text: `select w.client_id as "clientId", c.recorded_at as "recordedAt"
    from unnest($2::uuid[]) as w (client_id)
    cross join lateral (select r.is_given, r.recorded_at from casenote.recording_consents r
      where r.tenant_id = $1 and r.client_id = w.client_id order by r.seq desc limit 1) c
    where c.is_given`,
  values: [tenant.tenantId, clientIds],
})

export interface ConsentHistoryRow {
  clinicianId: string
  textVersion: string
  isGiven: boolean
  recordedAt: Date
}

/** Every word of the client about it, oldest first; nobody changes their mind more often. */
export const selectConsentHistory = (tenant: TenantScope, clientId: string): Statement => ({
  text: `select clinician_id as "clinicianId", text_version as "textVersion", is_given as "isGiven",
      recorded_at as "recordedAt"
    from casenote.recording_consents where tenant_id = $1 and client_id = $2 order by seq limit 10000`,
  values: [tenant.tenantId, clientId],
})
