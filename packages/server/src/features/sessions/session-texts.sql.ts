import type { Statement } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface SessionTextRow {
  sealedText: Buffer
}

export const selectText = (tenant: TenantScope, sessionId: SessionId): Statement<SessionTextRow> => ({
  name: 'select_session_text',
  text: `select sealed_text as "sealedText" from casenote.session_texts
    where tenant_id = $1 and session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

export const insertText = (tenant: TenantScope, sessionId: SessionId, sealedText: Buffer): Statement => ({
  name: 'insert_session_text',
  text: `insert into casenote.session_texts (tenant_id, session_id, sealed_text) values ($1, $2, $3)`,
  values: [tenant.tenantId, sessionId, sealedText],
})

export const deleteText = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  text: 'delete from casenote.session_texts where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId],
})
