import type { TranscriptItem } from '@casenote/contract'
import type { Reading } from '../../engines/reader/reading.js'
import type { Database } from '../../kernel/db/database.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { findLastReading } from './keep-reading.js'
import { findTranscriptItems } from './read-transcript.js'

/** What was said and what was found in it. Null: no transcript yet. */
export async function findTalk(
  db: Database,
  ring: TenantKeyRing,
  sessionId: string,
): Promise<{ transcript: TranscriptItem[]; reading: Reading | null } | null> {
  const transcript = await findTranscriptItems(db, ring, sessionId)
  // Without a reading nothing would be missed: an edit after speakers were corrected would empty the review list.
  return transcript === null ? null : { transcript, reading: await findLastReading(db, ring, sessionId) }
}
