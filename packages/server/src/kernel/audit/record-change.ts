import type { Tx } from '../db/database.js'
import { writeSubjects, type AuditEntry } from './audit-entry.js'
import { insertPending } from './audit.sql.js'

/** In the transaction that makes the change: both happen or neither. The sealer chains it within a second. */
export async function recordChange(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.run(insertPending(tx.tenant, entry, writeSubjects(entry.subjects)))
}
