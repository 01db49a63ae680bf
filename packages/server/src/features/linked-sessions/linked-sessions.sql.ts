import type { Statement } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface LinkRow {
  sessionId: string
  voices: number[]
}

export const selectLink = (
  tenant: TenantScope,
  { sharedSessionId, clientId }: { sharedSessionId: string; clientId: string },
): Statement => ({
  text: `select session_id as "sessionId", voices from casenote.session_links
    where tenant_id = $1 and shared_session_id = $2 and client_id = $3`,
  values: [tenant.tenantId, sharedSessionId, clientId],
})

export const countLinks = (tenant: TenantScope, sharedSessionId: string): Statement => ({
  text: `select count(*)::int as total from casenote.session_links where tenant_id = $1 and shared_session_id = $2`,
  values: [tenant.tenantId, sharedSessionId],
})

export const insertLink = (
  tenant: TenantScope,
  row: LinkRow & { sharedSessionId: string; clientId: string },
): Statement => ({
  text: `insert into casenote.session_links (tenant_id, shared_session_id, session_id, client_id, voices)
    values ($1, $2, $3, $4, $5)`,
  values: [tenant.tenantId, row.sharedSessionId, row.sessionId, row.clientId, row.voices],
})

/** Whose the session is that this one is a part of. */
export const selectIsLinked = (tenant: TenantScope, sessionId: string): Statement => ({
  text: `select exists (select from casenote.session_links where tenant_id = $1 and session_id = $2) as "isLinked"`,
  values: [tenant.tenantId, sessionId],
})
