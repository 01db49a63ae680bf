import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { DutyRunner } from '../../src/jobs/duties.js'
import { countAttemptsAnew, endJobsOf, enqueueJob, finishJob, JobLost } from '../../src/jobs/enqueue-job.js'
import { JobRunner, type JobHandlers } from '../../src/jobs/job-runner.js'
import {
  claimJob,
  postponeJob,
  releaseJobs,
  renewJobs,
  type Job,
  type JobKind,
} from '../../src/jobs/jobs.sql.js'
import type { Database } from '../../src/kernel/db/database.js'
import { DatabaseAway } from '../../src/kernel/db/db-errors.js'
import { newId } from '../../src/kernel/ids.js'
import { makeLog } from '../../src/kernel/log.js'
import { waitUntil } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let first: TestPartner
let second: TestPartner

beforeAll(async () => {
  service = await makeTestService()
  first = await service.addPartner()
  second = await service.addPartner()
})
afterAll(() => service.close())

beforeEach(async () => {
  for (const { partnerId } of [first, second]) {
    await run(
      partnerId,
      `update casenote.jobs set status = 'done', ended_at = now(), due_at = null,
      leased_until = null where tenant_id = $1 and status in ('waiting', 'running')`,
    )
  }
})

interface JobRow {
  status: string
  attempts: number
  fence: number
  dueInMs: number | null
}

/** Past all roles, to move time and to look. */
const run = (tenantId: string, text: string, ...values: unknown[]): Promise<unknown[]> =>
  service.owner.write({ tenantId }, (tx) => tx.run({ text, values: [tenantId, ...values] }))

const enqueue = async (
  tenantId: string,
  kind: JobKind = 'summarize',
  subjectId: string = newId(),
): Promise<string> => {
  await service.db.write({ tenantId }, (tx) => enqueueJob(tx, kind, subjectId))
  return subjectId
}

const claim = async (...kinds: JobKind[]): Promise<Job | null> => {
  const wanted = kinds.length === 0 ? (['summarize'] as const) : kinds
  const [job] = await service.db.throughDoor(claimJob(wanted, 20_000))
  return job ?? null
}

const claimed = async (): Promise<Job> => {
  const job = await claim()
  if (job === null) throw new Error('nothing was due')
  return job
}

const jobsAbout = async (tenantId: string, subjectId: string): Promise<JobRow[]> =>
  (await run(
    tenantId,
    `select status, attempts, fence::int as fence, extract(epoch from due_at - now())::float * 1000 as "dueInMs"
     from casenote.jobs where tenant_id = $1 and subject_id = $2`,
    subjectId,
  )) as JobRow[]

const jobAbout = async (tenantId: string, subjectId: string): Promise<JobRow> => {
  const [job, ...others] = await jobsAbout(tenantId, subjectId)
  if (job === undefined || others.length > 0) throw new Error('there is not exactly one job')
  return job
}

const loseLease = ({ tenantId, jobId }: Job): Promise<unknown[]> =>
  run(
    tenantId,
    `update casenote.jobs set leased_until = now() - interval '1 second' where tenant_id = $1 and job_id = $2`,
    jobId,
  )

const makeDue = (tenantId: string, subjectId: string): Promise<unknown[]> =>
  run(tenantId, 'update casenote.jobs set due_at = now() where tenant_id = $1 and subject_id = $2', subjectId)

const finish = (job: Job, status?: 'done' | 'parked'): Promise<void> =>
  service.db.write(job, (tx) => finishJob(tx, job, status))

function startRunner(handlers: JobHandlers, places = 1, db: Database = service.db): JobRunner {
  const runner = new JobRunner({
    db,
    listenUrl: service.database.databaseUrl,
    log: makeLog('silent', 'test'),
    lanes: [{ kinds: ['summarize'], places }],
    handlers,
  })
  runner.start()
  onTestFinished(() => runner.close())
  return runner
}

const never = async (): Promise<void> => {
  throw new Error('must not be called')
}

describe('claiming', () => {
  it('takes a job once, however many ask at once', async () => {
    for (let count = 0; count < 10; count += 1) await enqueue(first.partnerId)
    const claims = await Promise.all(Array.from({ length: 40 }, () => claim()))
    const ids = claims.filter((job) => job !== null).map(({ jobId }) => jobId)
    expect(new Set(ids).size).toBe(ids.length)
    for (let job = await claim(); job !== null; job = await claim()) ids.push(job.jobId)
    expect([ids.length, new Set(ids).size]).toEqual([10, 10])
  })

  it('takes the longest due of a tenant, of the kinds asked for alone', async () => {
    const late = await enqueue(first.partnerId)
    const early = await enqueue(first.partnerId)
    const other = await enqueue(first.partnerId, 'transcribe')
    await run(
      first.partnerId,
      `update casenote.jobs set due_at = now() - interval '1 hour' where tenant_id = $1 and subject_id = any($2)`,
      [early, other],
    )
    expect([(await claim())?.subjectId, (await claim())?.subjectId, await claim()]).toEqual([
      early,
      late,
      null,
    ])
    expect((await claim('transcribe'))?.subjectId).toBe(other)
  })

  it('takes nothing that is not due yet', async () => {
    const subjectId = await enqueue(first.partnerId)
    const job = await claimed()
    await service.db.writeAtOnce(job, postponeJob(job, { delayMs: 60_000, isFree: false }))
    expect(await claim()).toBeNull()
    await makeDue(first.partnerId, subjectId)
    expect(await claim()).toMatchObject({ subjectId, attempts: 2, fence: 2 })
  })
})

describe('enqueuing', () => {
  it('twice is once, while it waits and while it runs', async () => {
    const subjectId = await enqueue(first.partnerId)
    await enqueue(first.partnerId, 'summarize', subjectId)
    const job = await claimed()
    await enqueue(first.partnerId, 'summarize', subjectId)
    expect(await jobAbout(first.partnerId, subjectId)).toMatchObject({ status: 'running', fence: 1 })
    await finish(job)
    expect(await claim()).toBeNull()
  })

  it.each(['done', 'parked'] as const)(
    'again after it was %s runs it again, with all its attempts',
    async (end) => {
      const subjectId = await enqueue(first.partnerId)
      await finish(await claimed(), end)
      await enqueue(first.partnerId, 'summarize', subjectId)
      expect(await jobAbout(first.partnerId, subjectId)).toMatchObject({ status: 'waiting', attempts: 0 })
      expect(await claimed()).toMatchObject({ subjectId, attempts: 1, fence: 2 })
    },
  )

  it('in a transaction that fails enqueues nothing', async () => {
    const tenant = { tenantId: first.partnerId }
    const subjectId = newId()
    const failing = service.db.write(tenant, async (tx) => {
      await enqueueJob(tx, 'summarize', subjectId)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await jobsAbout(first.partnerId, subjectId)).toEqual([])
  })
})

describe('a lease', () => {
  it('that ran out is taken over under the next fence, and the late one keeps nothing', async () => {
    const subjectId = await enqueue(first.partnerId)
    const late = await claimed()
    await loseLease(late)
    await service.db.throughDoor(releaseJobs())
    const next = await claimed()
    expect(next).toMatchObject({ subjectId, attempts: 2, fence: 2 })

    const madeByLate = newId()
    const keeping = service.db.write(late, async (tx) => {
      await enqueueJob(tx, 'transcribe', madeByLate)
      await finishJob(tx, late)
    })
    await expect(keeping).rejects.toBeInstanceOf(JobLost)
    expect(await jobsAbout(first.partnerId, madeByLate)).toEqual([])
    expect(await service.db.throughDoor(renewJobs([late], 20_000))).toEqual([])
    await service.db.writeAtOnce(late, postponeJob(late, { delayMs: 0, isFree: true }))
    expect(await jobAbout(first.partnerId, subjectId)).toMatchObject({ status: 'running', fence: 2 })

    await finish(next)
    expect(await jobAbout(first.partnerId, subjectId)).toMatchObject({ status: 'done' })
    await expect(finish(next)).rejects.toBeInstanceOf(JobLost)
  })

  it('that was renewed is left alone', async () => {
    const subjectId = await enqueue(first.partnerId)
    const job = await claimed()
    await loseLease(job)
    expect(await service.db.throughDoor(renewJobs([job], 20_000))).toEqual([{ jobId: job.jobId }])
    await service.db.throughDoor(releaseJobs())
    expect(await jobAbout(first.partnerId, subjectId)).toMatchObject({ status: 'running', fence: 1 })
  })
})

describe('a runner', () => {
  it('beside others runs each job once, and no more at once than it has places', async () => {
    const ran: string[] = []
    let atOnce = 0
    let most = 0
    const handlers: JobHandlers = {
      run: async (job) => {
        most = Math.max(most, (atOnce += 1))
        ran.push(job.subjectId)
        await finish(job)
        atOnce -= 1
      },
      giveUp: never,
    }
    for (let count = 0; count < 3; count += 1) startRunner(handlers, 2)
    const subjects = await Promise.all(
      Array.from({ length: 30 }, (_, index) => enqueue((index % 2 === 0 ? first : second).partnerId)),
    )
    const isOver = async (): Promise<boolean> => ran.length >= subjects.length && atOnce === 0
    await waitUntil(isOver, 'all jobs ran')
    expect(ran.toSorted()).toEqual(subjects.toSorted())
    expect(most).toBeLessThanOrEqual(6)
  })

  it('tries one that fails again, later each time, and gives it up after five attempts', async () => {
    const ran: number[] = []
    const givenUp: number[] = []
    const subjectId = newId()
    startRunner({
      run: async ({ attempts }) => {
        ran.push(attempts)
        throw new Error('a fault')
      },
      giveUp: async (job) => {
        await finish(job, 'parked')
        givenUp.push(job.attempts)
      },
    })
    await enqueue(first.partnerId, 'summarize', subjectId)
    for (const [index, delayMs] of [2_000, 10_000, 30_000, 60_000].entries()) {
      const isPostponed = async (): Promise<boolean> => {
        const { status, attempts } = await jobAbout(first.partnerId, subjectId)
        return status === 'waiting' && attempts === index + 1
      }
      await waitUntil(isPostponed, `attempt ${index + 1} is over`)
      const { dueInMs } = await jobAbout(first.partnerId, subjectId)
      expect(dueInMs).toBeLessThanOrEqual(delayMs)
      expect(dueInMs).toBeGreaterThan(delayMs - 1_900)
      await makeDue(first.partnerId, subjectId)
    }
    await waitUntil(async () => givenUp.length > 0, 'it is given up')
    expect([ran, givenUp]).toEqual([[1, 2, 3, 4, 5], [5]])
    expect(await jobAbout(first.partnerId, subjectId)).toMatchObject({ status: 'parked', attempts: 5 })
  })

  it('counts attempts since it last came further: hours apart, faults end no long job', async () => {
    const subjectId = await enqueue(first.partnerId)
    let comesFurther = true
    const ran: number[] = []
    const givenUp: number[] = []
    startRunner({
      run: async (job) => {
        ran.push(job.attempts)
        if (comesFurther) await service.db.write(job, (tx) => countAttemptsAnew(tx, job))
        throw new Error('a fault')
      },
      giveUp: async (job) => {
        await finish(job, 'parked')
        givenUp.push(job.attempts)
      },
    })
    const failsOnce = async (): Promise<void> => {
      const before = ran.length
      await makeDue(first.partnerId, subjectId)
      const isOver = async (): Promise<boolean> =>
        ran.length > before && (await jobAbout(first.partnerId, subjectId)).status !== 'running'
      await waitUntil(isOver, 'it failed once more')
    }
    const isPutOff = async (): Promise<boolean> =>
      ran.length === 1 && (await jobAbout(first.partnerId, subjectId)).status === 'waiting'
    await waitUntil(isPutOff, 'it ran and was put off')
    for (let times = 0; times < 7; times += 1) await failsOnce()
    expect(ran).toEqual([1, 2, 2, 2, 2, 2, 2, 2])
    expect((await jobAbout(first.partnerId, subjectId)).dueInMs).toBeLessThanOrEqual(2_000)
    comesFurther = false
    for (let times = 0; times < 4; times += 1) await failsOnce()
    expect([ran.slice(8), givenUp]).toEqual([[2, 3, 4, 5], [5]])
  })

  it('counts no attempt that ended with the connection to the database', async () => {
    const subjectId = await enqueue(first.partnerId)
    const ran: number[] = []
    startRunner({
      run: async (job) => {
        ran.push(job.attempts)
        if (ran.length > 1) return finish(job)
        await service.db.throughDoor({ text: 'select pg_terminate_backend(pg_backend_pid())', values: [] })
      },
      giveUp: never,
    })
    const isDone = async (): Promise<boolean> =>
      (await jobAbout(first.partnerId, subjectId)).status === 'done'
    await waitUntil(isDone, 'it ran again')
    expect(ran).toEqual([1, 1])
  })

  it('counts attempts of one that finds the database away time and again: it may be what breaks the connection', async () => {
    const subjectId = await enqueue(first.partnerId)
    let times = 0
    const fail = async (): Promise<void> => {
      times += 1
      throw new DatabaseAway(null)
    }
    startRunner({ run: fail, giveUp: never })
    for (let free = 1; free <= 5; free += 1) {
      const isPutOff = async (): Promise<boolean> =>
        times === free && (await jobAbout(first.partnerId, subjectId)).status === 'waiting'
      await waitUntil(isPutOff, `it was put off ${free} times`)
      expect(await jobAbout(first.partnerId, subjectId)).toMatchObject({ attempts: 0 })
      await makeDue(first.partnerId, subjectId)
    }
    const attempts = async (): Promise<number> => (await jobAbout(first.partnerId, subjectId)).attempts
    await waitUntil(async () => times === 6 && (await attempts()) === 1, 'it costs an attempt')
  })

  it('gives an attempt back later, where the database could not be told that it ended, but not to what always ends so', async () => {
    const oftenId = await enqueue(first.partnerId)
    let isAway = false
    const db = new Proxy(service.db, {
      get: (target, name: keyof Database) => {
        const found: unknown = target[name]
        if (typeof found !== 'function') return found
        if (isAway && name === 'writeAtOnce') return () => Promise.reject(new DatabaseAway(null))
        return found.bind(target) as unknown
      },
    })
    let times = 0
    const fail = async (): Promise<void> => {
      times += 1
      isAway = times > 5
      throw new DatabaseAway(null)
    }
    startRunner({ run: fail, giveUp: never }, 1, db)
    for (let free = 1; free <= 5; free += 1) {
      const isPutOff = async (): Promise<boolean> =>
        times === free && (await jobAbout(first.partnerId, oftenId)).status === 'waiting'
      await waitUntil(isPutOff, `it was put off ${free} times`)
      await makeDue(first.partnerId, oftenId)
    }
    await waitUntil(async () => times === 6, 'it ran for the sixth time')
    const onceId = await enqueue(first.partnerId)
    await waitUntil(async () => times === 7, 'another one ran')
    expect(await jobAbout(first.partnerId, onceId)).toMatchObject({ status: 'running', attempts: 1 })
    isAway = false
    const attempts = async (): Promise<number> => (await jobAbout(first.partnerId, onceId)).attempts
    await waitUntil(async () => (await attempts()) === 0, 'it is given back')
    expect(await jobAbout(first.partnerId, oftenId)).toMatchObject({ attempts: 1 })
  })

  it('gives up what killed its worker five times, without running it a sixth time', async () => {
    const subjectId = await enqueue(first.partnerId)
    for (let count = 0; count < 5; count += 1) {
      await loseLease(await claimed())
      await service.db.throughDoor(releaseJobs())
    }
    startRunner({ run: never, giveUp: (job) => finish(job, 'parked') })
    const isParked = async (): Promise<boolean> =>
      (await jobAbout(first.partnerId, subjectId)).status === 'parked'
    await waitUntil(isParked, 'it is given up')
  })

  it('breaks off what is wanted no more, and leaves what others asked for', async () => {
    const [subjectId, otherId] = [newId(), newId()]
    const reasons: unknown[] = []
    startRunner(
      {
        run: async (job, signal) => {
          if (job.subjectId === otherId) return finish(job)
          await new Promise<void>((resolve) => {
            signal.addEventListener('abort', () => resolve())
          })
          reasons.push(signal.reason)
          return finish(job)
        },
        giveUp: never,
      },
      2,
    )
    await enqueue(first.partnerId, 'summarize', subjectId)
    await waitUntil(
      async () => (await jobAbout(first.partnerId, subjectId)).status === 'running',
      'it is worked on',
    )
    await enqueue(first.partnerId, 'transcribe', subjectId)
    await service.db.write({ tenantId: first.partnerId }, (tx) => endJobsOf(tx, [subjectId]))
    await enqueue(first.partnerId, 'summarize', otherId)
    await waitUntil(async () => reasons.length === 1, 'its worker is told')
    expect(reasons[0]).toBeInstanceOf(JobLost)
    const statusOf = async (about: string) =>
      (await jobsAbout(first.partnerId, about)).map(({ status }) => status)
    expect(await statusOf(subjectId)).toEqual(['done', 'done'])
    await waitUntil(async () => (await statusOf(otherId))[0] === 'done', 'the other one is done')
  })

  it('takes over what another left behind, and tells a late one that its job is lost', async () => {
    const subjectId = await enqueue(first.partnerId)
    const reasons: unknown[] = []
    const fences: number[] = []
    startRunner(
      {
        run: async (job, signal) => {
          fences.push(job.fence)
          if (fences.length > 1) return finish(job)
          await new Promise<void>((resolve) => {
            signal.addEventListener('abort', () => resolve())
          })
          reasons.push(signal.reason)
          // As a step does that was about to commit.
          return finish(job)
        },
        giveUp: never,
      },
      2,
    )
    await waitUntil(async () => fences.length === 1, 'it runs')
    await run(
      first.partnerId,
      `update casenote.jobs set leased_until = now() - interval '1 second' where tenant_id = $1 and subject_id = $2`,
      subjectId,
    )
    await waitUntil(async () => reasons.length === 1, 'the late one is told')
    expect(fences).toEqual([1, 2])
    expect(reasons[0]).toBeInstanceOf(JobLost)
    expect(await jobAbout(first.partnerId, subjectId)).toMatchObject({
      status: 'done',
      fence: 2,
      attempts: 2,
    })
  })
})

describe('closing a runner', () => {
  const closeWhileRunning = async (handle: (signal: AbortSignal) => Promise<void>): Promise<JobRow> => {
    let hasBegun = false
    const runner = startRunner({
      run: async (job, signal) => {
        hasBegun = true
        await handle(signal)
        await finish(job)
      },
      giveUp: never,
    })
    const subjectId = await enqueue(first.partnerId)
    await waitUntil(async () => hasBegun, 'it runs')
    await runner.close()
    return jobAbout(first.partnerId, subjectId)
  }

  it('lets what is nearly done end', async () => {
    expect(await closeWhileRunning(() => new Promise((resolve) => setTimeout(resolve, 200)))).toMatchObject({
      status: 'done',
    })
  })

  const aborted = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve())
    })

  it.each([
    [
      'with the reason itself',
      async (signal: AbortSignal) => {
        await aborted(signal)
        signal.throwIfAborted()
      },
    ],
    [
      'with an error of its own, as a library throws one',
      async (signal: AbortSignal) => {
        await aborted(signal)
        throw new DOMException('This operation was aborted', 'AbortError')
      },
    ],
  ])(
    'gives back what is still running, at no cost of an attempt, if it breaks off %s',
    async (_how, handle) => {
      const { dueInMs, ...job } = await closeWhileRunning(handle)
      expect(job).toEqual({ status: 'waiting', attempts: 0, fence: 1 })
      expect(dueInMs).toBeLessThanOrEqual(0)
    },
  )
})

it('a worker is at work while a long duty is in its first pass', async () => {
  const duties = new DutyRunner(makeLog('silent', 'test'))
  const passed: string[] = []
  let endSweep = (): void => {}
  const sweep = new Promise<void>((resolve) => (endSweep = resolve))
  duties.start([
    { name: 'sweep', pauseMs: 60_000, isLong: true, run: () => sweep },
    { name: 'seal', pauseMs: 60_000, run: async () => void passed.push('seal') },
  ])
  expect(duties.isPolling()).toBe(false)
  await waitUntil(async () => duties.isPolling(), 'the short duty has run')
  expect(passed).toEqual(['seal'])
  endSweep()
  await duties.stop()
})

it('any number of duties run beside each other without a complaint of Node', async () => {
  const complaints: Error[] = []
  const hear = (warning: Error): void => void complaints.push(warning)
  process.on('warning', hear)
  onTestFinished(() => void process.off('warning', hear))
  const duties = new DutyRunner(makeLog('silent', 'test'))
  const rest = async (): Promise<void> => {}
  duties.start(
    Array.from({ length: 20 }, (_, index) => ({ name: `duty ${index}`, pauseMs: 60_000, run: rest })),
  )
  await waitUntil(async () => duties.isPolling(), 'every duty has run')
  await duties.stop()
  expect(complaints).toEqual([])
})
