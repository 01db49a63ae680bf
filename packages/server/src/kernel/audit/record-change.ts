import type { Statement, Tx } from '../db/database.js'
import type { TenantScope } from '../tenant.js'
import { writeSubjects, type AuditEntry } from './audit-entry.js'
import { alsoInsertPendingForAll, insertPending } from './audit.sql.js'

/** In the transaction that makes the change: both happen or neither. The chainer chains it within a second. */
export async function recordChange(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.run(changeRecord(tx.tenant, entry))
}

/** The same as a statement, for a change that is written at once. */
export const changeRecord = (tenant: TenantScope, entry: AuditEntry): Statement =>
  insertPending(tenant, entry, writeSubjects(entry.subjects))

/**
 * For what concerns every partner, as the owner: the log has a chain for each and none above them, so it stands in all of
 * them, committed with the change. `change` gives back a row if it changed something; without one nothing is recorded.
 */
export const recordedInEveryLog = (change: Statement, entry: AuditEntry): Statement =>
  alsoInsertPendingForAll(change, entry, writeSubjects(entry.subjects))
