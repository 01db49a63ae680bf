import { selectPendingJob } from '../../jobs/jobs.sql.js'
import type { Database } from '../../kernel/db/database.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { findReading } from './keep-reading.js'
import { getTranscriptItems } from './read-transcript.js'

/** Longer than a busy worker takes for what somebody waits for; who is asked to wait is not asked to wait for good. */
const overdueMs = 120_000

/** Whether other words or speakers stand in the transcript than were read, and they will be read in a moment. */
export async function isBeingRead(db: Database, ring: TenantKeyRing, sessionId: string): Promise<boolean> {
  const tenant = { tenantId: ring.tenantId }
  const pending = selectPendingJob(tenant, { kind: 'read_transcript', subjectId: sessionId, overdueMs })
  if ((await db.read(tenant, pending)).length === 0) return false
  const kept = await findReading(db, ring, sessionId, await getTranscriptItems(db, ring, sessionId))
  return kept !== null && !kept.isCurrent
}
