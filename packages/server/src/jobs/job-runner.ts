import { Listener } from '../kernel/db/announcements.js'
import type { Database } from '../kernel/db/database.js'
import { isDatabaseAway } from '../kernel/db/db-errors.js'
import { tolerateFailure, type Log } from '../kernel/log.js'
import { startTrace } from '../kernel/tracing/trace.js'
import { hasBeaten, Vital } from '../kernel/vital.js'
import { Bell } from './bell.js'
import { DutyRunner } from './duties.js'
import { JobLost } from './enqueue-job.js'
import {
  claimJob,
  forgiveAttempt,
  postponeJob,
  releaseJobs,
  renewJobs,
  selectAttempts,
  type Job,
} from './jobs.sql.js'
import { findRoom, type Lane, type Running } from './share-places.js'

export interface JobHandlers<Claimed extends Job = Job> {
  /** Does the work and ends the job in the transaction that keeps the result. */
  run(job: Claimed, signal: AbortSignal): Promise<void>
  /** Called after the last attempt: ends the job as parked, and tells whoever waits for it. */
  giveUp(job: Claimed, signal: AbortSignal): Promise<void>
}

/** How a claim ended: `given_back` and `lost` cost no attempt. */
export type ClaimEnd = 'ended' | 'failed' | 'given_up' | 'given_back' | 'lost'

/** A worker that dies is replaced within this and one release. */
const leaseMs = 20_000
const renewEveryMs = 5_000
const releaseEveryMs = 2_000
const pollMs = 1_000

/** Five claims that came no further: a fault that passes, passes within minutes; a recording that kills its worker must stop doing so. */
const attemptsMax = 5
const retryDelaysMs = [2_000, 10_000, 30_000, 60_000]

/** Until a fail-over is over, whoever asks again is told the same. */
const awayDelayMs = 2_000

/** A job that breaks its connection itself, each time, must end as well: beyond these in a row it costs attempts. */
const awayMost = 5
const awayJobsMost = 1_000

/** SIGTERM must end the process within 15 s: what is still running is given back, and costs no attempt. */
const finishWithinMs = 3_000

/** Runs jobs of all tenants, any number of runners beside each other. Safe to kill at any line. */
export class JobRunner {
  readonly #db: Database
  readonly #log: Log
  readonly #lanes: readonly Lane[]
  readonly #handlers: JobHandlers
  readonly #onClaimEnd: (job: Job, end: ClaimEnd, elapsedMs: number) => void
  readonly #listener: Listener
  readonly #duties: DutyRunner
  readonly #bells: Bell[]
  /** One for each lane: that it takes jobs. */
  readonly vitals: readonly Vital[]
  readonly #running = new Map<Job, Running>()
  /** Claims that ended because the database was away, which it could not be told: at most as many as there are places. */
  readonly #owed = new Set<Job>()
  /** How often in a row each job found the database away; of jobs of this process that have not ended. */
  readonly #awayTimes = new Map<string, number>()
  #loops: Promise<unknown> = Promise.resolve()
  #ends = new Set<Promise<void>>()
  #isStopping = false

  constructor(options: {
    db: Database
    listenUrl: string
    log: Log
    lanes: readonly Lane[]
    handlers: JobHandlers
    onClaimEnd?: (job: Job, end: ClaimEnd, elapsedMs: number) => void
  }) {
    const { db, listenUrl, log, lanes, handlers, onClaimEnd } = options
    this.#db = db
    this.#log = log
    this.#lanes = lanes
    this.#handlers = handlers
    this.#onClaimEnd = onClaimEnd ?? (() => {})
    this.#bells = lanes.map(() => new Bell())
    this.vitals = lanes.map(() => new Vital('jobs'))
    this.#duties = new DutyRunner(log)
    const onRing = (): void => this.#ring()
    this.#listener = new Listener({ url: listenUrl, channel: 'casenote_jobs', onRing, log })
  }

  start(): void {
    this.#listener.start()
    const loops = this.#lanes.map((lane, index) =>
      this.#loop(lane, this.#bells[index] as Bell, this.vitals[index] as Vital),
    )
    this.#loops = Promise.all(loops)
    this.#duties.start([
      { name: 'job.renew', pauseMs: renewEveryMs, run: () => this.#renew() },
      { name: 'job.release', pauseMs: releaseEveryMs, run: () => this.#takeOver() },
    ])
  }

  /** Whether it has looked for everything once. */
  isPolling(): boolean {
    return this.vitals.every(hasBeaten) && this.#duties.isPolling()
  }

  async close(): Promise<void> {
    this.#isStopping = true
    this.#ring()
    await this.#loops
    const timer = setTimeout(() => this.#abortAll(), finishWithinMs)
    await Promise.all(this.#ends)
    clearTimeout(timer)
    await this.#duties.stop()
    await this.#listener.close()
  }

  #abortAll(): void {
    for (const { controller } of this.#running.values()) controller.abort(new GivenBack('the worker stops'))
  }

  #ring(): void {
    for (const bell of this.#bells) bell.ring()
  }

  async #loop(lane: Lane, bell: Bell, vital: Vital): Promise<void> {
    while (!this.#isStopping) {
      let hasMore = false
      await tolerateFailure(this.#log, 'claiming jobs is tried again', async () => {
        hasMore = await this.#claim(lane, bell)
        vital.succeed()
      })
      if (!hasMore) await bell.wait(pollMs)
    }
  }

  #runningIn({ kinds }: Lane): Running[] {
    return [...this.#running.values()].filter(({ job }) => kinds.includes(job.kind))
  }

  async #claim(lane: Lane, bell: Bell): Promise<boolean> {
    const room = findRoom(lane, this.#runningIn(lane), performance.now())
    if (room === null) return false
    const claim = claimJob(lane.kinds, leaseMs, room.passedOver)
    const [job] = await this.#db.throughDoor(claim)
    if (job === undefined) return false
    room.late?.controller.abort(new GivenBack('another tenant has no place'))
    const end = this.#run(job).finally(() => {
      this.#running.delete(job)
      this.#ends.delete(end)
      bell.ring()
    })
    this.#ends.add(end)
    return true
  }

  async #run(job: Job): Promise<void> {
    const controller = new AbortController()
    const startedMs = performance.now()
    this.#running.set(job, { job, controller, startedMs })
    const trace = startTrace({
      name: `job.${job.kind}`,
      kind: 'internal',
      about: job.subjectId,
      facts: { ...factsOf(job), attempt: job.attempts },
    })
    let end: ClaimEnd = 'failed'
    let failure: unknown
    try {
      end = await trace.within(() => this.#attempt(job, controller.signal))
      this.#awayTimes.delete(job.jobId)
    } catch (error) {
      // What is broken off may throw an error of its own, as timers and streams of Node do; the reason is ours.
      const { aborted, reason } = controller.signal
      const cause: unknown = aborted ? reason : error
      failure = cause
      await tolerateFailure(this.#log, 'its lease runs out', async () => {
        const isAway = this.#isFreeOutage(job, cause)
        if (isAway) this.#owed.add(job)
        end = await this.#fail(job, cause, { isAway, signal: controller.signal })
        this.#owed.delete(job)
      })
    }
    trace.add({ end })
    trace.end(failure)
    this.#onClaimEnd(job, end, performance.now() - startedMs)
  }

  async #attempt(job: Job, signal: AbortSignal): Promise<ClaimEnd> {
    const { jobId, kind, subjectId, attempts } = job
    // A claim beyond the last attempt comes from one that was killed, not one that failed: nobody gave it up yet.
    const isOver = attempts > attemptsMax
    if (isOver) await this.#handlers.giveUp(job, signal)
    else await this.#handlers.run(job, signal)
    this.#log.info({ jobId, kind, subjectId, attempts }, 'claim ended')
    return isOver ? 'given_up' : 'ended'
  }

  async #fail(
    job: Job,
    error: unknown,
    { isAway, signal }: { isAway: boolean; signal: AbortSignal },
  ): Promise<ClaimEnd> {
    const { jobId, kind, subjectId } = job
    const names = { jobId, kind, subjectId, attempts: job.attempts }
    if (error instanceof JobLost) {
      this.#log.warn(names, 'job lost')
      return 'lost'
    }
    const isFree = isAway || error instanceof GivenBack
    this.#log.warn({ ...names, err: error }, isFree ? 'job given back' : 'job failed')
    const attempts = isFree ? job.attempts : await this.#countAttempts(job)
    if (!isFree && attempts >= attemptsMax) {
      try {
        await this.#handlers.giveUp(job, signal)
      } catch (cause) {
        if (!(signal.reason instanceof GivenBack)) throw cause
        await this.#db.writeAtOnce(job, postponeJob(job, { delayMs: 0, isFree: true }))
        return 'given_back'
      }
      return 'given_up'
    }
    const delayMs = isAway ? awayDelayMs : isFree ? 0 : (retryDelaysMs[attempts - 1] ?? 0)
    await this.#db.writeAtOnce(job, postponeJob(job, { delayMs, isFree }))
    return isFree ? 'given_back' : 'failed'
  }

  async #countAttempts(job: Job): Promise<number> {
    const [row] = await this.#db.read(job, selectAttempts(job))
    return row?.attempts ?? job.attempts
  }

  /** That it costs no attempt, whether the database can be told now or only later. */
  #isFreeOutage({ jobId }: Job, error: unknown): boolean {
    if (!isDatabaseAway(error)) {
      if (!(error instanceof JobLost)) this.#awayTimes.delete(jobId)
      return false
    }
    const times = (this.#awayTimes.get(jobId) ?? 0) + 1
    // What has ended in other processes is not told here.
    if (this.#awayTimes.size >= awayJobsMost) this.#awayTimes.clear()
    this.#awayTimes.set(jobId, times)
    return times <= awayMost
  }

  async #renew(): Promise<void> {
    await this.#payBack()
    const jobs = [...this.#running.keys()]
    if (jobs.length === 0) return
    const rows = await this.#db.throughDoor(renewJobs(jobs, leaseMs))
    const ours = new Set(rows.map(({ jobId }) => jobId))
    for (const job of jobs) if (!ours.has(job.jobId)) this.#running.get(job)?.controller.abort(new JobLost())
  }

  /** The lease has run out meanwhile, or does so soon. */
  async #payBack(): Promise<void> {
    for (const job of this.#owed) {
      await this.#db.writeAtOnce(job, forgiveAttempt(job))
      this.#owed.delete(job)
    }
  }

  async #takeOver(): Promise<void> {
    const [row] = await this.#db.throughDoor(releaseJobs())
    if ((row?.count ?? 0) > 0) this.#ring()
  }
}

const factsOf = ({ tenantId, jobId, kind, subjectId }: Job) => ({ tenantId, jobId, jobKind: kind, subjectId })

/** Why a job was broken off that costs no attempt. */
class GivenBack extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'GivenBack'
  }
}
