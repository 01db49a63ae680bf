import type { ContextField } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface SessionContextRow {
  sealedContext: Buffer
  leftOut: ContextField[]
  updatedAt: Date
}

export const selectContext = (tenant: TenantScope, sessionId: SessionId): Statement<SessionContextRow> => ({
  name: 'select_session_context',
  text: `select sealed_context as "sealedContext", left_out as "leftOut", updated_at as "updatedAt" from casenote.session_contexts
    where tenant_id = $1 and session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

/** A field that is given is not left out any more. */
export const upsertContext = (
  tenant: TenantScope,
  sessionId: SessionId,
  {
    sealedContext,
    givenFields,
    leftOut,
  }: { sealedContext: Buffer; givenFields: readonly string[]; leftOut: readonly ContextField[] },
): Statement => ({
  name: 'upsert_session_context',
  text: `insert into casenote.session_contexts as c (tenant_id, session_id, sealed_context, left_out)
    values ($1, $2, $3, $5)
    on conflict (tenant_id, session_id) do update set sealed_context = excluded.sealed_context, updated_at = now(),
      left_out = array(select f from unnest(c.left_out || excluded.left_out) f where f <> all ($4::text[]))`,
  values: [tenant.tenantId, sessionId, sealedContext, givenFields, leftOut],
})

export const deleteContext = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  text: 'delete from casenote.session_contexts where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId],
})
