import type { Summary } from '@casenote/contract'
import type { Database, Statement } from '../../kernel/db/database.js'
import { isId, type SessionId, type SummaryId } from '../../kernel/ids.js'
import { unsealJson, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectSummary, selectSummaryOfSession, type SummaryRow } from './summaries.sql.js'

/** Bound to the session, of which there is one summary under one id. */
export const summaryPlace = (sessionId: SessionId): JsonPlace<string> => ({
  table: 'summaries',
  row: sessionId,
  column: 'sealed_summary',
})

export const findSummary = (
  db: Database,
  tenant: TenantScope,
  summaryId: SummaryId,
): Promise<SummaryRow | null> => find(db, tenant, summaryId, selectSummary)

/** Null: no such session. One without a summary has a row without it. */
export const findSummaryOfSession = (
  db: Database,
  tenant: TenantScope,
  sessionId: SessionId,
): Promise<SummaryRow | null> => find(db, tenant, sessionId, selectSummaryOfSession)

async function find<Asked extends SummaryId | SessionId>(
  db: Database,
  tenant: TenantScope,
  id: Asked,
  select: (tenant: TenantScope, id: Asked) => Statement<SummaryRow>,
): Promise<SummaryRow | null> {
  if (!isId(id)) return null
  const [row] = await db.read(tenant, select(tenant, id))
  return row ?? null
}

/** Null: not made yet. */
export function describeSummary(ring: TenantKeyRing, row: SummaryRow): Summary | null {
  const { sessionId, summaryId, sealedSummary, createdAt } = row
  if (summaryId === null || sealedSummary === null || createdAt === null) return null
  return {
    id: summaryId,
    summaryId,
    sessionId,
    summary: unsealJson(ring, summaryPlace(sessionId), sealedSummary),
    createdAt: createdAt.toISOString(),
  }
}
