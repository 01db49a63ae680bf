import { Readable } from 'node:stream'
import type { ListedAssignment, Page, PartnerApiError, SandboxClock } from '@casenote/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listDueSittings, listSittingsOfMovedClocks } from '../../src/features/client-pages/sittings.sql.js'
import { setNothingTwice, settleSandbox } from '../../src/features/partners/index.js'
import { purgeDeliveries, purgeDeliveriesOfMovedClocks } from '../../src/features/webhooks/index.js'
import {
  listAbandonedRecordings,
  listRecordingsOfMovedClocks,
} from '../../src/features/widget/recordings/uploads.sql.js'
import { enqueueJob } from '../../src/jobs/enqueue-job.js'
import { claimJob, releaseJobs, renewJobs, type Job } from '../../src/jobs/jobs.sql.js'
import {
  findBlob,
  listBlobTenantsOfMovedClocks,
  purgeBlobs,
  scheduleAudioDeletion,
  scheduleAudioOfMovedClocks,
  writeBlob,
} from '../../src/kernel/blobs/index.js'
import { newId } from '../../src/kernel/ids.js'
import { answerAll, makePagesFixture, type PagesFixture } from '../client-pages/pages-fixture.js'
import { waitUntil } from '../support/casenote-process.js'
import { listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { answerWith, makeHooks, makeReceiver, startDispatcher } from '../webhooks/dispatch-fixture.js'
import { openRecording, signIn } from '../widget/widget-fixture.js'

const day = 86_400

let service: TestService
let partner: TestPartner
let tenant: { tenantId: string }
let pages: PagesFixture

beforeAll(async () => {
  service = await makeTestService()
})
afterAll(() => service.close())
beforeEach(async () => {
  partner = await service.addPartner('sandbox')
  tenant = { tenantId: partner.partnerId }
  pages = makePagesFixture(service, partner)
})

const call = (method: 'GET' | 'POST', path: string, payload?: object) =>
  service.ask(partner, method, path, payload)

const advance = async (advanceSeconds: number): Promise<SandboxClock> => {
  const answer = await call('POST', '/sandbox/clock', { advanceSeconds })
  expect(answer.statusCode).toBe(200)
  return answer.json<SandboxClock>()
}

const rows = <Row extends Record<string, unknown>>(text: string, ...values: unknown[]): Promise<Row[]> =>
  service.owner.write(tenant, (tx) => tx.run<Row>({ text, values: [tenant.tenantId, ...values] }))

describe('the clock of a sandbox', () => {
  it('is the real one until it is moved, adds up, and is this tenant’s alone', async () => {
    expect((await call('GET', '/sandbox/clock')).json()).toMatchObject({ aheadSeconds: 0 })
    expect((await advance(60)).aheadSeconds).toBe(60)
    const { now, realNow, aheadSeconds } = await advance(day)
    expect(aheadSeconds).toBe(day + 60)
    expect(Date.parse(now) - Date.parse(realNow)).toBe((day + 60) * 1_000)
    expect((await call('GET', '/sandbox/clock')).json()).toMatchObject({ aheadSeconds })
    const other = await service.addPartner('sandbox')
    const [read] = await rows<{ same: boolean }>(
      'select casenote.tenant_now($2) = now() as same from casenote.tenants where tenant_id = $1',
      other.partnerId,
    )
    expect(read).toEqual({ same: true })
    expect(await listSubjects(service, tenant, 'sandbox.advanceClock', tenant.tenantId)).toHaveLength(2)
  })

  it('moves at once add up, whichever comes first', async () => {
    await Promise.all(Array.from({ length: 8 }, () => advance(10)))
    expect((await call('GET', '/sandbox/clock')).json()).toMatchObject({ aheadSeconds: 80 })
  })

  it.each([
    [{}, ['advanceSeconds should not be empty']],
    [{ advanceSeconds: 0 }, ['advanceSeconds must not be less than 1']],
    [{ advanceSeconds: -day }, ['advanceSeconds must not be less than 1']],
    [{ advanceSeconds: 1.5 }, ['advanceSeconds must be an integer number']],
    [{ advanceSeconds: 401 * day }, ['advanceSeconds must not be greater than 34560000']],
  ])('400 for %j', async (payload, problems) => {
    const answer = await call('POST', '/sandbox/clock', payload)
    expect([answer.statusCode, answer.json<PartnerApiError>().error.message]).toMatchObject([
      400,
      { message: problems },
    ])
  })

  it('409 for more than 400 days all in all', async () => {
    await advance(399 * day)
    const answer = await call('POST', '/sandbox/clock', { advanceSeconds: 2 * day })
    expect([answer.statusCode, answer.json<PartnerApiError>().error.message]).toEqual([
      409,
      'The clock cannot be more than 400 days ahead: reset the sandbox',
    ])
    expect((await advance(day)).aheadSeconds).toBe(400 * day)
  })

  it('shows the real time where the sandbox is not at home', async () => {
    await advance(day)
    await service.db.throughDoor(settleSandbox(false))
    const read = 'select casenote.tenant_now($1) = now() as same'
    expect(await rows(read)).toEqual([{ same: true }])
    await service.db.throughDoor(settleSandbox(true))
    await service.watch.poll()
    expect(await rows(read)).toEqual([{ same: false }])
  })
})

describe('what expires', () => {
  const statuses = async (clientId: string): Promise<string[]> =>
    (await call('GET', `/clients/${clientId}/assessment-assignments`))
      .json<Page<ListedAssignment>>()
      .data.map(({ status }) => status)

  it('links to assessments, and those made afterwards have their whole time', async () => {
    const { clientId, tokens } = await pages.administer(['phq2'])
    await advance(29 * day)
    expect(await statuses(clientId)).toEqual(['outstanding'])
    await advance(day)
    expect(await statuses(clientId)).toEqual(['expired'])
    expect((await pages.open(tokens[0] ?? '')).statusCode).not.toBe(200)
    const later = await pages.administer(['phq2'], clientId)
    expect(await statuses(clientId)).toEqual(['expired', 'outstanding'])
    expect((await pages.open(later.tokens[0] ?? '')).statusCode).toBe(200)
    await advance(30 * day)
    expect(await statuses(clientId)).toEqual(['expired', 'expired'])
    const completed = await call('POST', `/sandbox/assessments/${later.assignmentIds[0]}/complete`, {
      answers: [
        { questionKey: 'phq2_1', answerValue: 1 },
        { questionKey: 'phq2_2', answerValue: 1 },
      ],
    })
    expect(completed.statusCode).toBe(409)
  })

  it('invitations, and pages that are open', async () => {
    const clientId = await pages.addClient()
    const token = await pages.invite(clientId)
    const bearer = await pages.letIn(token, 'invitation')
    expect((await pages.call('GET', '/invitation', bearer)).statusCode).toBe(200)
    await advance(31 * 60)
    expect((await pages.call('GET', '/invitation', bearer)).statusCode).toBe(401)
    expect((await pages.open(token, undefined, { kind: 'invitation' })).statusCode).toBe(200)
    await advance(14 * day)
    expect((await pages.open(token, undefined, { kind: 'invitation' })).statusCode).not.toBe(200)
  })

  it('sittings: half an hour without an answer ends them', async () => {
    const { tokens } = await pages.administer(['phq2'])
    const bearer = await pages.letIn(tokens[0] ?? '')
    await pages.save(bearer, answerAll(await pages.sitting(bearer), 0, 1))
    const isDue = async (list: typeof listDueSittings): Promise<boolean> =>
      (await service.db.throughDoor<{ tenantId: string }>(list(1_000))).some(
        ({ tenantId }) => tenantId === tenant.tenantId,
      )
    await advance(60)
    expect(await isDue(listSittingsOfMovedClocks)).toBe(false)
    await advance(30 * 60)
    expect(await isDue(listSittingsOfMovedClocks)).toBe(true)
    expect(await isDue(listDueSittings)).toBe(false)
  })

  it('refresh tokens, and no access token', async () => {
    const clinician = await signIn(service, partner)
    const renew = (refreshToken: string) =>
      service.call({ method: 'POST', url: '/widget/v1/token', payload: { RefreshToken: refreshToken } })
    await advance(8 * day)
    expect((await clinician.call('GET', '/clinician')).statusCode).toBe(200)
    expect((await call('GET', '/partners')).statusCode).toBe(200)
    expect((await renew(clinician.tokens.RefreshToken)).statusCode).toBe(401)
    const later = await signIn(service, partner)
    expect((await renew(later.tokens.RefreshToken)).statusCode).toBe(200)
  })
})

describe('what is tried again', () => {
  it('webhooks: by the clock that was moved, and no sooner', async () => {
    const receiver = await makeReceiver()
    const running = await startDispatcher(service)
    try {
      const hooks = await makeHooks(service, partner)
      receiver.answer = answerWith(500)
      const endpointId = await hooks.addEndpoint(receiver.url)
      const attempted = (count: number): Promise<void> =>
        waitUntil(async () => {
          const [delivery] = await hooks.deliveries(endpointId)
          return delivery?.attempts.length === count && delivery.status === 'pending'
        }, `${count} attempts are on record`)
      await advance(10 * day)
      await hooks.happen()
      await attempted(1)
      await advance(10)
      await attempted(2)
      // Half an hour later by the schedule: nothing but the clock brings it here within the time of this test.
      const { now } = await advance(600)
      await attempted(3)
      const [delivery] = await hooks.deliveries(endpointId)
      expect(Date.parse(delivery?.nextAttemptAt ?? '')).toBeGreaterThan(Date.parse(now) + 600_000)
      const startedAt = delivery?.attempts.map(({ at }) => Date.parse(at)) ?? []
      expect(Math.max(...startedAt)).toBeLessThanOrEqual(Date.now() + 60_000)
      receiver.answer = answerWith(204)
      await advance(3_600)
      await waitUntil(
        async () => (await hooks.deliveries(endpointId))[0]?.status === 'succeeded',
        'it has arrived',
      )
    } finally {
      await running.close()
      await receiver.close()
    }
  })
})

describe('what is kept', () => {
  it('deliveries, and those made afterwards have their whole time', async () => {
    const hooks = await makeHooks(service, partner)
    const endpointId = await hooks.addEndpoint('http://127.0.0.1:9/hook')
    const finish = async (): Promise<void> => {
      await hooks.happen()
      await hooks.run(
        `insert into casenote.webhook_deliveries
           (tenant_id, delivery_id, endpoint_id, event_id, event_type, trigger, status, next_attempt_at)
         select $1, gen_random_uuid(), $2, event_id, event_type, 'test', 'succeeded', null
         from casenote.events where tenant_id = $1 order by seq desc limit 1`,
        [tenant.tenantId, endpointId],
      )
    }
    const purge = async (): Promise<void> => {
      await service.db.throughDoor(purgeDeliveries(30, 1_000))
      await service.db.throughDoor(purgeDeliveriesOfMovedClocks(30, 1_000))
    }
    await finish()
    await purge()
    expect(await hooks.deliveries(endpointId)).toHaveLength(1)
    await advance(31 * day)
    await finish()
    await purge()
    expect(await hooks.deliveries(endpointId)).toHaveLength(1)
    await advance(31 * day)
    await purge()
    expect(await hooks.deliveries(endpointId)).toHaveLength(0)
  })

  it('recordings, and those made afterwards have their whole time', async () => {
    const keep = async (): Promise<string> =>
      (
        await writeBlob(
          { ...service.blobs, keepDays: 7 },
          tenant,
          'audio',
          Readable.from([Buffer.from('sound')]),
        )
      ).blobId
    const statusOf = async (blobId: string) => (await findBlob(service.blobs, tenant, blobId))?.status
    const before = await keep()
    await advance(8 * day)
    const after = await keep()
    await purgeBlobs(service.blobs, { list: listBlobTenantsOfMovedClocks })
    expect([await statusOf(before), await statusOf(after)]).toEqual(['deleted', 'complete'])
  })

  it('recordings of notes that are signed, by when that was', async () => {
    const { blobId } = await writeBlob(
      { ...service.blobs, keepDays: 365 },
      tenant,
      'audio',
      Readable.from([Buffer.from('sound')]),
    )
    await rows(
      `with kept as (update casenote.sessions set audio_blob_id = $3 where tenant_id = $1 and session_id = $2 returning 1)
       select count(*) from kept`,
      partner.sessionId,
      blobId,
    )
    await advance(30 * day)
    expect((await call('POST', `/progress-notes/${partner.progressNoteId}/finalize`)).statusCode).toBe(200)
    const dueInDays = async (): Promise<number | undefined> => {
      await service.db.throughDoor(scheduleAudioDeletion(7, 1_000))
      await service.db.throughDoor(scheduleAudioOfMovedClocks(7, 1_000))
      const [row] = await rows<{ days: number }>(
        `select round(extract(epoch from delete_after - casenote.tenant_now($1)) / 86400)::int as days
         from casenote.blobs where tenant_id = $1 and blob_id = $2`,
        blobId,
      )
      return row?.days
    }
    // Scheduled a month too early if when it was signed were taken for a time of the moved clock.
    expect(await dueInDays()).toBe(7)
    await advance(3 * day)
    expect(await dueInDays()).toBe(4)
  })

  it('recordings that were never finished, and those begun afterwards have their whole time', async () => {
    const clinician = await signIn(service, partner)
    const listed = async (list = listRecordingsOfMovedClocks): Promise<string[]> =>
      (await service.db.throughDoor<{ tenantId: string; sessionId: string }>(list(14, 1_000)))
        .filter(({ tenantId }) => tenantId === tenant.tenantId)
        .map(({ sessionId }) => sessionId)
    const first = await openRecording(clinician, partner.clientId)
    expect(await listed()).toEqual([])
    await advance(15 * day)
    const second = await openRecording(clinician, partner.clientId)
    expect(await listed()).toEqual([first.sessionId])
    expect(await listed(listAbandonedRecordings)).toEqual([])
    expect(second.sessionId).not.toBe(first.sessionId)
  })
})

it('what is under way, and when something happened, stays the database’s time', async () => {
  await advance(100 * day)
  const created = await call('POST', `/clients/${partner.clientId}/sessions`, {
    fileUrl: 'casenote://test/success',
  })
  const { id } = created.json<{ id: string }>()
  const [job] = await rows(
    `select due_at <= now() and due_at > now() - interval '1 minute' as "isDueNow" from casenote.jobs
     where tenant_id = $1 and subject_id = $2`,
    id,
  )
  expect(job).toEqual({ isDueNow: true })
  const [read] = await rows(
    'select created_at <= now() as "isOfNow" from casenote.sessions where tenant_id = $1 and session_id = $2',
    id,
  )
  expect(read).toEqual({ isOfNow: true })
})

it('a lease is not over because the clock was moved: the job is not taken a second time', async () => {
  const subjectId = newId()
  await service.db.write(tenant, (tx) => enqueueJob(tx, 'summarize', subjectId))
  // Those of other tenants of this file are passed over.
  const claim = async (): Promise<Job | undefined> => {
    await service.db.throughDoor(releaseJobs())
    for (;;) {
      const [job] = await service.db.throughDoor(claimJob(['summarize'], 60_000))
      if (job === undefined || job.subjectId === subjectId) return job
    }
  }
  const first = await claim()
  expect(first).toMatchObject({ tenantId: tenant.tenantId, attempts: 1 })
  await advance(100 * day)
  expect(await claim()).toBeUndefined()
  const kept = await service.db.throughDoor(renewJobs([first as Job], 60_000))
  expect(kept).toHaveLength(1)
  await rows(
    `update casenote.jobs set leased_until = now() - interval '1 second' where tenant_id = $1 and subject_id = $2`,
    subjectId,
  )
  expect(await claim()).toMatchObject({ subjectId, attempts: 2 })
})

it('an answer that is kept for its key is given again for 24 real hours', async () => {
  await setNothingTwice(service.owner, tenant, { idempotency: true })
  await service.watch.poll()
  const create = () =>
    service.call({
      method: 'POST',
      url: `/v2/clinicians/${partner.clinicianId}/clients`,
      headers: { ...partner.headers, 'idempotency-key': 'moved' },
      payload: { lastName: 'Kept', dateOfBirth: '1990-01-31' },
    })
  const first = await create()
  await advance(2 * day)
  const again = await create()
  expect([again.statusCode, again.body]).toEqual([201, first.body])
  expect(again.headers['idempotency-replayed']).toBe('true')
})
