import type { Tx } from '../kernel/db/database.js'
import { newId } from '../kernel/ids.js'
import { enqueueJob } from './enqueue-job.js'
import { rouseJob, wakeJob } from './jobs.sql.js'
import { NEXT_STEP, type Outcome } from './next-step.js'

/** What follows, in the transaction that keeps what happened: both are committed, or neither is. Due after `delayMs`. */
export async function enqueueStep(tx: Tx, outcome: Outcome, subjectId: string, delayMs = 0): Promise<void> {
  const kind = NEXT_STEP[outcome]
  if (kind !== null) await enqueueJob(tx, kind, subjectId, delayMs)
}

/** What happens with every piece of a recording. */
type Repeated = Extract<Outcome, 'piece_sent' | 'piece_fetched'>

/** The same for what comes up again and again; one that was given up stays so. */
export async function resumeStep(tx: Tx, outcome: Repeated, subjectId: string, delayMs = 0): Promise<void> {
  const kind = NEXT_STEP[outcome]
  const woken = await tx.run(wakeJob(tx.tenant, { jobId: newId(), kind, subjectId, delayMs }))
  if (woken.length > 0) tx.announce('casenote_jobs')
}

/** For who has locked another job meanwhile: waits for nobody, or the renewal of leases, which takes both, would wait in a circle. */
export async function resumeKnownStep(tx: Tx, outcome: Repeated, subjectId: string): Promise<void> {
  const woken = await tx.run(rouseJob(tx.tenant, NEXT_STEP[outcome], subjectId))
  if (woken.length > 0) tx.announce('casenote_jobs')
}
