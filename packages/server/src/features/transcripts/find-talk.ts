import type { PackedTalk } from '../../engines/checker/checker-requests.js'
import type { Database } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { findContext } from '../sessions/index.js'
import { findLastReadingText } from './keep-reading.js'
import { findItemsText } from './read-transcript.js'

/** What was said and what was found in it, as it is kept: who reads it does so in a thread. Null: no transcript yet. */
export async function findTalk(
  db: Database,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<PackedTalk | null> {
  const transcript = await findItemsText(db, ring, sessionId)
  if (transcript === null) return null
  const { context } = await findContext(db, ring, sessionId)
  // Without a reading nothing would be missed: an edit after speakers were corrected would empty the review list.
  const reading = await findLastReadingText(db, ring, sessionId)
  return { transcript, reading, names: context.namesToKeepOut }
}
