import type { Tx } from '../kernel/db/database.js'
import { newId, type SessionId } from '../kernel/ids.js'
import { enqueueJob } from './enqueue-job.js'
import { rouseJob, wakeJob } from './jobs.sql.js'
import { NEXT_STEP, type Outcome, type SubjectAfter } from './next-step.js'

/** What follows, in the transaction that keeps what happened: both are committed, or neither is. Due after `delayMs`. */
export async function enqueueStep<Happened extends Outcome>(
  tx: Tx,
  outcome: Happened,
  subjectId: SubjectAfter<Happened>,
  delayMs = 0,
): Promise<void> {
  const kind = NEXT_STEP[outcome]
  if (kind !== null) await enqueueJob(tx, kind, subjectId, delayMs)
}

/** What happens with every piece of a recording. */
type Repeated = Extract<Outcome, 'piece_sent' | 'piece_fetched'>

/** Enqueues a step that comes up again and again; one that was given up stays so. */
export async function resumeStep(
  tx: Tx,
  outcome: Repeated,
  sessionId: SessionId,
  delayMs = 0,
): Promise<void> {
  const job = { kind: NEXT_STEP[outcome], subjectId: sessionId }
  const woken = await tx.run(wakeJob(tx.tenant, { ...job, jobId: newId(), delayMs }))
  if (woken.length > 0) tx.announce('casenote_jobs')
}

/** For who has locked another job meanwhile: waits for nobody, or the renewal of leases, which takes both, would wait in a circle. */
export async function resumeKnownStep(tx: Tx, outcome: Repeated, sessionId: SessionId): Promise<void> {
  const woken = await tx.run(rouseJob(tx.tenant, { kind: NEXT_STEP[outcome], subjectId: sessionId }))
  if (woken.length > 0) tx.announce('casenote_jobs')
}
