import { endJobsOf } from '../../jobs/enqueue-job.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClientId, SessionId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { tryShareClient } from '../clients/index.js'
import { stopHearing } from '../live-transcripts/index.js'
import { deleteMdm } from '../mdm/index.js'
import { selectLegalHold } from '../session-gaps/index.js'
import { listWithdrawn, selectEarlierTries } from '../sessions/index.js'
import { deleteSummary } from '../summaries/index.js'
import { forgetEarlierTries, forgetTranscript } from '../transcripts/index.js'

/**
 * Whatever was made beside its note of a session that is withdrawn in this transaction, and of those that it is another try of. Under a legal hold
 * it stays where nobody reads it, until it is lifted. The session is locked, and whoever has its client may wait for it.
 */
export async function forgetWithdrawn(
  tx: Tx,
  { sessionId, clientId }: { sessionId: SessionId; clientId: ClientId },
): Promise<void> {
  // Whoever places a hold waits, or has placed it.
  if ((await tx.run(tryShareClient(tx.tenant, clientId))).length === 0)
    throw refuse.conflictForNow('session_processing', 'The client of the session is being changed')
  const [hold] = await tx.run(selectLegalHold(tx.tenant, clientId))
  if (hold?.isUnderHold !== true) {
    await forget(tx, sessionId)
    return
  }
  const earlier = (await tx.run(selectEarlierTries(tx.tenant, sessionId))).map((one) => one.sessionId)
  await endJobsOf(tx, earlier)
  await stopHearing(tx, sessionId)
}

/** What a hold that is lifted now kept of such sessions. The client is locked. */
export async function forgetWithdrawnOfClient(tx: Tx, clientId: ClientId): Promise<void> {
  for (const { sessionId } of await tx.run(listWithdrawn(tx.tenant, clientId))) await forget(tx, sessionId)
}

async function forget(tx: Tx, sessionId: SessionId): Promise<void> {
  await forgetTranscript(tx, sessionId)
  await forgetEarlierTries(tx, sessionId)
  await tx.run(deleteSummary(tx.tenant, sessionId))
  await tx.run(deleteMdm(tx.tenant, sessionId))
}
