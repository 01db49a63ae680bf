import type { Statement } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface PadRow {
  sealedPad: Buffer
}

export const selectPad = (tenant: TenantScope, sessionId: SessionId): Statement<PadRow> => ({
  name: 'select_session_pad',
  text: `select sealed_pad as "sealedPad" from casenote.session_pads where tenant_id = $1 and session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

export const upsertPad = (tenant: TenantScope, sessionId: SessionId, sealedPad: Buffer): Statement => ({
  name: 'upsert_session_pad',
  text: `insert into casenote.session_pads (tenant_id, session_id, sealed_pad) values ($1, $2, $3)
    on conflict (tenant_id, session_id) do update set sealed_pad = excluded.sealed_pad, updated_at = now()`,
  values: [tenant.tenantId, sessionId, sealedPad],
})

export const deletePad = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  text: 'delete from casenote.session_pads where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId],
})
