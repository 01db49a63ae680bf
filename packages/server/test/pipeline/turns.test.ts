import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createClient } from '../../src/features/clients/index.js'
import { createClinician } from '../../src/features/clinicians/index.js'
import { enqueueJob, finishJob } from '../../src/jobs/enqueue-job.js'
import { JobRunner } from '../../src/jobs/job-runner.js'
import { claimJob, postponeJob, type Job, type JobKind } from '../../src/jobs/jobs.sql.js'
import { newId } from '../../src/kernel/ids.js'
import { makeLog } from '../../src/kernel/log.js'
import { operator } from '../../src/kernel/operator.js'
import { waitUntil } from '../support/casenote-process.js'
import { asPipeline, startRecord } from '../support/clinical-record.js'
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
    await run(partnerId, 'delete from casenote.jobs where tenant_id = $1')
  }
})

/** Past all roles, to move time and to look. */
const run = (tenantId: string, text: string, ...values: unknown[]): Promise<unknown[]> =>
  service.owner.write({ tenantId }, (tx) => tx.run({ text, values: [tenantId, ...values] }))

const enqueue = (tenantId: string, kind: JobKind = 'summarize', count = 1): Promise<void> =>
  service.db.write({ tenantId }, async (tx) => {
    for (let number = 0; number < count; number += 1) await enqueueJob(tx, kind, newId())
  })

const claimed = async (kind: JobKind = 'summarize', passedOver: string[] = []): Promise<Job> => {
  const [job] = await service.db.throughDoor(claimJob([kind], 20_000, passedOver))
  if (job === undefined) throw new Error('nothing was due')
  return job
}

const finish = (job: Job): Promise<void> => service.db.write(job, (tx) => finishJob(tx, job))

describe('tenants take turns', () => {
  it('when many jobs run: one job of the second is the second claim, behind fifty of the first', async () => {
    await enqueue(first.partnerId, 'summarize', 50)
    await enqueue(second.partnerId)
    const tenants: string[] = []
    for (let count = 0; count < 4; count += 1) tenants.push((await claimed()).tenantId)
    expect(tenants).toEqual([first.partnerId, second.partnerId, first.partnerId, first.partnerId])
  })

  it('when one job runs at a time: the one of the second is next, behind two hundred of the first', async () => {
    await enqueue(first.partnerId, 'summarize', 200)
    await finish(await claimed())
    await enqueue(second.partnerId)
    const tenants: string[] = []
    for (let count = 0; count < 3; count += 1) {
      const job = await claimed()
      tenants.push(job.tenantId)
      await finish(job)
    }
    expect(tenants).toEqual([second.partnerId, first.partnerId, first.partnerId])
  })

  it('at each kind by itself: slow downloads cost no turn at transcribing', async () => {
    await enqueue(first.partnerId, 'fetch_audio', 3)
    for (let count = 0; count < 3; count += 1) await claimed('fetch_audio')
    await enqueue(first.partnerId)
    await enqueue(second.partnerId)
    expect((await claimed()).tenantId).toBe(first.partnerId)
  })

  it('and one that is passed over has none', async () => {
    await enqueue(first.partnerId)
    await enqueue(second.partnerId)
    await expect(claimed('summarize', [first.partnerId, second.partnerId])).rejects.toThrow('nothing was due')
    expect((await claimed('summarize', [first.partnerId])).tenantId).toBe(second.partnerId)
  })
})

describe('clinicians of a tenant take turns', () => {
  /** Sessions of a client, each with its recording to fetch and its note to write. */
  async function start(clientId: string, count: number): Promise<void> {
    const context = asPipeline(await service.keys.get({ tenantId: first.partnerId }))
    for (let number = 0; number < count; number += 1) await startRecord(service.db, context, { clientId })
  }

  async function addColleague(): Promise<{ clinicianId: string; clientId: string }> {
    const { clinicId, partnerId: tenantId } = first
    const of = { firstName: 'Col', lastName: 'League', email: null, phoneNumber: null, externalId: null }
    return service.db.write({ tenantId }, async (tx) => {
      const own = {
        ...of,
        clinicId,
        prescriber: false,
        defaultNoteType: null,
        email: `${newId()}@example.com`,
      }
      const clinicianId = await createClinician(tx, own, operator)
      const clientId = await createClient(tx, { ...of, dateOfBirth: '1990-01-31', clinicianId }, operator)
      return { clinicianId, clientId }
    })
  }

  /** With the clinician in whose turn it was. */
  async function claimOf(kind: JobKind): Promise<Job & { whose: string }> {
    const job = await claimed(kind)
    const [row] = await run(
      first.partnerId,
      'select turn_of from casenote.jobs where tenant_id = $1 and job_id = $2',
      job.jobId,
    )
    return { ...job, whose: (row as { turn_of: string }).turn_of }
  }

  it.each(['write_note', 'fetch_audio'] as const)(
    '%s of a colleague is the second claim, behind many of one; and the next where one runs at a time',
    async (kind) => {
      const colleague = await addColleague()
      await start(first.clientId, 6)
      await start(colleague.clientId, 2)
      const claim = () => claimOf(kind)
      const begun = [await claim(), await claim()]
      expect(begun.map(({ whose }) => whose)).toEqual([first.clinicianId, colleague.clinicianId])
      for (const job of begun) await finish(job)
      const alone: string[] = []
      for (let count = 0; count < 3; count += 1) {
        const job = await claim()
        alone.push(job.whose)
        await finish(job)
      }
      expect(alone).toEqual([first.clinicianId, colleague.clinicianId, first.clinicianId])
    },
  )

  it('what is put off again and again comes behind a colleague’s', async () => {
    const colleague = await addColleague()
    await start(first.clientId, 4)
    for (let count = 0; count < 4; count += 1) {
      const job = await claimOf('fetch_audio')
      await service.db.writeAtOnce(job, postponeJob(job, { delayMs: 0, isFree: true }))
    }
    await start(colleague.clientId, 1)
    const whose = [await claimOf('fetch_audio'), await claimOf('fetch_audio')].map((job) => job.whose)
    expect(whose).toContain(colleague.clinicianId)
  })

  it('what goes quickly moves nobody in a slow lane', async () => {
    const colleague = await addColleague()
    await start(first.clientId, 20)
    for (let count = 0; count < 20; count += 1) await finish(await claimed('fetch_audio'))
    await finish(await claimed('write_note'))
    await start(colleague.clientId, 1)
    const whose = [await claimOf('write_note'), await claimOf('write_note')].map((job) => job.whose)
    expect(whose).toContain(colleague.clinicianId)
  })
})

describe('a lane that leaves room', () => {
  it('gives the first tenant half of its places, the second half of the rest, and all that come after find one', async () => {
    const running: Job[] = []
    let end = (): void => {}
    const isOver = new Promise<void>((resolve) => {
      end = resolve
    })
    const runner = new JobRunner({
      db: service.db,
      listenUrl: service.database.databaseUrl,
      log: makeLog('silent', 'test'),
      lanes: [{ kinds: ['summarize'], places: 8, leavesRoom: true }],
      handlers: {
        run: async (job) => {
          running.push(job)
          await isOver
          await finish(job)
        },
        giveUp: () => Promise.reject(new Error('must not be called')),
      },
    })
    onTestFinished(() => runner.close())
    const third = await service.addPartner()
    const held = ({ partnerId }: TestPartner): number =>
      running.filter(({ tenantId }) => tenantId === partnerId).length
    runner.start()
    // Each is there with its job before the next one has any, and the last one finds a place at once.
    for (const [partner, places] of [
      [first, 4],
      [second, 2],
      [third, 1],
    ] as const) {
      await enqueue(partner.partnerId, 'summarize', 20)
      await waitUntil(async () => held(partner) === places, `${places} places are held`)
    }
    expect([first, second, third].map(held)).toEqual([4, 2, 1])
    end()
    await waitUntil(async () => running.length === 60, 'all jobs have run')
  })

  it('gives a place to a tenant that has none, though slow ones have taken all', async () => {
    const slow = [first, second, await service.addPartner()]
    const fast = await service.addPartner()
    const begun: Job[] = []
    const broken: Job[] = []
    const finished: Job[] = []
    const runner = new JobRunner({
      db: service.db,
      listenUrl: service.database.databaseUrl,
      log: makeLog('silent', 'test'),
      lanes: [{ kinds: ['summarize'], places: 4, leavesRoom: true, turnMs: 100 }],
      handlers: {
        run: async (job, signal) => {
          begun.push(job)
          if (job.tenantId !== fast.partnerId) {
            await new Promise((resolve) => {
              signal.addEventListener('abort', resolve)
            })
            broken.push(job)
            throw new Error('broken off')
          }
          await finish(job)
          finished.push(job)
        },
        giveUp: () => Promise.reject(new Error('must not be called')),
      },
    })
    onTestFinished(() => runner.close())
    runner.start()
    for (const [index, { partnerId }] of slow.entries()) {
      await enqueue(partnerId, 'summarize', 5)
      const taken = [2, 3, 4][index]
      await waitUntil(async () => begun.length === taken, `${taken} places are taken`)
    }
    await enqueue(fast.partnerId)
    await waitUntil(async () => finished.length === 1, 'the fast one has had its turn')
    // Of the tenant with two of the places, and it costs no attempt.
    expect(broken.map(({ tenantId }) => tenantId)).toEqual([first.partnerId])
    const [row] = await run(
      first.partnerId,
      `select attempts - (status = 'running')::int as spent from casenote.jobs where tenant_id = $1 and job_id = $2`,
      broken[0]?.jobId,
    )
    expect(row).toEqual({ spent: 0 })
  })
})
