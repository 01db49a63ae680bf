import { randomUUID } from 'node:crypto'
import type { CorrectedClient, SessionPad } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/features/clients/index.js'
import { operator } from '../../src/kernel/operator.js'
import { listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { completeRecordingOf } from './complete-recording-of.js'
import { addColleague, giveConsent, openRecording, signIn, type SignedIn } from './widget-fixture.js'

let service: TestService
let partner: TestPartner
let clinician: SignedIn

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  clinician = await signIn(service, partner)
})
afterAll(() => service.close())

const tenantOf = () => ({ tenantId: partner.partnerId })
const pad: SessionPad = {
  text: 'Looked away when speaking of work\nPlan: letter for the school',
  markers: [{ id: randomUUID(), atSeconds: 42 }],
}
const empty: SessionPad = { text: '', markers: [] }

const begin = async (): Promise<string> => (await openRecording(clinician, partner.clientId)).sessionId
const keep = async (sessionId: string, given: object = pad): Promise<number> =>
  (await clinician.call('POST', `/sessions/${sessionId}/pad`, given)).statusCode
const read = async (sessionId: string, by = clinician): Promise<SessionPad> =>
  (await by.call('GET', `/sessions/${sessionId}/pad`)).json<SessionPad>()

const listKept = (): Promise<{ sealed: Buffer }[]> =>
  service.owner.write(tenantOf(), (tx) =>
    tx.run<{ sealed: Buffer }>({
      text: 'select sealed_pad as sealed from casenote.session_pads where tenant_id = $1',
      values: [partner.partnerId],
    }),
  )

describe('what a clinician jots down while a session is recorded', () => {
  it('is kept whole, sealed and audited, and the same again changes nothing', async () => {
    const sessionId = await begin()
    expect(await read(sessionId)).toEqual(empty)
    expect(await keep(sessionId)).toBe(204)
    expect(await keep(sessionId)).toBe(204)
    expect(await read(sessionId)).toEqual(pad)
    const kept = await listKept()
    expect(kept).toHaveLength(1)
    expect(kept[0]?.sealed.includes('school')).toBe(false)
    expect((await listSubjects(service, tenantOf(), 'session.keepPad', sessionId)).flat()).toContain(
      partner.clientId,
    )
  })

  it('takes neither more than a pad holds nor a marker before the recording began', async () => {
    const sessionId = await begin()
    expect(await keep(sessionId, { ...pad, text: 'a'.repeat(10_001) })).toBe(400)
    expect(await keep(sessionId, { ...pad, markers: [{ id: randomUUID(), atSeconds: -1 }] })).toBe(400)
    expect(
      await keep(sessionId, {
        ...pad,
        markers: Array.from({ length: 201 }, () => ({ id: randomUUID(), atSeconds: 1 })),
      }),
    ).toBe(400)
    expect(await read(sessionId)).toEqual(empty)
  })

  it('is closed when the recording is complete, since a writer may have read it', async () => {
    const sessionId = await begin()
    await keep(sessionId)
    await completeRecordingOf(clinician, sessionId)
    expect(await keep(sessionId, empty)).toBe(409)
    expect(await read(sessionId)).toEqual(pad)
  })

  it('is thrown away with the recording', async () => {
    const sessionId = await begin()
    await keep(sessionId)
    await clinician.call('POST', `/sessions/${sessionId}/discard`)
    expect(await read(sessionId)).toEqual(empty)
  })

  it('goes over to the right client with the recording, and stays with nobody else', async () => {
    const sessionId = await begin()
    await keep(sessionId)
    await completeRecordingOf(clinician, sessionId)
    const rightId = await service.owner.write(tenantOf(), (tx) => {
      const person = { firstName: 'Ben', lastName: 'Right', dateOfBirth: '1985-05-05' }
      const contact = { email: null, phoneNumber: null, externalId: null }
      return createClient(tx, { ...person, ...contact, clinicianId: partner.clinicianId }, operator)
    })
    await giveConsent(clinician, rightId)
    const answer = await clinician.call('POST', `/sessions/${sessionId}/correct-client`, {
      clientId: rightId,
    })
    const { session } = answer.json<CorrectedClient>()
    expect(await read(session.sessionId)).toEqual(pad)
    expect(await read(sessionId)).toEqual(empty)
  })

  it('404 for a colleague who does not treat the client', async () => {
    const sessionId = await begin()
    const colleague = await signIn(service, partner, (await addColleague(service, partner)).clinicianId)
    expect((await colleague.call('GET', `/sessions/${sessionId}/pad`)).statusCode).toBe(404)
    expect((await colleague.call('POST', `/sessions/${sessionId}/pad`, pad)).statusCode).toBe(404)
  })
})
