import { refreshTokenSeconds, type NoteType } from '@casenote/contract'
import type { Statement } from '../../../kernel/db/database.js'
import { tenantNow } from '../../../kernel/db/tenant-clock.sql.js'
import type { ClinicianId, WidgetSessionId } from '../../../kernel/ids.js'
import type { TenantScope } from '../../../kernel/tenant.js'

/** How long a browser session lasts at the most, however often it is renewed; null: as long as it is renewed. */
export type LifetimeHours = number | null

const hasTime = (parameter: string): string =>
  `(${parameter}::int is null or s.started_at > now() - ${parameter}::int * interval '1 hour')`

export interface WidgetSession {
  widgetSessionId: WidgetSessionId
  clinicianId: ClinicianId
}

export const insertWidgetSession = (tenant: TenantScope, session: WidgetSession): Statement => ({
  name: 'insert_widget_session',
  text: 'insert into casenote.widget_sessions (tenant_id, widget_session_id, clinician_id) values ($1, $2, $3)',
  values: [tenant.tenantId, session.widgetSessionId, session.clinicianId],
})

export const insertRefreshToken = (
  tenant: TenantScope,
  widgetSessionId: WidgetSessionId,
  tokenHash: Buffer,
): Statement => ({
  name: 'insert_refresh_token',
  text: `insert into casenote.refresh_tokens (tenant_id, widget_session_id, token_hash, expires_at)
    values ($1, $2, $3, ${tenantNow} + interval '${refreshTokenSeconds} seconds')`,
  values: [tenant.tenantId, widgetSessionId, tokenHash],
})

/**
 * The key from which a token follows is that of the last renewal in its session; the first token of a session follows from
 * none. Whoever stole a key that was retired since can make such a token, too.
 */
const followsFromRetired = `exists (select from casenote.tenant_keys k
    where k.tenant_id = t.tenant_id and k.purpose = 'token' and k.retired_at is not null and k.version = (
      select p.successor_key_version from casenote.refresh_tokens p
      where p.tenant_id = t.tenant_id and p.widget_session_id = t.widget_session_id and p.consumed_at is not null
      order by p.consumed_at desc limit 1))`

/** Uses a refresh token up. Of two parallel uses one wins: the row's lock makes the other wait, and then it finds `consumed_at` set. */
export const consumeRefreshToken = (
  tenant: TenantScope,
  tokenHash: Buffer,
  renewal: { renewalId: string | null; successorKeyVersion: number; lifetimeHours: LifetimeHours },
): Statement<WidgetSession> => ({
  name: 'consume_refresh_token',
  text: `update casenote.refresh_tokens t
    set consumed_at = clock_timestamp(), renewal_id = $3, successor_key_version = $4
    from casenote.widget_sessions s, casenote.tenants n
    where t.tenant_id = $1 and t.token_hash = $2 and t.consumed_at is null and t.expires_at > ${tenantNow}
      and s.tenant_id = t.tenant_id and s.widget_session_id = t.widget_session_id and s.ended_at is null
      and n.tenant_id = t.tenant_id and n.suspended_at is null and ${hasTime('$5')}
      and not ${followsFromRetired}
    returning s.widget_session_id as "widgetSessionId", s.clinician_id as "clinicianId"`,
  values: [tenant.tenantId, tokenHash, renewal.renewalId, renewal.successorKeyVersion, renewal.lifetimeHours],
})

export interface SpentTokenRow extends WidgetSession {
  renewalId: string | null
  successorKeyVersion: number | null
  isConsumed: boolean
  /** Consumed so lately that the answer may have been lost: 60 s (ruling 9). */
  isRepeatable: boolean
  /** Expired, logged out, revoked or suspended: refused, and no replay. */
  isDead: boolean
}

export const selectSpentToken = (
  tenant: TenantScope,
  tokenHash: Buffer,
  lifetimeHours: LifetimeHours,
): Statement<SpentTokenRow> => ({
  name: 'select_spent_refresh_token',
  text: `select s.widget_session_id as "widgetSessionId", s.clinician_id as "clinicianId",
      t.renewal_id as "renewalId", t.successor_key_version as "successorKeyVersion",
      t.consumed_at is not null as "isConsumed",
      coalesce(t.consumed_at > clock_timestamp() - interval '60 seconds', false) as "isRepeatable",
      t.expires_at <= ${tenantNow} or s.ended_at is not null or n.suspended_at is not null
        or not ${hasTime('$3')} as "isDead"
    from casenote.refresh_tokens t
    join casenote.widget_sessions s on s.tenant_id = t.tenant_id and s.widget_session_id = t.widget_session_id
    join casenote.tenants n on n.tenant_id = t.tenant_id
    where t.tenant_id = $1 and t.token_hash = $2`,
  values: [tenant.tenantId, tokenHash, lifetimeHours],
})

export const endSessionsOfClinician = (
  tenant: TenantScope,
  clinicianId: ClinicianId,
  endedBy: 'logout' | 'replay' | 'deactivation',
): Statement => ({
  name: 'end_widget_sessions_of_clinician',
  text: `update casenote.widget_sessions set ended_at = clock_timestamp(), ended_by = $3
    where tenant_id = $1 and clinician_id = $2 and ended_at is null returning 1`,
  values: [tenant.tenantId, clinicianId, endedBy],
})

/** Ends the browser sessions of all clinicians. Refresh tokens go with their session, also those that were never renewed. */
export const endEverySession = (tenant: TenantScope): Statement => ({
  text: `update casenote.widget_sessions set ended_at = clock_timestamp(), ended_by = 'logout'
    where tenant_id = $1 and ended_at is null`,
  values: [tenant.tenantId],
})

export const endSession = (
  tenant: TenantScope,
  widgetSessionId: WidgetSessionId,
): Statement<{ clinicianId: ClinicianId }> => ({
  name: 'end_widget_session',
  text: `update casenote.widget_sessions set ended_at = clock_timestamp(), ended_by = 'logout'
    where tenant_id = $1 and widget_session_id = $2 and ended_at is null
    returning clinician_id as "clinicianId"`,
  values: [tenant.tenantId, widgetSessionId],
})

export interface SignedInClinicianRow {
  clinicianId: ClinicianId
  firstName: string
  lastName: string
  prescriber: boolean
  defaultNoteType: NoteType | null
  /** The pages that may embed the widget, as the partner has them; null: any page may. */
  embeddingOrigins: string[] | null
  /** Who co-signs; null: nobody has to. */
  supervisorName: string | null
  isSupervisorActive: boolean
}

/** Who an access token acts for, as long as its session and its partner have not ended. */
export const selectSignedInClinician = (
  tenant: TenantScope,
  session: WidgetSession,
  lifetimeHours: LifetimeHours,
): Statement<SignedInClinicianRow> => ({
  name: 'select_signed_in_clinician',
  text: `select c.clinician_id as "clinicianId", c.first_name as "firstName", c.last_name as "lastName", c.prescriber,
      c.default_note_type as "defaultNoteType", n.embedding_origins as "embeddingOrigins",
      o.first_name || ' ' || o.last_name as "supervisorName", o.deactivated_at is null as "isSupervisorActive"
    from casenote.widget_sessions s
    join casenote.clinicians c on c.tenant_id = s.tenant_id and c.clinician_id = s.clinician_id
    join casenote.tenants n on n.tenant_id = s.tenant_id
    left join casenote.clinicians o on o.tenant_id = c.tenant_id and o.clinician_id = c.supervisor_id
    where s.tenant_id = $1 and s.widget_session_id = $2 and s.clinician_id = $3
      and s.ended_at is null and n.suspended_at is null and c.deactivated_at is null
      and ${hasTime('$4')}`,
  values: [tenant.tenantId, session.widgetSessionId, session.clinicianId, lifetimeHours],
})

/** Which of these browser sessions may go on. */
export const selectOpenSessions = (
  tenant: TenantScope,
  widgetSessionIds: readonly WidgetSessionId[],
  lifetimeHours: LifetimeHours,
): Statement<{ widgetSessionId: WidgetSessionId }> => ({
  name: 'select_open_widget_sessions',
  text: `select s.widget_session_id as "widgetSessionId" from casenote.widget_sessions s
    join casenote.tenants n on n.tenant_id = s.tenant_id
    where s.tenant_id = $1 and s.widget_session_id = any($2) and s.ended_at is null and n.suspended_at is null
      and ${hasTime('$3')}`,
  values: [tenant.tenantId, widgetSessionIds, lifetimeHours],
})

/** A row while this caller may change anything: the same questions as at the door, but for the age of their token. */
export const selectLetIn = (
  tenant: TenantScope,
  caller: WidgetSession & { tokenKeyVersion: number },
  lifetimeHours: LifetimeHours,
): Statement => ({
  name: 'select_let_in',
  text: `select 1 as "isLetIn" from casenote.widget_sessions s
    join casenote.clinicians c on c.tenant_id = s.tenant_id and c.clinician_id = s.clinician_id
    join casenote.tenants n on n.tenant_id = s.tenant_id
    join casenote.tenant_keys k on k.tenant_id = s.tenant_id and k.purpose = 'token' and k.version = $4
    where s.tenant_id = $1 and s.widget_session_id = $2 and s.clinician_id = $3 and s.ended_at is null
      and c.deactivated_at is null and n.suspended_at is null and k.retired_at is null and ${hasTime('$5')}`,
  values: [
    tenant.tenantId,
    caller.widgetSessionId,
    caller.clinicianId,
    caller.tokenKeyVersion,
    lifetimeHours,
  ],
})

export const purgeWidgetSessions = (most: number): Statement => ({
  name: 'purge_widget_sessions',
  text: 'select casenote.purge_widget_sessions($1) as purged',
  values: [most],
})
