import type { Tx } from '../kernel/db/database.js'
import { newId } from '../kernel/ids.js'
import { endJob, insertJob, type Job, type JobKind } from './jobs.sql.js'

/** In the transaction that makes the work necessary: both are committed, or neither is. */
export async function enqueueJob(tx: Tx, kind: JobKind, subjectId: string): Promise<void> {
  await tx.run(insertJob(tx.tenant, { jobId: newId(), kind, subjectId }))
  tx.announce('casenote_jobs')
}

/** The claim is another worker's by now: what was done under it must not be kept. */
export class JobLost extends Error {
  constructor() {
    super('the job was taken over')
    this.name = 'JobLost'
  }
}

/** First in the transaction that keeps the result, so that a worker which was stopped too long keeps nothing. */
export async function finishJob(tx: Tx, job: Job, status: 'done' | 'parked' = 'done'): Promise<void> {
  if ((await tx.run(endJob(job, status))).length === 0) throw new JobLost()
}
