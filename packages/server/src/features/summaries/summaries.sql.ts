import type { Statement } from '../../kernel/db/database.js'
import type { ClientId, SessionId, SummaryId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** A session with its summary, if it has one. */
export interface SummaryRow {
  sessionId: SessionId
  clientId: ClientId
  /** Why the session failed, if it did. */
  failureCode: string | null
  summaryId: SummaryId | null
  /** Null also where it was struck, and is not written again yet. */
  sealedSummary: Buffer | null
  createdAt: Date | null
}

const summaryView = `select s.session_id as "sessionId", s.client_id as "clientId", s.failure_code as "failureCode", u.summary_id as "summaryId",
    u.sealed_summary as "sealedSummary", u.created_at as "createdAt"
  from casenote.sessions s
  left join casenote.summaries u on u.tenant_id = s.tenant_id and u.session_id = s.session_id
    and s.failure_code is distinct from 'withdrawn'`

export const selectSummaryOfSession = (tenant: TenantScope, sessionId: SessionId): Statement<SummaryRow> => ({
  name: 'select_summary_of_session',
  text: `${summaryView} where s.tenant_id = $1 and s.session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

export const selectSummary = (tenant: TenantScope, summaryId: SummaryId): Statement<SummaryRow> => ({
  name: 'select_summary',
  text: `${summaryView} where s.tenant_id = $1 and u.tenant_id = $1 and u.summary_id = $2`,
  values: [tenant.tenantId, summaryId],
})

/** What is written again keeps its id. No row: it is there already, and `staysAsItIs`. */
export const upsertSummary = (
  tenant: TenantScope,
  row: {
    summaryId: SummaryId
    sessionId: SessionId
    sealedSummary: Buffer
    madeBy: string
    staysAsItIs: boolean
  },
): Statement<{ summaryId: SummaryId }> => ({
  name: 'upsert_summary',
  text: `insert into casenote.summaries (tenant_id, summary_id, session_id, sealed_summary, made_by)
    values ($1, $2, $3, $4, $5)
    on conflict (tenant_id, session_id) do update
      set sealed_summary = excluded.sealed_summary, made_by = excluded.made_by
      where not $6::boolean or summaries.sealed_summary is null
    returning summary_id as "summaryId"`,
  values: [tenant.tenantId, row.summaryId, row.sessionId, row.sealedSummary, row.madeBy, row.staysAsItIs],
})

export const deleteSummary = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  text: 'delete from casenote.summaries where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId],
})

/** What it says; its id stays, and what is written next has it. */
export const emptySummary = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  text: 'update casenote.summaries set sealed_summary = null, made_by = null where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId],
})

export const selectSummaryMaker = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ madeBy: string | null }> => ({
  text: 'select made_by as "madeBy" from casenote.summaries where tenant_id = $1 and session_id = $2 limit 1',
  values: [tenant.tenantId, sessionId],
})
