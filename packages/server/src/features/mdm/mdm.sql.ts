import type { NoteType } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import type { ClientId, MdmId, SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** A session with its MDM elements, if it has any. */
export interface MdmRow {
  sessionId: SessionId
  clientId: ClientId
  /** As of now: regenerating may change it. */
  noteType: NoteType
  /** Why the session failed, if it did. */
  failureCode: string | null
  mdmId: MdmId | null
  /** Null also where they were struck, and are not derived again yet. */
  sealedFindings: Buffer | null
  createdAt: Date | null
}

export const selectMdm = (tenant: TenantScope, sessionId: SessionId): Statement<MdmRow> => ({
  name: 'select_mdm',
  text: `select s.session_id as "sessionId", s.client_id as "clientId", s.note_type as "noteType", s.failure_code as "failureCode",
      m.mdm_id as "mdmId", m.sealed_findings as "sealedFindings", m.created_at as "createdAt"
    from casenote.sessions s
    left join casenote.mdm_elements m on m.tenant_id = s.tenant_id and m.session_id = s.session_id
      and s.failure_code is distinct from 'withdrawn'
    where s.tenant_id = $1 and s.session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

/** What is derived again, as after a regeneration or a strike, keeps its id. No row: it is there already, and `staysAsItIs`. */
export const upsertMdm = (
  tenant: TenantScope,
  row: { sessionId: SessionId; mdmId: MdmId; sealedFindings: Buffer; madeBy: string; staysAsItIs: boolean },
): Statement<{ mdmId: MdmId }> => ({
  name: 'upsert_mdm',
  text: `insert into casenote.mdm_elements (tenant_id, session_id, mdm_id, sealed_findings, made_by)
    values ($1, $2, $3, $4, $5)
    on conflict (tenant_id, session_id) do update
      set sealed_findings = excluded.sealed_findings, made_by = excluded.made_by
      where not $6::boolean or mdm_elements.sealed_findings is null
    returning mdm_id as "mdmId"`,
  values: [tenant.tenantId, row.sessionId, row.mdmId, row.sealedFindings, row.madeBy, row.staysAsItIs],
})

export const deleteMdm = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  text: 'delete from casenote.mdm_elements where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId],
})

/** Takes out what the MDM elements say. Their id stays, and the elements that are derived next have it. */
export const emptyMdm = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  text: 'update casenote.mdm_elements set sealed_findings = null, made_by = null where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId],
})
