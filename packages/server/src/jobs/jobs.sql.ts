import type { Statement } from '../kernel/db/database.js'
import type { ExportId, GenerationId, JobId, MailId, SessionId, SignInId, TenantId } from '../kernel/ids.js'
import type { TenantScope } from '../kernel/tenant.js'

/** The check constraint of `jobs` names the same. */
export const JOB_KINDS = [
  'fetch_audio',
  'join_audio',
  'hear_live',
  'hear_download',
  'finish_live',
  'transcribe',
  'take_text',
  'write_note',
  'derive_mdm',
  'summarize',
  'read_transcript',
  'send_mail',
  'send_code',
  'export_client',
  'cut_audio',
] as const
export type JobKind = (typeof JOB_KINDS)[number]

/** Kinds that share the places of their workers: one order is among all of them. */
export const WRITING_KINDS = ['write_note', 'derive_mdm', 'summarize', 'read_transcript'] as const
export const JOINING_KINDS = ['join_audio', 'cut_audio'] as const

const listKindsBeside = (kind: JobKind): readonly JobKind[] =>
  [WRITING_KINDS, JOINING_KINDS].find((kinds: readonly JobKind[]) => kinds.includes(kind)) ?? [kind]

/** What the jobs are about that are about no session. */
interface OtherSubjects {
  write_note: GenerationId
  send_mail: MailId
  send_code: SignInId
  export_client: ExportId
}

export type SessionJobKind = Exclude<JobKind, keyof OtherSubjects>

/** What a job of each kind is about. */
export interface JobSubjects extends OtherSubjects, Record<SessionJobKind, SessionId> {}

/** A claim: good until its lease ends, and told from the next one by its fence. */
export interface JobOf<Kind extends JobKind> extends TenantScope {
  jobId: JobId
  kind: Kind
  subjectId: JobSubjects[Kind]
  attempts: number
  fence: number
}

export type SessionJob = JobOf<SessionJobKind>
/** One of several kinds: by its kind it is known what it is about. */
export type OneOf<Kind extends JobKind> = Kind extends JobKind ? JobOf<Kind> : never
export type Job = OneOf<JobKind>

/** A job before anybody has claimed it. */
interface WaitingJob<Kind extends JobKind> {
  kind: Kind
  subjectId: JobSubjects[Kind]
}

/** One that has ended is due again; one that waits or runs is left as it is. */
export const insertJob = <Kind extends JobKind>(
  tenant: TenantScope,
  job: WaitingJob<Kind> & { jobId: JobId; delayMs: number },
): Statement => ({
  name: 'insert_job',
  text: `insert into casenote.jobs (tenant_id, job_id, kind, subject_id, due_at, turn_of, place)
    select $1::uuid, $2::uuid, $3::text, $4::uuid, now() + $5 * interval '1 millisecond', t.turn_of, casenote.place_of($1, t.turn_of, $3, $6)
      from (select casenote.turn_of($1, $3, $4) as turn_of) t
    on conflict (tenant_id, kind, subject_id) do update
      set status = 'waiting', due_at = excluded.due_at, turn_of = excluded.turn_of, place = excluded.place, attempts = 0,
        ended_at = null, outage_since = null
      where jobs.status in ('done', 'parked')`,
  values: [tenant.tenantId, job.jobId, job.kind, job.subjectId, job.delayMs, listKindsBeside(job.kind)],
})

/** One that has ended well is due again; one that was given up stays so. */
export const wakeJob = <Kind extends JobKind>(
  tenant: TenantScope,
  job: WaitingJob<Kind> & { jobId: JobId; delayMs: number },
): Statement => ({
  name: 'wake_job',
  text: `insert into casenote.jobs (tenant_id, job_id, kind, subject_id, due_at, turn_of, place)
    select $1::uuid, $2::uuid, $3::text, $4::uuid, now() + $5 * interval '1 millisecond', t.turn_of, casenote.place_of($1, t.turn_of, $3, $6)
      from (select casenote.turn_of($1, $3, $4) as turn_of) t
    on conflict (tenant_id, kind, subject_id) do update
      set status = 'waiting', due_at = excluded.due_at, turn_of = excluded.turn_of, place = excluded.place, attempts = 0,
        ended_at = null, outage_since = null
      where jobs.status = 'done'
    returning 1`,
  values: [tenant.tenantId, job.jobId, job.kind, job.subjectId, job.delayMs, listKindsBeside(job.kind)],
})

/** Makes a job due that there is already, without waiting for whoever has it: they locked it, and are told of what is new in another way. */
export const rouseJob = <Kind extends JobKind>(
  tenant: TenantScope,
  { kind, subjectId }: WaitingJob<Kind>,
): Statement => ({
  name: 'rouse_job',
  text: `update casenote.jobs set status = 'waiting', due_at = now(), place = casenote.place_of($1, turn_of, kind, $4), attempts = 0,
      ended_at = null, outage_since = null
    where tenant_id = $1 and job_id in (select j.job_id from casenote.jobs j
      where j.tenant_id = $1 and j.kind = $2 and j.subject_id = $3 and j.status = 'done'
      for update skip locked)
    returning 1`,
  values: [tenant.tenantId, kind, subjectId, listKindsBeside(kind)],
})

/** One that waits for a server that is away, or past its time for this long, is waited for by nobody. */
export const selectPendingJob = <Kind extends JobKind>(
  tenant: TenantScope,
  { kind, subjectId, overdueMs }: WaitingJob<Kind> & { overdueMs: number },
): Statement => ({
  name: 'select_pending_job',
  text: `select from casenote.jobs where tenant_id = $1 and kind = $2 and subject_id = $3 and outage_since is null
    and (status = 'waiting' and due_at > now() - $4 * interval '1 millisecond'
      or status = 'running' and claimed_at > now() - $4 * interval '1 millisecond')`,
  values: [tenant.tenantId, kind, subjectId, overdueMs],
})

export const claimJob = <Kind extends JobKind>(
  kinds: readonly Kind[],
  leaseMs: number,
  passedOver: readonly string[] = [],
): Statement<OneOf<Kind>> => ({
  name: 'claim_job',
  text: `select tenant_id as "tenantId", job_id as "jobId", kind, subject_id as "subjectId", attempts, fence
    from casenote.claim_job($1, $2, $3)`,
  values: [kinds, leaseMs, passedOver],
})

export const renewJobs = (jobs: readonly Job[], leaseMs: number): Statement<{ jobId: JobId }> => ({
  name: 'renew_jobs',
  text: 'select casenote.renew_jobs($1, $2, $3, $4) as "jobId"',
  values: [
    jobs.map(({ tenantId }) => tenantId),
    jobs.map(({ jobId }) => jobId),
    jobs.map(({ fence }) => fence),
    leaseMs,
  ],
})

export const releaseJobs = (): Statement<{ count: number }> => ({
  name: 'release_jobs',
  text: 'select casenote.release_jobs() as count',
  values: [],
})

export const purgeJobs = (keptDays: number, most: number): Statement => ({
  name: 'purge_jobs',
  text: "select casenote.purge_jobs(now() - $1 * interval '1 day', $2) as count",
  values: [keptDays, most],
})

/** `away`: waits for a server that is away; `later`: for its time. */
export const JOB_STATES = ['due', 'later', 'away', 'running'] as const

export interface JobCount {
  kind: JobKind
  state: (typeof JOB_STATES)[number]
  jobs: number
  /** How long ago the oldest job that is due became so. */
  oldestDueMs: number | null
}

export const describeJobQueue = (): Statement<JobCount> => ({
  name: 'describe_job_queue',
  text: `select kind, state, jobs, oldest_due_ms as "oldestDueMs" from casenote.describe_job_queue()`,
  values: [],
})

export interface EndOf<Kind extends JobKind> {
  kind: Kind
  /** `parked`: given up. */
  status: 'done' | 'parked'
  endedAt: Date
  tenantId: TenantId
  subjectId: JobSubjects[Kind]
}
export type NewestEnd = EndOf<JobKind>

/** Some hours of a busy installation, by the index of what has ended. */
const endsLookedAt = 10_000

/** For the owner: the newest of each kind that ended well, and that was given up. */
export const selectNewestEnds = (): Statement<NewestEnd> => ({
  text: `select distinct on (e.kind, e.status) e.kind, e.status, e.ended_at as "endedAt", e.tenant_id as "tenantId",
      e.subject_id as "subjectId"
    from (select kind, status, ended_at, tenant_id, subject_id from casenote.jobs where status in ('done', 'parked')
      order by ended_at desc limit ${endsLookedAt}) e
    order by e.kind, e.status, e.ended_at desc`,
  values: [],
})

/** No row: the job is another's by now. */
export const endJob = ({ tenantId, jobId, fence }: Job, status: 'done' | 'parked'): Statement => ({
  name: 'end_job',
  text: `update casenote.jobs set status = $4, leased_until = null, ended_at = now()
    where tenant_id = $1 and job_id = $2 and fence = $3 and status = 'running' returning 1`,
  values: [tenantId, jobId, fence, status],
})

/**
 * One that its worker is about to end is passed over: it has locked the job and waits for the session, which the caller has locked, and will find
 * nothing to keep.
 */
export const endJobs = (tenant: TenantScope, subjectIds: readonly JobSubjects[JobKind][]): Statement => ({
  name: 'end_jobs',
  text: `update casenote.jobs set status = 'done', due_at = null, leased_until = null, ended_at = now()
    where tenant_id = $1 and job_id in (select j.job_id from casenote.jobs j
      where j.tenant_id = $1 and j.kind = any($2) and j.subject_id = any($3::uuid[]) and j.status in ('waiting', 'running')
      for update skip locked)`,
  values: [tenant.tenantId, JOB_KINDS, subjectIds],
})

/** Locks jobs that wait, so that nobody takes one. What is not locked is in a worker's hands. */
export const lockWaitingJobs = <Kind extends JobKind>(
  tenant: TenantScope,
  subjectId: JobSubjects[Kind],
  kinds: readonly Kind[],
): Statement<{ inHands: number }> => ({
  text: `with active as (select j.job_id, j.status from casenote.jobs j
      where j.tenant_id = $1 and j.subject_id = $2 and j.kind = any($3) and j.status in ('waiting', 'running')),
    locked as (select j.job_id from casenote.jobs j where j.tenant_id = $1 and j.job_id in (select a.job_id from active a
      where a.status = 'waiting') and j.status = 'waiting' for update skip locked)
    select (select count(*) from active)::int - (select count(*) from locked)::int as "inHands"`,
  values: [tenant.tenantId, subjectId, kinds],
})

export const selectDueJob = <Kind extends JobKind>(
  tenant: TenantScope,
  { kind, subjectId }: WaitingJob<Kind>,
): Statement => ({
  text: `select 1 from casenote.jobs
    where tenant_id = $1 and subject_id = $2 and kind = $3 and status in ('waiting', 'running')`,
  values: [tenant.tenantId, subjectId, kind],
})

/** One that runs, or that a worker is about to take, ends by itself. */
export const endWaitingJob = <Kind extends JobKind>(
  tenant: TenantScope,
  { kind, subjectId }: WaitingJob<Kind>,
): Statement => ({
  name: 'end_waiting_job',
  text: `update casenote.jobs set status = 'done', due_at = null, leased_until = null, ended_at = now()
    where tenant_id = $1 and job_id in (select j.job_id from casenote.jobs j
      where j.tenant_id = $1 and j.kind = $2 and j.subject_id = $3 and j.status = 'waiting'
      for update skip locked)`,
  values: [tenant.tenantId, kind, subjectId],
})

/** No row: the job is another's by now. `release_jobs` passes over a row that is locked. */
export const lockJob = ({ tenantId, jobId, fence }: Job): Statement => ({
  name: 'lock_job',
  text: `select 1 as locked from casenote.jobs
    where tenant_id = $1 and job_id = $2 and fence = $3 and status = 'running' for share`,
  values: [tenantId, jobId, fence],
})

/** Keeps that a job came further for good: the outage it waited for is over, and the next one is another. */
export const advanceJob = ({ tenantId, jobId, fence }: Job): Statement => ({
  name: 'advance_job',
  text: `update casenote.jobs set outage_since = null
    where tenant_id = $1 and job_id = $2 and fence = $3 and status = 'running' returning 1`,
  values: [tenantId, jobId, fence],
})

/** From here on attempts count anew: this claim is the first. */
export const restartAttempts = ({ tenantId, jobId, fence }: Job): Statement => ({
  name: 'restart_attempts',
  text: `update casenote.jobs set attempts = 1
    where tenant_id = $1 and job_id = $2 and fence = $3 and status = 'running' and attempts > 1`,
  values: [tenantId, jobId, fence],
})

/** As they are by now: fewer than were claimed with, if the claim came further before it ended. */
export const selectAttempts = ({ tenantId, jobId }: Job): Statement<{ attempts: number }> => ({
  name: 'select_attempts',
  text: 'select attempts from casenote.jobs where tenant_id = $1 and job_id = $2',
  values: [tenantId, jobId],
})

/**
 * `isFree`: the attempt does not count, because nobody is to blame for it but ourselves. Its turn is over: what is put off again and again, as
 * files of a slow server are, would come before a colleague's every time.
 */
export const postponeJob = (
  { tenantId, jobId, fence, kind }: Job,
  { delayMs, isFree }: { delayMs: number; isFree: boolean },
): Statement => ({
  name: 'postpone_job',
  text: `update casenote.jobs set status = 'waiting', leased_until = null,
      due_at = now() + $4 * interval '1 millisecond', attempts = attempts - case when $5 then 1 else 0 end,
      place = casenote.place_of($1, turn_of, kind, $6)
    where tenant_id = $1 and job_id = $2 and fence = $3 and status = 'running' returning 1`,
  values: [tenantId, jobId, fence, delayMs, isFree, listKindsBeside(kind)],
})

/** A claim that nobody could end while the database was away: taken over since, or not, it costs no attempt. */
export const forgiveAttempt = ({ tenantId, jobId }: Job): Statement => ({
  name: 'forgive_attempt',
  text: `update casenote.jobs set attempts = attempts - 1
    where tenant_id = $1 and job_id = $2 and status in ('waiting', 'running') and attempts > 0`,
  values: [tenantId, jobId],
})

/** How a job waits for a server that is away. */
export interface OutageWaits {
  firstMs: number
  /** How long one wait may be, unless the server asks for more. */
  mostMs: number
  /** How long all waits may be together, from the first time that the server was found away. */
  totalMs: number
}

/**
 * Waits half as long as the server has been away, which needs no count, or as long as it asks; costs no attempt. No row:
 * the job has waited its time, or is another's by now.
 */
export const postponeForOutage = (
  { tenantId, jobId, fence, kind }: Job,
  askedMs: number,
  { firstMs, mostMs, totalMs }: OutageWaits,
): Statement<{ waitMs: number }> => ({
  name: 'postpone_for_outage',
  text: `update casenote.jobs set status = 'waiting', leased_until = null, attempts = attempts - 1,
      outage_since = coalesce(outage_since, now()), place = casenote.place_of($1, turn_of, kind, $8),
      due_at = least(
        coalesce(outage_since, now()) + $7 * interval '1 millisecond',
        now() + greatest(
          $4 * interval '1 millisecond',
          least($6 * interval '1 millisecond',
            greatest($5 * interval '1 millisecond', (now() - outage_since) / 2))))
    where tenant_id = $1 and job_id = $2 and fence = $3 and status = 'running'
      and coalesce(outage_since, now()) > now() - $7 * interval '1 millisecond'
    returning extract(epoch from due_at - now())::float * 1000 as "waitMs"`,
  values: [tenantId, jobId, fence, askedMs, firstMs, mostMs, totalMs, listKindsBeside(kind)],
})
