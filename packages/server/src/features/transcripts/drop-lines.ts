import type { TranscriptItem } from '@casenote/contract'
import type { Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { sealJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { describeTranscript, itemsPlace } from './read-transcript.js'
import { deleteReading } from './readings.sql.js'
import { lockTranscript, selectTranscript, updateTranscript } from './transcripts.sql.js'

/** The items, locked until the change is made. Null: not made yet. */
export async function findLockedItems(
  tx: Tx,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<TranscriptItem[] | null> {
  await tx.run(lockTranscript(tx.tenant, sessionId))
  const [row] = await tx.run(selectTranscript(tx.tenant, sessionId))
  return row === undefined ? null : (describeTranscript(ring, row)?.transcriptItems ?? null)
}

/** Only these lines are left, and what was found in the others is gone with the reading. The transcript is locked. */
export async function dropLines(
  tx: Tx,
  ring: TenantKeyRing,
  { sessionId, kept }: { sessionId: SessionId; kept: readonly TranscriptItem[] },
): Promise<void> {
  await tx.run(updateTranscript(tx.tenant, sessionId, sealJson(ring, itemsPlace(sessionId), kept)))
  await tx.run(deleteReading(tx.tenant, sessionId))
}
