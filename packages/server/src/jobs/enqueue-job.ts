import type { Tx } from '../kernel/db/database.js'
import { newId } from '../kernel/ids.js'
import { rememberStart } from '../kernel/tracing/trace.js'
import {
  advanceJob,
  endJob,
  endJobs,
  endWaitingJob,
  insertJob,
  lockJob,
  lockWaitingJobs,
  postponeJob,
  restartAttempts,
  selectDueJob,
  type Job,
  type JobKind,
  type JobSubjects,
} from './jobs.sql.js'

/** Enqueues a job in the transaction that makes the work necessary: both are committed, or neither is. Due after `delayMs`. */
export async function enqueueJob<Kind extends JobKind>(
  tx: Tx,
  kind: Kind,
  subjectId: JobSubjects[Kind],
  delayMs = 0,
): Promise<void> {
  await tx.run(insertJob(tx.tenant, { jobId: newId(), kind, subjectId, delayMs }))
  tx.announce('casenote_jobs')
  rememberStart({ jobKind: kind, subjectId })
}

/**
 * What was asked for about these is wanted no more. Whoever works on one has lost it with this commit: nothing of it is kept, and its
 * work is broken off with the next renewal of its lease.
 */
export async function endJobsOf(tx: Tx, subjectIds: readonly JobSubjects[JobKind][]): Promise<void> {
  await tx.run(endJobs(tx.tenant, subjectIds))
}

/** False: a worker has one of them. Else nobody takes any of them until the transaction ends. */
export async function tryLockWaitingJobs<Kind extends JobKind>(
  tx: Tx,
  subjectId: JobSubjects[Kind],
  kinds: readonly Kind[],
): Promise<boolean> {
  const [row] = await tx.run(lockWaitingJobs(tx.tenant, subjectId, kinds))
  return row?.inHands === 0
}

/** Whether a job waits, or somebody has it. */
export async function isJobDue<Kind extends JobKind>(
  tx: Tx,
  subjectId: JobSubjects[Kind],
  kind: Kind,
): Promise<boolean> {
  return (await tx.run(selectDueJob(tx.tenant, { kind, subjectId }))).length > 0
}

/** Nobody has begun with it, and there is nothing left to do. */
export async function dropWaitingJob<Kind extends JobKind>(
  tx: Tx,
  kind: Kind,
  subjectId: JobSubjects[Kind],
): Promise<void> {
  await tx.run(endWaitingJob(tx.tenant, { kind, subjectId }))
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

/**
 * First in a transaction that keeps something before the end of the job. Nobody can take the job over until that has
 * committed, and a worker that was stopped too long writes nothing into what is another's by now.
 */
export async function requireJob(tx: Tx, job: Job): Promise<void> {
  if ((await tx.run(lockJob(job))).length === 0) throw new JobLost()
}

/** Requires, as `requireJob` does, that the job is still the worker's, where what is kept is never done again. */
export async function requireAdvancedJob(tx: Tx, job: Job): Promise<void> {
  if ((await tx.run(advanceJob(job))).length === 0) throw new JobLost()
}

/**
 * For what is kept and was never there before: a job that takes hours may meet a fault now and then, and only one that gets no further has as many
 * attempts as there are.
 */
export async function countAttemptsAnew(tx: Tx, job: Job): Promise<void> {
  await tx.run(restartAttempts(job))
}

/** Gives a job back in the transaction that keeps how far it came: it waits for others, so this claim costs no attempt. */
export async function deferJob(tx: Tx, job: Job, delayMs: number): Promise<void> {
  if ((await tx.run(postponeJob(job, { delayMs, isFree: true }))).length === 0) throw new JobLost()
}
