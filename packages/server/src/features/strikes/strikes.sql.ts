import type { Statement } from '../../kernel/db/database.js'
import type { GapId, SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export type StrikeDenial = 'legal_hold' | 'signed' | 'generating' | 'danger_named'

/** All that was written of the session, and what rested on these lines. Null: it is gone. */
export const strikeRows = (
  tenant: TenantScope,
  row: { sessionId: SessionId; gapId: GapId; lines: readonly number[]; dangerIds: readonly string[] },
): Statement => ({
  text: 'select casenote.strike_rows($2, $3, $4::int[], $5::uuid[]) as denial from casenote.tenants where tenant_id = $1',
  values: [tenant.tenantId, row.sessionId, row.gapId, row.lines, row.dangerIds],
})
