import type { DraftLine } from '../../engines/speech/live/live-hearing.js'
import { lengthOfSettled } from '../../engines/speech/plan-chunks.js'
import { dropWaitingJob } from '../../jobs/enqueue-job.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import { relaxDurability } from '../../kernel/db/relax-durability.sql.js'
import type { SessionId } from '../../kernel/ids.js'
import { sealJson, unsealJson, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import {
  deleteHeard,
  deleteHeardFrom,
  deleteLive,
  eraseDraft,
  eraseHeard,
  lockWhileComing,
  selectHeardLive,
  selectLive,
  upsertLive,
  type LiveRow,
} from './live-transcripts.sql.js'

const draftPlace = (sessionId: SessionId): JsonPlace<readonly DraftLine[]> => ({
  table: 'live_transcripts',
  row: sessionId,
  column: 'sealed_draft',
})

export interface FoundLive extends Omit<LiveRow, 'sealedDraft'> {
  draft: readonly DraftLine[]
}

/** Null: the session is not being recorded. */
export async function findLive(
  db: Database,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<FoundLive | null> {
  const [row] = await db.read(ring, selectLive(ring, sessionId))
  if (row === undefined) return null
  const { sealedDraft, ...live } = row
  return { ...live, draft: sealedDraft === null ? [] : unsealJson(ring, draftPlace(sessionId), sealedDraft) }
}

/** Every few seconds, and gone with the next: it waits for no disk. */
export async function keepDraft(
  db: Database,
  ring: TenantKeyRing,
  live: {
    sessionId: SessionId
    fedBytes: number
    heardSeconds: number
    draft: readonly DraftLine[]
    /** How many struck stretches the draft was heard without. */
    struckCount: number
  },
): Promise<void> {
  const { sessionId, fedBytes, heardSeconds, draft, struckCount } = live
  const sealedDraft = sealJson(ring, draftPlace(sessionId), draft)
  const heardMs = Math.round(heardSeconds * 1_000)
  const row = { sessionId, fedBytes, heardMs, sealedDraft, struckCount }
  // Locked first, each statement sees what was committed before it: nothing is kept of what was struck while this waited.
  await db.writeAtOnce(
    ring,
    relaxDurability,
    lockWhileComing(ring, sessionId, 'awaiting_audio'),
    upsertLive(ring, row),
  )
}

/** Keeps how far it was heard, as `keepDraft` does, where there is no draft: nobody reads along, or it is late. */
export async function keepHeard(
  db: Database,
  tenant: TenantScope,
  live: { sessionId: SessionId; fedBytes: number; heardSeconds: number; struckCount: number },
): Promise<void> {
  const { heardSeconds, ...heard } = live
  const heardMs = Math.round(heardSeconds * 1_000)
  await db.writeAtOnce(tenant, relaxDurability, upsertLive(tenant, { ...heard, heardMs, sealedDraft: null }))
}

/** With the end of the recording: its words are in what was settled, or are heard with the rest. Whoever hears it keeps nothing more. */
export async function endLive(tx: Tx, sessionId: SessionId): Promise<void> {
  await tx.run(eraseDraft(tx.tenant, sessionId))
  await dropWaitingJob(tx, 'hear_live', sessionId)
}

/** Drops the draft of a session that is not heard any further while it is recorded. */
export const dropDraft = (db: Database, tenant: TenantScope, sessionId: SessionId): Promise<unknown> =>
  db.writeAtOnce(tenant, eraseDraft(tenant, sessionId))

/** What was fed of it is of another file. Chunks are compared by their sound. */
export async function forgetFed(tx: Tx, sessionId: SessionId): Promise<void> {
  await tx.run(deleteLive(tx.tenant, sessionId))
}

/** Deletes what was heard when the transcript is there, which says it all, or when a session ends without one: nothing of what was said stays. */
export async function forgetHeard(tx: Tx, sessionId: SessionId): Promise<void> {
  await tx.run(deleteLive(tx.tenant, sessionId))
  await tx.run(deleteHeard(tx.tenant, sessionId))
  await stopHearing(tx, sessionId)
}

export async function stopHearing(tx: Tx, sessionId: SessionId): Promise<void> {
  await dropWaitingJob(tx, 'hear_live', sessionId)
  await dropWaitingJob(tx, 'hear_download', sessionId)
}

/** What was heard since then: it is struck, and the rest is heard anew. The session is locked. */
export async function forgetHeardFrom(tx: Tx, sessionId: SessionId, seconds: number): Promise<void> {
  let chunk = 0
  for (let end = lengthOfSettled(0); end <= seconds; end += lengthOfSettled(chunk)) chunk += 1
  await tx.run(deleteHeardFrom(tx.tenant, sessionId, chunk))
  // Else it would count as heard: the widget would say that it is live, and the queue that seconds are left to hear.
  await tx.run(eraseHeard(tx.tenant, sessionId))
}

/** Locked until the transaction ends: who completes the recording waits for what is being kept of it. */
export const isComing = async (
  tx: Tx,
  sessionId: SessionId,
  status: 'awaiting_audio' | 'fetching',
): Promise<boolean> => (await tx.run(lockWhileComing(tx.tenant, sessionId, status))).length > 0

/** Two minutes of what the widget records. */
const leftBytesMax = 524_288

/** Hearing the rest takes seconds. */
export const isNearlyHeard = async (tx: Tx, sessionId: SessionId): Promise<boolean> =>
  (await tx.run(selectHeardLive(tx.tenant, sessionId, leftBytesMax))).length > 0
