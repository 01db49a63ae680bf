import type { WidgetAssessments } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { findInstrument } from './instruments/index.js'
import { selectOutstanding, type OutstandingRow } from './outstanding.sql.js'

/** What a client has been asked to answer and has not answered yet. */
export async function listOutstanding(
  db: Database,
  tenant: TenantScope,
  clientId: string,
): Promise<WidgetAssessments['outstanding']> {
  const rows = (await db.read(tenant, selectOutstanding(tenant, clientId))) as OutstandingRow[]
  return rows.map(({ assignmentId, assessmentId, assignedAt, expiresAt }) => ({
    id: assignmentId,
    assessmentId,
    name: findInstrument(assessmentId)?.name ?? assessmentId,
    assignedAt: assignedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }))
}
