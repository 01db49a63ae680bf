import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setQuotas } from '../../src/features/partners/index.js'
import { abandonRecordings } from '../../src/features/widget/index.js'
import { metrics } from '../../src/http/metrics.js'
import { purgeBlobs } from '../../src/kernel/blobs/index.js'
import { asPipeline } from '../support/clinical-record.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import {
  addColleague,
  creationHeaders,
  openRecording,
  patchHeaders,
  signIn,
  type SignedIn,
} from './widget-fixture.js'

let service: TestService
let partner: TestPartner
let clinician: SignedIn

beforeAll(async () => {
  service = await makeTestService()
})
afterAll(() => service.close())
beforeEach(async () => {
  partner = await service.addPartner()
  clinician = await signIn(service, partner)
})

const tenantOf = () => ({ tenantId: partner.partnerId })
const limit = (quotas: Parameters<typeof setQuotas>[2]) => setQuotas(service.owner, tenantOf(), quotas)

const create = (sessionId: string, uploadId: string, by = clinician, more: object = {}) =>
  by.call('POST', `/sessions/${sessionId}/uploads`, undefined, creationHeaders(uploadId, more))
const patch = (uploadId: string, offset: number, bytes: Buffer, length?: number, by = clinician) =>
  by.call('PATCH', `/uploads/${uploadId}`, bytes, patchHeaders(offset, length))

async function startUpload(by = clinician, clientId = partner.clientId) {
  const { sessionId } = await openRecording(by, clientId)
  const uploadId = randomUUID()
  expect((await create(sessionId, uploadId, by)).statusCode).toBe(201)
  return { sessionId, uploadId }
}

interface Used {
  storedBytes: number
  openUploads: number
}

const read = async (table: string, of = ''): Promise<Used | undefined> =>
  (
    (await service.db.read(tenantOf(), {
      text: `select stored_bytes as "storedBytes", open_uploads as "openUploads" from casenote.${table}
        where tenant_id = $1 ${of === '' ? '' : `and clinician_id = '${of}'`}`,
      values: [partner.partnerId],
    })) as Used[]
  )[0]
const ofTenant = () => read('tenant_usage')
const ofClinician = (id = clinician.clinicianId) => read('clinician_usage', id)

/** What the rows say, counted anew. */
const recount = async (): Promise<Used> =>
  (
    await service.db.read(tenantOf(), {
      text: `select (select coalesce(sum(size_bytes), 0) from casenote.blob_parts where tenant_id = $1)::float8 as "storedBytes",
        (select count(*) from casenote.uploads where tenant_id = $1 and status = 'open')::float8 as "openUploads"`,
      values: [partner.partnerId],
    })
  )[0] as Used

const countStored = async (): Promise<number> => {
  let count = 0
  for await (const { name } of service.blobs.store.list()) if (name.startsWith(partner.partnerId)) count += 1
  return count
}

const refusals = async (quota: string): Promise<number> =>
  (await metrics.getSingleMetric('casenote_quota_refusals_total')?.get())?.values.find(
    ({ labels }) => labels.quota === quota,
  )?.value ?? 0

describe('bytes stored', () => {
  it('507 that names the quota once a clinician has used theirs up; what was acknowledged stays, and another goes on', async () => {
    const { uploadId } = await startUpload()
    const { clinicianId, clientId } = await addColleague(service, partner)
    const colleague = await signIn(service, partner, clinicianId)
    await limit({ clinicianStoredBytes: 1_000 })
    expect((await patch(uploadId, 0, randomBytes(800))).statusCode).toBe(204)
    const before = await refusals('clinician_stored_bytes')
    const refused = await patch(uploadId, 800, randomBytes(201))
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([507, '60'])
    expect(refused.json<{ error: { message: string } }>().error.message).toContain('clinician_stored_bytes')
    expect(await refusals('clinician_stored_bytes')).toBe(before + 1)
    expect(await countStored()).toBe(1)
    // To the last byte, and then not even the beginning of another.
    expect((await patch(uploadId, 800, randomBytes(200), 1_000)).statusCode).toBe(204)
    const { sessionId } = await openRecording(clinician, partner.clientId)
    expect((await create(sessionId, randomUUID())).statusCode).toBe(507)
    const other = await startUpload(colleague, clientId)
    expect((await patch(other.uploadId, 0, randomBytes(900), undefined, colleague)).statusCode).toBe(204)
    expect([await ofClinician(), await ofClinician(clinicianId)]).toMatchObject([
      { storedBytes: 1_000 },
      { storedBytes: 900 },
    ])
    expect(await ofTenant()).toEqual(await recount())
  })

  it('507 once the partner has used theirs up, whoever sends; other partners never notice', async () => {
    const other = await service.addPartner()
    const { uploadId } = await startUpload()
    const theirs = await signIn(service, other)
    await limit({ storedBytes: 500 })
    const refused = await patch(uploadId, 0, randomBytes(501))
    expect(refused.statusCode).toBe(507)
    expect(refused.body).toContain('(stored_bytes)')
    const { sessionId } = await openRecording(theirs, other.clientId)
    const id = randomUUID()
    expect((await create(sessionId, id, theirs)).statusCode).toBe(201)
    expect((await patch(id, 0, randomBytes(900), undefined, theirs)).statusCode).toBe(204)
    expect((await ofTenant())?.storedBytes).toBe(0)
  })

  it('an upload whose length is told and does not fit is refused before a byte of it comes', async () => {
    await limit({ clinicianStoredBytes: 1_000 })
    const { sessionId } = await openRecording(clinician, partner.clientId)
    const told = (length: number) => create(sessionId, randomUUID(), clinician, { lengthBytes: length })
    expect((await told(1_001)).statusCode).toBe(507)
    expect((await told(1_000)).statusCode).toBe(201)
  })

  it('of twenty parts at once on two instances as many are taken as fit, and no more', async () => {
    const peer = await service.makePeer()
    const uploads: string[] = []
    for (let count = 0; count < 20; count += 1) uploads.push((await startUpload()).uploadId)
    await limit({ storedBytes: 7_500 })
    const send = (uploadId: string, index: number) => {
      const app = index % 2 === 0 ? service.api.app : peer.api.app
      const headers = { ...clinician.headers, ...patchHeaders(0) }
      return app.inject({
        method: 'PATCH',
        url: `/widget/v1/uploads/${uploadId}`,
        headers,
        payload: randomBytes(1_000),
      })
    }
    // Ten at once is what one clinician may have under way in a process.
    const answers = await Promise.all(uploads.map(send))
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 204)).toHaveLength(7)
    expect(statuses.filter((status) => status === 507)).toHaveLength(13)
    expect([await ofTenant(), await ofClinician()]).toEqual([
      { storedBytes: 7_000, openUploads: 20 },
      { storedBytes: 7_000, openUploads: 20 },
    ])
    expect(await countStored()).toBe(7)
    await peer.close()
  })

  it('what is deleted gives its room back, in the transaction that removes it', async () => {
    await limit({ clinicianStoredBytes: 1_000 })
    const { sessionId, uploadId } = await startUpload()
    await patch(uploadId, 0, randomBytes(1_000))
    expect((await clinician.call('POST', `/sessions/${sessionId}/discard`)).statusCode).toBe(204)
    // The upload has ended; its bytes are there until the purge has removed them.
    expect(await ofClinician()).toEqual({ storedBytes: 1_000, openUploads: 0 })
    await purgeBlobs(service.blobs)
    expect([await ofClinician(), await ofTenant()]).toEqual([
      { storedBytes: 0, openUploads: 0 },
      { storedBytes: 0, openUploads: 0 },
    ])
    const next = await startUpload()
    expect((await patch(next.uploadId, 0, randomBytes(1_000))).statusCode).toBe(204)
  })

  it('a recording that has come whole is completed though the quota is full', async () => {
    const { sessionId, uploadId } = await startUpload()
    await patch(uploadId, 0, randomBytes(1_000))
    await limit({ clinicianStoredBytes: 10, storedBytes: 10 })
    expect((await patch(uploadId, 1_000, Buffer.alloc(0), 1_000)).statusCode).toBe(204)
    const whole = await clinician.call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [uploadId] })
    expect(whole.statusCode).toBe(200)
    expect(await ofClinician()).toEqual({ storedBytes: 1_000, openUploads: 0 })
  })
})

describe('open uploads', () => {
  it('507 beyond those of a clinician and of the partner; the same upload asked for again is the same', async () => {
    await limit({ clinicianOpenUploads: 2, openUploads: 3 })
    const { sessionId } = await openRecording(clinician, partner.clientId)
    const [first, second] = [randomUUID(), randomUUID()]
    expect((await create(sessionId, first)).statusCode).toBe(201)
    expect((await create(sessionId, second)).statusCode).toBe(201)
    const third = await create(sessionId, randomUUID())
    expect([third.statusCode, third.body]).toEqual([507, expect.stringContaining('(clinician_open_uploads)')])
    expect((await create(sessionId, first)).statusCode).toBe(201)

    const { clinicianId, clientId } = await addColleague(service, partner)
    const colleague = await signIn(service, partner, clinicianId)
    const other = await openRecording(colleague, clientId)
    expect((await create(other.sessionId, randomUUID(), colleague)).statusCode).toBe(201)
    const fourth = await create(other.sessionId, randomUUID(), colleague)
    expect([fourth.statusCode, fourth.body]).toEqual([507, expect.stringContaining('(open_uploads)')])

    await clinician.call('DELETE', `/uploads/${second}`, undefined, { 'tus-resumable': '1.0.0' })
    expect((await create(other.sessionId, randomUUID(), colleague)).statusCode).toBe(201)
    expect(await ofTenant()).toEqual(await recount())
  })

  it('counts stay right while recordings are completed, dropped and given up beside parts that arrive', async () => {
    const sessions = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const { sessionId } = await openRecording(clinician, partner.clientId)
        const uploadIds = [randomUUID(), randomUUID(), randomUUID()]
        for (const uploadId of uploadIds) await create(sessionId, uploadId)
        for (const uploadId of uploadIds) await patch(uploadId, 0, randomBytes(100), 100)
        return { sessionId, uploadIds }
      }),
    )
    const late = sessions.map(({ sessionId, uploadIds: [first = '', second = '', third = ''] }, index) =>
      Promise.all([
        patch(third, 100, randomBytes(50)),
        index % 2 === 0
          ? clinician.call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [first, second] })
          : clinician.call('POST', `/sessions/${sessionId}/discard`),
      ]),
    )
    for (const [, ended] of await Promise.all(late)) expect([200, 204]).toContain(ended.statusCode)
    await startUpload()
    await service.owner.write(tenantOf(), (tx) =>
      tx.run({
        text: `update casenote.sessions set created_at = now() - interval '40 days' where tenant_id = $1`,
        values: [partner.partnerId],
      }),
    )
    await abandonRecordings(service.db, async (tenant) => asPipeline(await service.keys.get(tenant)), 100)
    await purgeBlobs(service.blobs)
    expect(await ofTenant()).toEqual(await recount())
    expect(await ofClinician()).toEqual(await recount())
    expect((await ofTenant())?.openUploads).toBe(0)
  })
})
