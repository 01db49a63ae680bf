import type { JobKind } from '../../jobs/jobs.sql.js'
import { endJobsOf, tryLockWaitingJobs } from '../../jobs/enqueue-job.js'
import { enqueueStep } from '../../jobs/enqueue-step.js'
import { afterNote } from '../../jobs/next-step.js'
import { recordChange } from '../../kernel/audit/index.js'
import { intendDeletion } from '../../kernel/blobs/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type ClinicianId, type TenantId } from '../../kernel/ids.js'
import { moveSaidDanger } from '../danger/index.js'
import { emptyMdm } from '../mdm/index.js'
import { writeWithoutStruck } from '../progress-notes/index.js'
import { findStruckBlob, insertGap, noPlace, selectSegmentBlobs, selectUncut } from '../session-gaps/index.js'
import { endExports, updateAudio } from '../sessions/index.js'
import { emptySummary } from '../summaries/index.js'
import { dropLines, forgetEarlierTries, forgetTranscript } from '../transcripts/index.js'
import { makeLineOf } from './cut-stretch.js'
import type { StrikePlan } from './plan-strike.js'
import { strikeRows } from './strikes.sql.js'

/** What reads the transcript, and keeps something of it. */
const readers: readonly JobKind[] = ['read_transcript', 'derive_mdm', 'summarize']

export type Striker = { kind: 'clinician'; id: ClinicianId } | { kind: 'partner'; id: TenantId }

/** Takes out of one session the words that were struck, and whatever may rest on them. The gap stays, with who made it. */
export async function applyStrike(
  tx: Tx,
  context: ChangeContext,
  plan: StrikePlan,
  by: Striker,
): Promise<void> {
  const { sessionId, clientId, session, note, items, cut, said, gone, deny } = plan
  const later = plan.later.map((one) => one.sessionId)
  const { ring, actor, requestId } = context
  if (!(await tryLockWaitingJobs(tx, sessionId, readers))) throw deny('generating')
  await endJobsOf(tx, [sessionId, ...later])
  const gapId = await keepGap(tx, context, plan, by)
  const dangerIds = gone.map(({ itemId }) => itemId)
  const [denied] = await tx.run(strikeRows(tx.tenant, { sessionId, gapId, lines: cut.struck, dangerIds }))
  if (denied === undefined || denied.denial !== null) throw deny(denied?.denial ?? 'generating')
  await dropLines(tx, ring.forClient(clientId), {
    sessionId,
    kept: cut.kept.flatMap((line) => items[line] ?? []),
  })
  const lineOf = makeLineOf(cut)
  const earlier = await forgetEarlierTries(tx, sessionId)
  // Of what they heard before they failed.
  for (const one of later) await forgetTranscript(tx, one)
  for (const one of said)
    if (!gone.includes(one)) await moveSaidDanger(tx, ring.forClient(clientId), one, lineOf)
  await tx.run(emptyMdm(tx.tenant, sessionId))
  await tx.run(emptySummary(tx.tenant, sessionId))
  // Of a linked one that failed nothing was written, and nothing is.
  if (note !== null && (session.status === 'completed' || note.version > 0))
    await writeWithoutStruck(tx, context, note, { isSessionOver: session.status !== 'completed' })
  // Without a note nobody would ask for what was made beside it.
  if (note === null && session.status === 'completed')
    await enqueueStep(tx, afterNote(session.noteType), sessionId)
  const [ended] = await tx.run(endExports(tx.tenant, clientId))
  const noteIds = note === null ? [] : [note.progressNoteId]
  const files = ended?.blobIds ?? []
  const subjects = [sessionId, clientId, gapId, ...earlier, ...later, ...noteIds, ...dangerIds, ...files]
  await recordChange(tx, { operation: 'session.strike', actor, requestId, subjects })
}

/**
 * With the recording, which is the session's no more until its sound is cut. Segments that it was joined of go at once. Where it is gone
 * already, and in a linked session, which has none, there is nothing to cut. A session that was tried again has given it to the last try, which
 * gets the gap with it, as do those between: whoever tries that one again goes on with both.
 */
async function keepGap(
  tx: Tx,
  { nowMs }: ChangeContext,
  { sessionId, cut, session, later, deny }: StrikePlan,
  by: Striker,
): Promise<string> {
  const tries = [{ sessionId, session }, ...later]
  const last = later.at(-1) ?? { sessionId, session }
  const uncut = await tx.run(selectUncut(tx.tenant, last.sessionId))
  const blobId = last.session.hasAudio ? last.session.audioBlobId : findStruckBlob(uncut)
  const gapId = newId()
  const [startMs, endMs] = [Math.round(cut.start * 1_000), Math.round(cut.end * 1_000)]
  for (const one of tries) {
    const toCut = one.sessionId === last.sessionId ? blobId : null
    const [kept] = await tx.run(
      insertGap(tx.tenant, one.sessionId, {
        gapId,
        kind: 'struck',
        startMs,
        endMs,
        lastedMs: endMs - startMs,
        byKind: by.kind,
        byId: by.id,
        beganAt: new Date(nowMs),
        isCut: toCut === null,
        blobId: toCut,
        ...noPlace,
      }),
    )
    if (kept === undefined) throw deny('gaps_full')
  }
  await tx.run(updateAudio(tx.tenant, last.sessionId, null))
  const segments = await tx.run(selectSegmentBlobs(tx.tenant, last.sessionId))
  for (const segment of segments)
    if (segment.blobId !== blobId) await intendDeletion(tx, segment.blobId, 'requested')
  if (blobId !== null) await enqueueStep(tx, 'recording_struck', last.sessionId)
  return gapId
}
