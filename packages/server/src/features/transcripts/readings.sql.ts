import type { Statement } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface ReadingRow {
  sealedReading: Buffer
}

export const selectReading = (tenant: TenantScope, sessionId: SessionId): Statement<ReadingRow> => ({
  name: 'select_reading',
  text: `select sealed_reading as "sealedReading" from casenote.session_readings
    where tenant_id = $1 and session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

/** The newest wins: two attempts at one job read the same. */
export const upsertReading = (
  tenant: TenantScope,
  row: { sessionId: SessionId; sealedReading: Buffer; madeBy: string },
): Statement => ({
  name: 'upsert_reading',
  text: `insert into casenote.session_readings (tenant_id, session_id, sealed_reading, made_by)
    values ($1, $2, $3, $4)
    on conflict (tenant_id, session_id)
    do update set sealed_reading = excluded.sealed_reading, made_by = excluded.made_by, created_at = now()`,
  values: [tenant.tenantId, row.sessionId, row.sealedReading, row.madeBy],
})

export const deleteReading = (tenant: TenantScope, sessionId: SessionId): Statement => ({
  text: 'delete from casenote.session_readings where tenant_id = $1 and session_id = $2',
  values: [tenant.tenantId, sessionId],
})
