import type { Statement } from '../../kernel/db/database.js'
import type { ClientId, GapId, SessionId } from '../../kernel/ids.js'
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

/** Empty: somebody changes the client just now. Else whoever would waits, as `strike_rows` has them wait. */
export const tryShareClient = (tenant: TenantScope, clientId: ClientId): Statement => ({
  text: 'select 1 from casenote.clients where tenant_id = $1 and client_id = $2 for share skip locked',
  values: [tenant.tenantId, clientId],
})
