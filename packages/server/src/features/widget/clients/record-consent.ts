import type { RecordingConsent } from '@casenote/contract'
import { recordChange, type AuditEntry } from '../../../kernel/audit/index.js'
import type { Tx } from '../../../kernel/db/database.js'
import { lockClient } from '../../clients/index.js'
import { insertConsent } from './consents.sql.js'

/** What the client said, to which text, and before whom. The last word counts; none of the earlier ones is lost. */
export async function recordConsent(
  tx: Tx,
  { clientId, clinicianId }: { clientId: string; clinicianId: string },
  { textVersion, given }: RecordingConsent,
  source: Pick<AuditEntry, 'actor' | 'requestId'>,
): Promise<void> {
  // A session that is being opened holds the client, too: a withdrawal comes before it or after it.
  await tx.run(lockClient(tx.tenant, clientId))
  await tx.run(insertConsent(tx.tenant, { clientId, clinicianId, textVersion, isGiven: given }))
  const operation = given ? 'widget.recordConsent' : 'widget.withdrawConsent'
  await recordChange(tx, { ...source, operation, subjects: [clientId, clinicianId] })
}
