import { selectPendingJob } from '../../jobs/jobs.sql.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { findReading } from './keep-reading.js'
import { getNamedItems } from './read-transcript.js'
import { selectTranscriptMark } from './transcripts.sql.js'

/** Longer than a busy worker takes for what somebody waits for; who is asked to wait is not asked to wait for good. */
const overdueMs = 120_000

export interface UnreadWords {
  /** Other words or speakers stand in the transcript than were read, and they will be read in a moment. */
  isBeingRead: boolean
  /** Something was put right since this was asked. */
  isOutdated: (tx: Tx) => Promise<boolean>
}

export async function findUnreadWords(
  db: Database,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<UnreadWords> {
  const tenant = { tenantId: ring.tenantId }
  const markStatement = selectTranscriptMark(tenant, sessionId)
  const [before] = await db.read(tenant, markStatement)
  return {
    isBeingRead: await isBeingRead(db, ring, sessionId),
    isOutdated: async (tx) => (await tx.run(markStatement))[0]?.mark !== before?.mark,
  }
}

async function isBeingRead(db: Database, ring: TenantKeyRing, sessionId: SessionId): Promise<boolean> {
  const tenant = { tenantId: ring.tenantId }
  const pending = selectPendingJob(tenant, { kind: 'read_transcript', subjectId: sessionId, overdueMs })
  if ((await db.read(tenant, pending)).length === 0) return false
  const kept = await findReading(db, ring, sessionId, await getNamedItems(db, ring, sessionId))
  return kept !== null && !kept.isCurrent
}
