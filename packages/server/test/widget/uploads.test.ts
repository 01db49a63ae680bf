import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ClinicianTokens, WidgetSession } from '@casenote/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { abandonRecordings } from '../../src/features/widget/index.js'
import { purgeBlobs } from '../../src/kernel/blobs/index.js'
import { asPipeline } from '../support/clinical-record.js'
import { listEvents, listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import {
  addColleague,
  creationHeaders,
  listUploads,
  openRecording,
  patchHeaders,
  readStored,
  signIn,
  uploadSegment,
  type SignedIn,
} from './widget-fixture.js'

let service: TestService
let partner: TestPartner
let clinician: SignedIn

/** How far the service's clock is ahead of ours. */
let aheadMs = 0

beforeAll(async () => {
  service = await makeTestService({ clock: { nowMs: () => Date.now() + aheadMs } })
  partner = await service.addPartner()
  clinician = await signIn(service, partner)
})
afterAll(() => service.close())

const tus = { 'tus-resumable': '1.0.0' }

const create = (sessionId: string, uploadId: string, more: object = {}, by = clinician) =>
  by.call('POST', `/sessions/${sessionId}/uploads`, undefined, creationHeaders(uploadId, more))

const patch = (uploadId: string, offset: number, bytes: Buffer, length?: number, by = clinician) =>
  by.call('PATCH', `/uploads/${uploadId}`, bytes, patchHeaders(offset, length))

const head = (uploadId: string, by = clinician) => by.call('HEAD', `/uploads/${uploadId}`, undefined, tus)

const complete = (sessionId: string, uploadIds: string[]) =>
  clinician.call('POST', `/sessions/${sessionId}/recording`, { uploadIds })

async function startUpload(more: object = {}): Promise<{ sessionId: string; uploadId: string }> {
  const { sessionId } = await openRecording(clinician, partner.clientId)
  const uploadId = randomUUID()
  expect((await create(sessionId, uploadId, more)).statusCode).toBe(201)
  return { sessionId, uploadId }
}

/** As the frame does it, with the refresh token. */
async function renew(by: SignedIn): Promise<SignedIn> {
  const answer = await service.call({
    method: 'POST',
    url: '/widget/v1/token',
    payload: { RefreshToken: by.tokens.RefreshToken },
  })
  const tokens = answer.json<ClinicianTokens>()
  const headers = { authorization: `Bearer ${tokens.AccessToken}` }
  const call: SignedIn['call'] = (method, path, payload, more = {}) =>
    by.call(method, path, payload, { ...more, ...headers })
  return { ...by, tokens, headers, call }
}

const tenantOf = () => ({ tenantId: partner.partnerId })

describe('tus 1.0.0', () => {
  it('creates an upload of unknown length, tells its offset and takes its length with the last bytes', async () => {
    const { sessionId, uploadId } = await startUpload()
    const fresh = await head(uploadId)
    expect(fresh.statusCode).toBe(200)
    expect(fresh.headers).toMatchObject({ ...tus, 'upload-offset': '0', 'upload-defer-length': '1' })
    const bytes = randomBytes(3_000)
    const first = await patch(uploadId, 0, bytes.subarray(0, 1_000))
    expect([first.statusCode, first.headers['upload-offset']]).toEqual([204, '1000'])
    const last = await patch(uploadId, 1_000, bytes.subarray(1_000), 3_000)
    expect([last.statusCode, last.headers['upload-offset']]).toEqual([204, '3000'])
    expect((await head(uploadId)).headers).toMatchObject({ 'upload-offset': '3000', 'upload-length': '3000' })
    expect((await complete(sessionId, [uploadId])).json<WidgetSession>()).toMatchObject({
      status: 'fetching',
      stage: 'preparing',
    })
    expect(await readStored(service, tenantOf(), sessionId)).toEqual([bytes])
  })

  it('created again with the same id, because the answer was lost, it is the same upload', async () => {
    const { sessionId, uploadId } = await startUpload()
    await patch(uploadId, 0, Buffer.from('abc'))
    const again = await create(sessionId, uploadId)
    expect(again.statusCode).toBe(201)
    expect(again.headers).toMatchObject({
      location: `/widget/v1/uploads/${uploadId}`,
      'upload-offset': '3',
    })
    expect(await listUploads(service, tenantOf(), sessionId)).toHaveLength(1)
    const { sessionId: other } = await openRecording(clinician, partner.clientId)
    expect((await create(other, uploadId)).statusCode).toBe(409)
  })

  it('an empty PATCH tells where a growing recording ends', async () => {
    const { sessionId, uploadId } = await startUpload()
    await patch(uploadId, 0, Buffer.from('abc'))
    expect((await complete(sessionId, [uploadId])).statusCode).toBe(409)
    expect((await patch(uploadId, 3, Buffer.alloc(0), 3)).statusCode).toBe(204)
    const { stage, stageProgress } = (
      await clinician.call('GET', `/sessions/${sessionId}`)
    ).json<WidgetSession>()
    expect([stage, stageProgress]).toEqual(['uploading', 1])
    expect((await complete(sessionId, [uploadId])).statusCode).toBe(200)
  })

  it('409 at another offset; 415, 412 and 400 for what is not tus', async () => {
    const { sessionId, uploadId } = await startUpload()
    expect((await patch(uploadId, 5, Buffer.from('x'))).statusCode).toBe(409)
    const wrongType = { ...patchHeaders(0), 'content-type': 'audio/webm' }
    expect(
      (await clinician.call('PATCH', `/uploads/${uploadId}`, Buffer.from('x'), wrongType)).statusCode,
    ).toBe(415)
    const { 'tus-resumable': _version, ...unversioned } = patchHeaders(0)
    const answer = await clinician.call('PATCH', `/uploads/${uploadId}`, Buffer.from('x'), unversioned)
    expect([answer.statusCode, answer.headers['tus-version']]).toEqual([412, '1.0.0'])
    const nameless = await clinician.call('POST', `/sessions/${sessionId}/uploads`, undefined, {
      ...tus,
      'upload-defer-length': '1',
    })
    expect(nameless.statusCode).toBe(400)
    expect((await head(uploadId)).headers['upload-offset']).toBe('0')
  })

  it('401 with an access token that ran out on the way: nothing is taken, and a renewed one goes on from there', async () => {
    const { sessionId, uploadId } = await startUpload()
    const bytes = randomBytes(3_000)
    const own = await signIn(service, partner)
    // It runs out while the bytes arrive: who was let in is heard to the end.
    const slow = Readable.from(
      (function* () {
        yield bytes.subarray(0, 500)
        aheadMs = own.tokens.ExpiresIn * 1000 + 1_000
        yield bytes.subarray(500, 1_000)
      })(),
    )
    try {
      const begun = await own.call('PATCH', `/uploads/${uploadId}`, slow, patchHeaders(0))
      expect([begun.statusCode, begun.headers['upload-offset']]).toEqual([204, '1000'])
      expect((await patch(uploadId, 1_000, bytes.subarray(1_000), 3_000, own)).statusCode).toBe(401)
      expect((await head(uploadId, own)).statusCode).toBe(401)
      const renewed = await renew(own)
      expect((await head(uploadId, renewed)).headers['upload-offset']).toBe('1000')
      const rest = await patch(uploadId, 1_000, bytes.subarray(1_000), 3_000, renewed)
      expect([rest.statusCode, rest.headers['upload-offset']]).toEqual([204, '3000'])
      expect(
        (await renewed.call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [uploadId] }))
          .statusCode,
      ).toBe(200)
      expect(await readStored(service, tenantOf(), sessionId)).toEqual([bytes])
    } finally {
      aheadMs = 0
    }
  })

  it('413 beyond its length and beyond 2 GiB; nothing of the surplus is kept', async () => {
    const { sessionId, uploadId } = await startUpload({ lengthBytes: 4 })
    expect((await patch(uploadId, 0, Buffer.from('abcdef'))).statusCode).toBe(413)
    expect((await head(uploadId)).headers['upload-offset']).toBe('0')
    expect((await create(sessionId, randomUUID(), { lengthBytes: 2 ** 31 + 1 })).statusCode).toBe(413)
    expect((await patch(uploadId, 0, Buffer.from('abcd'), 5)).statusCode).toBe(409)
  })

  it('a terminated upload is gone, with its bytes and a record of it', async () => {
    const { sessionId, uploadId } = await startUpload()
    await patch(uploadId, 0, Buffer.from('abc'))
    const [{ blobId } = { blobId: '' }] = await listUploads(service, tenantOf(), sessionId)
    expect((await clinician.call('DELETE', `/uploads/${uploadId}`, undefined, tus)).statusCode).toBe(204)
    expect((await head(uploadId)).statusCode).toBe(404)
    expect((await create(sessionId, uploadId)).statusCode).toBe(410)
    await purgeBlobs(service.blobs)
    expect(await listSubjects(service, tenantOf(), 'blob.delete', blobId)).toHaveLength(1)
    expect(await listSubjects(service, tenantOf(), 'widget.terminateUpload', uploadId)).toHaveLength(1)
  })

  it('whatever the slices, repetitions and wrong offsets, what is stored is what was sent', async () => {
    const slices = fc.array(
      fc.record({ size: fc.integer({ min: 1, max: 4_000 }), skew: fc.integer({ min: -1, max: 1 }) }),
      {
        minLength: 1,
        maxLength: 8,
      },
    )
    await fc.assert(
      fc.asyncProperty(slices, async (plan) => {
        const { sessionId, uploadId } = await startUpload()
        const sent: Buffer[] = []
        let offset = 0
        for (const { size, skew } of plan) {
          const bytes = randomBytes(size)
          const { statusCode } = await patch(uploadId, offset + skew, bytes)
          expect(statusCode).toBe(skew === 0 ? 204 : offset + skew < 0 ? 400 : 409)
          if (statusCode !== 204) continue
          sent.push(bytes)
          offset += size
        }
        await patch(uploadId, offset, Buffer.alloc(0), offset)
        expect((await complete(sessionId, [uploadId])).statusCode).toBe(200)
        expect(await readStored(service, tenantOf(), sessionId)).toEqual([Buffer.concat(sent)])
      }),
      { numRuns: 10 },
    )
  })

  it('of many PATCHes at once on one offset one wins, and the bytes are those of the winner', async () => {
    const { sessionId, uploadId } = await startUpload()
    const bodies = Array.from({ length: 8 }, () => randomBytes(50_000))
    const answers = await Promise.all(bodies.map((body) => patch(uploadId, 0, body)))
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(new Set(statuses)).toEqual(new Set([204, 409]))
    await patch(uploadId, 50_000, Buffer.alloc(0), 50_000)
    await complete(sessionId, [uploadId])
    expect(await readStored(service, tenantOf(), sessionId)).toEqual([bodies[statuses.indexOf(204)]])
  })
})

describe('whose it is', () => {
  it('404 on every request for a colleague and another tenant, also for a colleague who treats the client', async () => {
    const { sessionId, uploadId } = await startUpload()
    const colleague = await signIn(service, partner, (await addColleague(service, partner)).clinicianId)
    const stranger = await signIn(service, await service.addPartner())
    for (const by of [colleague, stranger]) {
      expect((await head(uploadId, by)).statusCode).toBe(404)
      expect((await patch(uploadId, 0, Buffer.from('x'), 1, by)).statusCode).toBe(404)
      expect((await by.call('DELETE', `/uploads/${uploadId}`, undefined, tus)).statusCode).toBe(404)
      expect((await create(sessionId, randomUUID(), {}, by)).statusCode).toBe(404)
      expect(
        (await by.call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [uploadId] })).statusCode,
      ).toBe(404)
    }
    // Who treats the client as well may read the session, but the recording is its recorder's.
    await service.call({
      method: 'POST',
      url: `/v2/clients/${partner.clientId}/secondary-clinicians`,
      headers: partner.headers,
      payload: { clinicianIds: [colleague.clinicianId] },
    })
    expect((await colleague.call('GET', `/sessions/${sessionId}`)).statusCode).toBe(200)
    expect((await head(uploadId, colleague)).statusCode).toBe(404)
    expect((await create(sessionId, randomUUID(), {}, colleague)).statusCode).toBe(404)
    expect((await head(uploadId)).headers['upload-offset']).toBe('0')
  })

  it('401 after logout, on the upload that was going on', async () => {
    const { uploadId } = await startUpload()
    const other = await signIn(service, partner)
    expect((await patch(uploadId, 0, Buffer.from('ab'), undefined, other)).statusCode).toBe(204)
    await service.call({ method: 'POST', url: '/widget/v1/logout', headers: other.headers, payload: {} })
    expect((await patch(uploadId, 2, Buffer.from('cd'), undefined, other)).statusCode).toBe(401)
    expect((await patch(uploadId, 2, Buffer.from('cd'))).statusCode).toBe(204)
  })
})

describe('completion', () => {
  it('is idempotent, in the order given, and drops the uploads that are not part of it', async () => {
    const { sessionId } = await openRecording(clinician, partner.clientId)
    const [one, two, three] = [randomBytes(10), randomBytes(20), randomBytes(30)]
    const ids: string[] = []
    for (const bytes of [one, two, three]) ids.push(await uploadSegment(clinician, sessionId, bytes))
    const [a = '', b = '', c = ''] = ids
    const answers = await Promise.all(Array.from({ length: 4 }, () => complete(sessionId, [c, a])))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    expect(await readStored(service, tenantOf(), sessionId)).toEqual([three, one])
    expect((await complete(sessionId, [a, c])).statusCode).toBe(409)
    expect((await head(b)).statusCode).toBe(404)
    expect((await create(sessionId, randomUUID())).statusCode).toBe(409)
    expect((await patch(a, 10, Buffer.from('more'))).statusCode).toBe(409)
  })

  it("400 for another session's upload, an unknown one and one named twice", async () => {
    const { sessionId } = await openRecording(clinician, partner.clientId)
    const { uploadId: foreign } = await startUpload()
    const own = await uploadSegment(clinician, sessionId, Buffer.from('abc'))
    for (const uploadIds of [[foreign], [randomUUID()], [own, own]])
      expect((await complete(sessionId, uploadIds)).statusCode).toBe(400)
  })
})

it('a recording that nobody finishes ends after 30 days: bytes and jotted words deleted, session failed, partner told', async () => {
  const { sessionId, uploadId } = await startUpload()
  await patch(uploadId, 0, Buffer.from('abc'))
  const pad = { text: 'Tearful', markers: [] }
  expect((await clinician.call('POST', `/sessions/${sessionId}/pad`, pad)).statusCode).toBe(204)
  const context = asPipeline(await service.keys.get(tenantOf()))
  const abandon = (signal?: AbortSignal) =>
    abandonRecordings(service.db, async () => context, 100, { signal })
  await abandon()
  expect((await head(uploadId)).statusCode).toBe(200)
  await service.owner.write(tenantOf(), (tx) =>
    tx.run({
      text: `update casenote.sessions set created_at = now() - interval '31 days'
        where tenant_id = $1 and session_id = $2`,
      values: [partner.partnerId, sessionId],
    }),
  )
  // A worker that stops begins nothing.
  await abandon(AbortSignal.abort())
  expect((await head(uploadId)).statusCode).toBe(200)
  expect(await abandon()).toBe(1)
  expect((await head(uploadId)).statusCode).toBe(404)
  expect((await clinician.call('GET', `/sessions/${sessionId}/pad`)).json()).toMatchObject({ text: '' })
  expect(await listEvents(service, tenantOf(), sessionId)).toMatchObject([
    { eventType: 'session_transcript_error', payload: { error: 'No recording was received' } },
  ])
})
