import type { Statement } from '../../kernel/db/database.js'
import type { GapId, SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export type StrikeDenial = 'legal_hold' | 'signed' | 'generating' | 'danger_named'

/** All that was written of the session, and what rested on these lines. Null: it is gone. */
export const strikeRows = (
  tenant: TenantScope,
  row: { sessionId: SessionId; gapId: GapId; lines: readonly number[]; dangerIds: readonly string[] },
): Statement<{ denial: StrikeDenial | null }> => ({
  text: 'select casenote.strike_rows($2, $3, $4::int[], $5::uuid[]) as denial from casenote.tenants where tenant_id = $1',
  values: [tenant.tenantId, row.sessionId, row.gapId, row.lines, row.dangerIds],
})

/** Whether this try of another session failed before it had the words, and is of the same client: they are still in the other one alone. */
export const selectHasNoWords = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ hasNoWords: boolean }> => ({
  text: `select s.status = 'failed' and s.client_id = o.client_id and not exists (select from casenote.transcripts t
      where t.tenant_id = $1 and t.session_id = s.session_id) as "hasNoWords"
    from casenote.sessions s join casenote.sessions o on o.tenant_id = $1 and o.session_id = s.retry_of
    where s.tenant_id = $1 and s.session_id = $2`,
  values: [tenant.tenantId, sessionId],
})
