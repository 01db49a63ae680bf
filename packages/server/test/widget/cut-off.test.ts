import { randomBytes, randomUUID } from 'node:crypto'
import { request as openRequest, type ClientRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clinician, ClinicianTokens, Page, ProgressNote, WidgetSession } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotateKey } from '../../src/features/partners/index.js'
import { makeKeepAcknowledged } from '../../src/features/widget/index.js'
import { retireOlderKeys, rotateTenantKey } from '../../src/kernel/secrets/make-tenant-keys.js'
import { waitUntil } from '../support/casenote-process.js'
import { listSubjects } from '../support/outcomes.js'
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

/** What the contract promises, and what this test allows. */
const cutOffWithinMs = 5_000

let service: TestService
let partner: TestPartner
let port: number

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  await service.api.app.listen({ host: '127.0.0.1', port: 0 })
  ;({ port } = service.api.app.server.address() as AddressInfo)
})
afterAll(() => service.close())

const tenantOf = () => ({ tenantId: partner.partnerId })

const callPartner = (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) =>
  service.ask(partner, method, path, payload)

const deactivate = (clinicianId: string) => callPartner('POST', `/clinicians/${clinicianId}/deactivate`)
const reactivate = (clinicianId: string) => callPartner('POST', `/clinicians/${clinicianId}/reactivate`)

async function newClinician(): Promise<{ clinician: SignedIn; clientId: string }> {
  const { clinicianId, clientId } = await addColleague(service, partner)
  return { clinician: await signIn(service, partner, clinicianId), clientId }
}

interface OpenRequest {
  request: ClientRequest
  status: Promise<number>
  ended: Promise<number>
}

/** A request on a real socket, whose end is timed. */
function open(method: string, path: string, headers: Record<string, string>): OpenRequest {
  const request = openRequest({ port, host: '127.0.0.1', method, path: `/widget/v1${path}`, headers })
  const status = new Promise<number>((resolve, reject) => {
    request.once('response', ({ statusCode }) => resolve(statusCode ?? 0)).once('error', reject)
  })
  const ended = new Promise<number>((resolve) => {
    request.once('response', (response) => response.resume().once('close', () => resolve(Date.now())))
    request.once('error', () => resolve(Date.now()))
  })
  status.catch(() => {})
  return { request, status, ended }
}

async function startUpload(clinician: SignedIn, clientId: string) {
  const { sessionId } = await openRecording(clinician, clientId)
  const uploadId = randomUUID()
  const headers = creationHeaders(uploadId)
  await clinician.call('POST', `/sessions/${sessionId}/uploads`, undefined, headers)
  return { sessionId, uploadId }
}

const patch = (by: SignedIn, uploadId: string, offset: number, bytes: Buffer, length?: number) =>
  by.call('PATCH', `/uploads/${uploadId}`, bytes, patchHeaders(offset, length))

/** As the worker does, once what was under way is over. */
async function keepWhatArrived(pageRows = 100): Promise<number> {
  await service.owner.write(tenantOf(), (tx) =>
    tx.run({
      text: `update casenote.clinicians set deactivated_at = deactivated_at - interval '6 seconds'
        where tenant_id = $1 and deactivated_at is not null`,
      values: [partner.partnerId],
    }),
  )
  return makeKeepAcknowledged(service.db, { keepDays: 365, pageRows })()
}

describe('POST /clinicians/{clinicianId}/deactivate', () => {
  it('200 with the clinician, not active; again the same, recorded once; still listed and readable', async () => {
    const { clinicianId } = await addColleague(service, partner)
    expect((await callPartner('GET', `/clinicians/${clinicianId}`)).json<Clinician>().active).toBe(true)
    for (const answer of [await deactivate(clinicianId), await deactivate(clinicianId)]) {
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toMatchObject({ id: clinicianId, lastName: 'Colleague', active: false })
    }
    expect(await listSubjects(service, tenantOf(), 'clinician.deactivate', clinicianId)).toHaveLength(1)
    const listed = await callPartner('GET', `/clinics/${partner.clinicId}/clinicians?id=${clinicianId}`)
    expect(listed.json<Page<Clinician>>().data).toMatchObject([{ id: clinicianId, active: false }])
    for (const answer of [await reactivate(clinicianId), await reactivate(clinicianId)]) {
      expect([answer.statusCode, answer.json<Clinician>().active]).toEqual([200, true])
    }
    expect(await listSubjects(service, tenantOf(), 'clinician.reactivate', clinicianId)).toHaveLength(1)
  })

  it('409 for tokens and for sessions of a deactivated clinician, named or by default; not for a colleague', async () => {
    const { clinician, clientId } = await newClinician()
    const { clinicianId } = clinician
    const colleague = await addColleague(service, partner)
    const assigned = { clinicianIds: [colleague.clinicianId] }
    await callPartner('POST', `/clients/${clientId}/secondary-clinicians`, assigned)
    await deactivate(clinicianId)
    const fileUrl = 'https://files.example.com/a.ogg'
    const create = (given: object) =>
      callPartner('POST', `/clients/${clientId}/sessions`, { fileUrl, ...given })
    for (const refused of [
      await callPartner('POST', `/clinicians/${clinicianId}/authenticate`),
      await create({}),
      await create({ clinicianId }),
    ]) {
      expect(refused.statusCode).toBe(409)
      expect(refused.json()).toMatchObject({ error: { message: 'Clinician is deactivated' } })
    }
    // What is wrong with the request itself is said first (ruling 1).
    expect((await create({ clinicianId: randomUUID() })).statusCode).toBe(400)
    expect((await create({ clinicianId: colleague.clinicianId })).statusCode).toBe(201)
    await reactivate(clinicianId)
    expect((await create({})).statusCode).toBe(201)
  })

  it('tokens end at once and stay ended; after reactivation new ones are minted', async () => {
    const { clinician } = await newClinician()
    await deactivate(clinician.clinicianId)
    const renew = () =>
      service.call({
        method: 'POST',
        url: '/widget/v1/token',
        payload: { RefreshToken: clinician.tokens.RefreshToken },
      })
    expect((await clinician.call('GET', '/clients')).statusCode).toBe(401)
    expect((await renew()).statusCode).toBe(401)
    await reactivate(clinician.clinicianId)
    expect((await clinician.call('GET', '/clients')).statusCode).toBe(401)
    expect((await renew()).statusCode).toBe(401)
    const again = await signIn(service, partner, clinician.clinicianId)
    expect((await again.call('GET', '/clients')).statusCode).toBe(200)
  })

  it('without it: all widget sessions end, streams included; tokens are minted at once, and an upload goes on', async () => {
    const { clinician, clientId } = await newClinician()
    const { clinicianId } = clinician
    const elsewhere = await signIn(service, partner, clinicianId)
    const { sessionId, uploadId } = await startUpload(clinician, clientId)
    expect((await patch(clinician, uploadId, 0, Buffer.from('abc'))).statusCode).toBe(204)
    const stream = open('GET', `/sessions/${sessionId}/events`, elsewhere.headers)
    stream.request.end()
    expect(await stream.status).toBe(200)
    const before = Date.now()
    const answer = await callPartner('POST', `/clinicians/${clinicianId}/end-widget-sessions`)
    expect([answer.statusCode, answer.json<Clinician>().active]).toEqual([200, true])
    expect((await stream.ended) - before).toBeLessThan(cutOffWithinMs)
    expect(await listSubjects(service, tenantOf(), 'clinician.endWidgetSessions', clinicianId)).toHaveLength(
      1,
    )
    for (const one of [clinician, elsewhere]) {
      expect((await one.call('GET', '/clients')).statusCode).toBe(401)
      const payload = { RefreshToken: one.tokens.RefreshToken }
      const renewed = await service.call({ method: 'POST', url: '/widget/v1/token', payload })
      expect(renewed.statusCode).toBe(401)
    }
    const again = await signIn(service, partner, clinicianId)
    expect((await patch(again, uploadId, 3, Buffer.from('def'), 6)).statusCode).toBe(204)
    expect(await keepWhatArrived()).toBe(0)
  })

  it('of tokens that are minted and sessions that are opened at the same time none is left', async () => {
    const { clinician, clientId } = await newClinician()
    const { clinicianId } = clinician
    const mint = () => callPartner('POST', `/clinicians/${clinicianId}/authenticate`)
    const fileUrl = 'https://files.example.com/a.ogg'
    const start = () => callPartner('POST', `/clients/${clientId}/sessions`, { fileUrl })
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, mint),
      deactivate(clinicianId),
      ...Array.from({ length: 8 }, mint),
      ...Array.from({ length: 4 }, start),
    ])
    const minted = answers.flatMap((one) =>
      one.body.includes('AccessToken') ? [one.json<ClinicianTokens>()] : [],
    )
    for (const { AccessToken } of minted) {
      const headers = { authorization: `Bearer ${AccessToken}` }
      const answer = await service.call({ method: 'GET', url: '/widget/v1/clinician', headers })
      expect(answer.statusCode).toBe(401)
    }
    expect(new Set(answers.map(({ statusCode }) => statusCode))).not.toContain(500)
    expect((await start()).statusCode).toBe(409)
  })

  it('ends an open stream, an upload that pauses and a body that comes slowly within 5 s', async () => {
    const { clinician, clientId } = await newClinician()
    const { sessionId, uploadId } = await startUpload(clinician, clientId)
    const acknowledged = randomBytes(50_000)
    expect((await patch(clinician, uploadId, 0, acknowledged)).statusCode).toBe(204)
    const stream = open('GET', `/sessions/${sessionId}/events`, clinician.headers)
    stream.request.end()
    expect(await stream.status).toBe(200)
    const upload = open('PATCH', `/uploads/${uploadId}`, {
      ...clinician.headers,
      ...patchHeaders(acknowledged.length),
    })
    upload.request.write(randomBytes(30_000))
    const slow = open('POST', `/clients/${clientId}/consent`, {
      ...clinician.headers,
      'content-type': 'application/json',
      'content-length': '40',
    })
    slow.request.write('{"given":false,')
    await waitUntil(async () => (await writerOf(uploadId)) !== null, 'the upload is under way')
    const before = Date.now()
    await deactivate(clinician.clinicianId)
    expect((await stream.ended) - before).toBeLessThan(cutOffWithinMs)
    expect(await upload.status).toBe(401)
    expect((await upload.ended) - before).toBeLessThan(cutOffWithinMs)
    slow.request.end('"textVersion":"2026-11" }')
    expect(await slow.status).toBe(401)
    const [row] = await listUploads(service, tenantOf(), sessionId)
    expect(row).toMatchObject({ offsetBytes: acknowledged.length, status: 'open' })
    await reactivate(clinician.clinicianId)
  })

  it('the same for a browser session that ends without any announcement, and for a suspended partner', async () => {
    const { clinician, clientId } = await newClinician()
    const { sessionId } = await openRecording(clinician, clientId)
    const watch = async (): Promise<OpenRequest> => {
      const { headers } = await signIn(service, partner, clinician.clinicianId)
      const stream = open('GET', `/sessions/${sessionId}/events`, headers)
      stream.request.end()
      expect(await stream.status).toBe(200)
      return stream
    }
    const change = (text: string) =>
      service.owner.write(tenantOf(), (tx) => tx.run({ text, values: [partner.partnerId] }))
    for (const end of [
      `update casenote.widget_sessions set ended_at = now(), ended_by = 'logout' where tenant_id = $1 and ended_at is null`,
      'update casenote.tenants set suspended_at = now() where tenant_id = $1',
    ]) {
      const stream = await watch()
      const before = Date.now()
      await change(end)
      expect((await stream.ended) - before).toBeLessThan(cutOffWithinMs)
    }
    await change('update casenote.tenants set suspended_at = null where tenant_id = $1')
  })
})

const writerOf = async (uploadId: string): Promise<string | null> => {
  const [row] = (await service.db.read(tenantOf(), {
    text: 'select writer_id as "writerId" from casenote.uploads where tenant_id = $1 and upload_id = $2',
    values: [partner.partnerId, uploadId],
  })) as { writerId: string | null }[]
  return row?.writerId ?? null
}

describe('what the server acknowledged', () => {
  it('becomes the recording, segment by segment; the rest of it is 410 after reactivation', async () => {
    const { clinician, clientId } = await newClinician()
    const { sessionId, uploadId } = await startUpload(clinician, clientId)
    const first = randomBytes(4_000)
    await patch(clinician, uploadId, 0, first, first.length)
    const second = randomUUID()
    const open1 = creationHeaders(second, { segment: 1 })
    await clinician.call('POST', `/sessions/${sessionId}/uploads`, undefined, open1)
    const part = randomBytes(1_000)
    await patch(clinician, second, 0, part)
    const empty = creationHeaders(randomUUID(), { segment: 2 })
    await clinician.call('POST', `/sessions/${sessionId}/uploads`, undefined, empty)
    await deactivate(clinician.clinicianId)
    expect(await keepWhatArrived()).toBe(1)
    expect(await keepWhatArrived()).toBe(0)
    expect(await readStored(service, tenantOf(), sessionId)).toEqual([first, part])
    const session = await callPartner('GET', `/sessions/${sessionId}`)
    expect(session.json()).toMatchObject({ status: 'fetching' })
    expect(await listSubjects(service, tenantOf(), 'session.keepAcknowledged', sessionId)).toHaveLength(1)
    await reactivate(clinician.clinicianId)
    const again = await signIn(service, partner, clinician.clinicianId)
    expect((await patch(again, second, 1_000, Buffer.from('more'))).statusCode).toBe(410)
    const more = creationHeaders(randomUUID(), { segment: 3 })
    const created = await again.call('POST', `/sessions/${sessionId}/uploads`, undefined, more)
    expect(created.statusCode).toBe(410)
    const completed = await again.call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [uploadId] })
    expect(completed.statusCode).toBe(410)
  })

  it('was all of it: a browser that only had to say so says it after reactivation', async () => {
    const { clinician, clientId } = await newClinician()
    const { sessionId, uploadId } = await startUpload(clinician, clientId)
    const bytes = randomBytes(2_000)
    await patch(clinician, uploadId, 0, bytes)
    await deactivate(clinician.clinicianId)
    await keepWhatArrived()
    await reactivate(clinician.clinicianId)
    const again = await signIn(service, partner, clinician.clinicianId)
    expect((await patch(again, uploadId, 2_000, Buffer.alloc(0), 2_000)).statusCode).toBe(204)
    const completed = await again.call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [uploadId] })
    expect([completed.statusCode, completed.json<WidgetSession>().status]).toEqual([200, 'fetching'])
  })

  it('a recording of which nothing had arrived, or whose clinician is back before, goes on where it stood', async () => {
    const { clinician, clientId } = await newClinician()
    const nothing = await startUpload(clinician, clientId)
    await deactivate(clinician.clinicianId)
    expect(await keepWhatArrived()).toBe(0)
    await reactivate(clinician.clinicianId)
    const again = await signIn(service, partner, clinician.clinicianId)
    expect((await patch(again, nothing.uploadId, 0, Buffer.from('abc'))).statusCode).toBe(204)
    await deactivate(clinician.clinicianId)
    await reactivate(clinician.clinicianId)
    expect(await keepWhatArrived()).toBe(0)
    const third = await signIn(service, partner, clinician.clinicianId)
    expect((await patch(third, nothing.uploadId, 3, Buffer.from('def'), 6)).statusCode).toBe(204)
  })

  it('becomes the recording also behind others that cannot, as without a consent', async () => {
    const started = []
    for (const isTakenBack of [true, true, false]) {
      const { clinician, clientId } = await newClinician()
      const { sessionId, uploadId } = await startUpload(clinician, clientId)
      await patch(clinician, uploadId, 0, Buffer.from('abc'))
      const word = { textVersion: '2026-11', given: false }
      if (isTakenBack) await clinician.call('POST', `/clients/${clientId}/consent`, word)
      await deactivate(clinician.clinicianId)
      started.push(sessionId)
    }
    await keepWhatArrived(1)
    const statuses = []
    for (const sessionId of started)
      statuses.push((await callPartner('GET', `/sessions/${sessionId}`)).json<{ status: string }>().status)
    expect(statuses).toEqual(['awaiting_audio', 'awaiting_audio', 'fetching'])
  })

  it('nothing more is taken from the moment of the deactivation, though the sender was let in before', async () => {
    const { clinician, clientId } = await newClinician()
    const { sessionId, uploadId } = await startUpload(clinician, clientId)
    const upload = open('PATCH', `/uploads/${uploadId}`, { ...clinician.headers, ...patchHeaders(0) })
    upload.request.write(Buffer.from('abc'))
    await waitUntil(async () => (await writerOf(uploadId)) !== null, 'the upload is under way')
    await deactivate(clinician.clinicianId)
    upload.request.end(Buffer.from('def'))
    expect([401, 409]).toContain(await upload.status)
    expect(await listUploads(service, tenantOf(), sessionId)).toMatchObject([{ offsetBytes: 0 }])
  })
})

describe('notes of a deactivated clinician', () => {
  const edited = (note: ProgressNote, content: string) => ({
    note: note.note.map(({ key, title }) => ({ key, title, content })),
  })

  it('are edited and signed by whom the client was transferred to, and by the partner', async () => {
    const { sessionId, clientId, progressNoteId, clinicianId } = partner
    const owner = await signIn(service, partner, clinicianId)
    await uploadSegment(owner, (await openRecording(owner, clientId)).sessionId, randomBytes(100))
    await deactivate(clinicianId)
    const { clinician: successor } = await newClinician()
    const path = `/sessions/${sessionId}/progress-note`
    expect((await successor.call('GET', path)).statusCode).toBe(404)
    const transfer = { clinicianId: successor.clinicianId }
    expect((await callPartner('POST', `/clients/${clientId}/transfer`, transfer)).statusCode).toBe(200)
    const note = (await successor.call('GET', path)).json<ProgressNote>()
    const changed = await successor.call('PATCH', path, edited(note, 'Seen by the successor.'))
    expect(changed.statusCode).toBe(200)
    const byPartner = await callPartner('PATCH', `/progress-notes/${progressNoteId}`, edited(note, 'By us.'))
    expect(byPartner.statusCode).toBe(200)
    const signed = await successor.call('POST', `${path}/finalize`)
    expect([signed.statusCode, signed.json<ProgressNote>().status]).toEqual([200, 'finalized'])
    expect((await callPartner('POST', `/progress-notes/${progressNoteId}/finalize`)).statusCode).toBe(200)
    const after = await callPartner('GET', `/sessions/${sessionId}`)
    expect(after.json()).toMatchObject({ clinicianId })
  })
})

describe('a change that is under way when its caller is cut off', () => {
  const heading = (text: string) => ({ note: [{ key: 'subjective', title: 'Subjective', content: text }] })

  /** Until `release`, whoever changes the note waits for it in the transaction that would commit. */
  async function lockNote(of: TestPartner) {
    const tenant = { tenantId: of.partnerId }
    let release!: () => void
    const released = new Promise<void>((resolve) => (release = resolve))
    let tellHeld!: () => void
    const held = new Promise<void>((resolve) => (tellHeld = resolve))
    const holding = service.owner.write(tenant, async (tx) => {
      const text = `select from casenote.progress_notes where tenant_id = $1 and session_id = $2 for update`
      await tx.run({ text, values: [of.partnerId, of.sessionId] })
      tellHeld()
      await released
    })
    await held
    const isAwaited = async (): Promise<boolean> => {
      const [row] = await service.owner.throughDoor<{ waiting: number }>({
        text: `select count(*) as waiting from pg_locks l join pg_stat_activity a on a.pid = l.pid
          where not l.granted and a.datname = current_database()`,
        values: [],
      })
      return (row?.waiting ?? 0) > 0
    }
    return {
      isAwaited,
      release: async () => {
        release()
        await holding
      },
    }
  }

  const readNote = async (of: TestPartner): Promise<{ version: number; status: string } | undefined> => {
    const tenant = { tenantId: of.partnerId }
    const text = `select version, status from casenote.progress_notes where tenant_id = $1 and session_id = $2`
    const [row] = await service.db.read(tenant, { text, values: [of.partnerId, of.sessionId] })
    return row as { version: number; status: string } | undefined
  }

  async function cutOffMeanwhile(of: TestPartner, ask: () => Promise<number>, cut: () => Promise<unknown>) {
    const before = await readNote(of)
    const note = await lockNote(of)
    const asked = ask()
    await waitUntil(note.isAwaited, 'the change waits for the note')
    await cut()
    await note.release()
    const status = await asked
    expect(await readNote(of)).toEqual(before)
    return status
  }

  it('401 and nothing is kept: an edit and a signature of a deactivated clinician, an edit after a logout', async () => {
    const of = await service.addPartner()
    const path = `/sessions/${of.sessionId}/progress-note`
    const act = (verb: 'deactivate' | 'reactivate') =>
      service.call({ method: 'POST', url: `/v2/clinicians/${of.clinicianId}/${verb}`, headers: of.headers })
    for (const [method, end, payload] of [
      ['PATCH', '', heading('Changed by whom we cut off.')],
      ['POST', '/finalize', {}],
    ] as const) {
      const clinician = await signIn(service, of)
      const ask = async () => (await clinician.call(method, `${path}${end}`, payload)).statusCode
      expect(await cutOffMeanwhile(of, ask, () => act('deactivate'))).toBe(401)
      await act('reactivate')
    }
    const clinician = await signIn(service, of)
    const edit = async () =>
      (await clinician.call('PATCH', path, heading('Changed after logging out.'))).statusCode
    const logOut = () => clinician.call('POST', '/logout', {})
    expect(await cutOffMeanwhile(of, edit, logOut)).toBe(401)
    const again = await signIn(service, of)
    expect((await again.call('PATCH', path, heading('Let in.'))).statusCode).toBe(200)
  })

  it('403 for a key that was rotated, 401 for a token whose key was retired', async () => {
    const of = await service.addPartner()
    const tenant = { tenantId: of.partnerId }
    const url = `/v2/progress-notes/${of.progressNoteId}`
    const edit = async () => {
      const payload = heading('Changed by whom we cut off.')
      return (await service.call({ method: 'PATCH', url, headers: of.headers, payload })).statusCode
    }
    const retire = async () => {
      await rotateTenantKey(service.owner, service.masterKeys, tenant, 'token')
      await service.owner.write(tenant, (tx) => retireOlderKeys(tx, 'token'))
      await service.watch.poll()
    }
    const rotate = async () => {
      await rotateKey(service.owner, tenant, service.masterKeys)
      await service.watch.poll()
    }
    expect(await cutOffMeanwhile(of, edit, retire)).toBe(401)
    const { accessToken } = (
      await service.call({
        method: 'POST',
        url: '/v2/partners/authenticate',
        headers: { 'x-api-key': of.apiKey },
        payload: { clientId: of.credentialId, clientSecret: of.clientSecret },
      })
    ).json<{ accessToken: string }>()
    of.headers['access-token'] = accessToken
    expect(await cutOffMeanwhile(of, edit, rotate)).toBe(403)
  })
})
