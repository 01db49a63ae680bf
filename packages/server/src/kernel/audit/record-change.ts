import type { Statement, Tx } from '../db/database.js'
import type { TenantScope } from '../tenant.js'
import { writeSubjects, type AuditEntry } from './audit-entry.js'
import { insertPending } from './audit.sql.js'

/** In the transaction that makes the change: both happen or neither. The sealer chains it within a second. */
export async function recordChange(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.run(changeRecord(tx.tenant, entry))
}

/** The same as a statement, for a change that is written at once. */
export const changeRecord = (tenant: TenantScope, entry: AuditEntry): Statement =>
  insertPending(tenant, entry, writeSubjects(entry.subjects))
