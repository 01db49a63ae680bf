import type { Statement } from '../../kernel/db/database.js'
import type { ClientId, SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** A family and whoever came with them. */
export const linksMax = 20

export interface LinkRow {
  sessionId: SessionId
  clientId: ClientId
  voices: number[]
}

export const selectLinks = (tenant: TenantScope, sharedSessionId: SessionId): Statement<LinkRow> => ({
  text: `select session_id as "sessionId", client_id as "clientId", voices from casenote.session_links
    where tenant_id = $1 and shared_session_id = $2 order by created_at, session_id limit ${linksMax}`,
  values: [tenant.tenantId, sharedSessionId],
})

export const insertLink = (
  tenant: TenantScope,
  row: LinkRow & { sharedSessionId: SessionId },
): Statement => ({
  text: `insert into casenote.session_links (tenant_id, shared_session_id, session_id, client_id, voices)
    values ($1, $2, $3, $4, $5)`,
  values: [tenant.tenantId, row.sharedSessionId, row.sessionId, row.clientId, row.voices],
})

/** The words of a linked session are in the one that it was tried again as from now on, which is linked in its place. */
export const moveLink = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  text: `with recursive tried as (
      select session_id, client_id, retry_of from casenote.sessions where tenant_id = $1 and session_id = $2
      union select s.session_id, s.client_id, s.retry_of from casenote.sessions s
        join tried t on s.tenant_id = $1 and s.session_id = t.retry_of and s.client_id = t.client_id)
    update casenote.session_links l set session_id = $2 from tried t
    where l.tenant_id = $1 and l.session_id = t.session_id and l.session_id <> $2`,
  values: [tenant.tenantId, sessionId],
})

/** Whose the session is that this one is a part of. */
export const selectIsLinked = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ isLinked: boolean }> => ({
  text: `select exists (select from casenote.session_links where tenant_id = $1 and session_id = $2) as "isLinked"`,
  values: [tenant.tenantId, sessionId],
})

/**
 * What was made for others of the recording of a session: also of those that it was tried again for, whose recording it is. At most `linksMax` for
 * each of them; none is left out. In an order that is the same for all.
 */
export const selectLinksOfRecording = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ sessionId: SessionId; isOfThis: boolean }> => ({
  text: `with recursive tried as (
      select session_id, retry_of from casenote.sessions where tenant_id = $1 and session_id = $2
      union select s.session_id, s.retry_of from casenote.sessions s
        join tried t on s.tenant_id = $1 and s.session_id = t.retry_of)
    select l.session_id as "sessionId", l.shared_session_id = $2 as "isOfThis" from casenote.session_links l
    join tried t on l.tenant_id = $1 and l.shared_session_id = t.session_id order by l.session_id`,
  values: [tenant.tenantId, sessionId],
})

/** Whether a session was recorded in the widget, also one that was tried again or put under another client: only the first has the recorder's id. */
export const selectIsOfWidget = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ isOfWidget: boolean }> => ({
  text: `with recursive tried as (
      select session_id, retry_of, recording_id from casenote.sessions where tenant_id = $1 and session_id = $2
      union select s.session_id, s.retry_of, s.recording_id from casenote.sessions s
        join tried t on s.tenant_id = $1 and s.session_id = t.retry_of)
    select exists (select from tried where recording_id is not null) as "isOfWidget"`,
  values: [tenant.tenantId, sessionId],
})
