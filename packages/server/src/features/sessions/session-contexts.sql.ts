import type { Statement } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface SessionContextRow {
  sealedContext: Buffer
  updatedAt: Date
}

export const selectContext = (tenant: TenantScope, sessionId: SessionId): Statement<SessionContextRow> => ({
  name: 'select_session_context',
  text: `select sealed_context as "sealedContext", updated_at as "updatedAt" from casenote.session_contexts
    where tenant_id = $1 and session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

export const upsertContext = (
  tenant: TenantScope,
  sessionId: SessionId,
  sealedContext: Buffer,
): Statement => ({
  name: 'upsert_session_context',
  text: `insert into casenote.session_contexts (tenant_id, session_id, sealed_context) values ($1, $2, $3)
    on conflict (tenant_id, session_id) do update set sealed_context = excluded.sealed_context, updated_at = now()`,
  values: [tenant.tenantId, sessionId, sealedContext],
})

export const deleteContext = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  text: 'delete from casenote.session_contexts where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId],
})
