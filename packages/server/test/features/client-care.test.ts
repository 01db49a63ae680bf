import { randomUUID } from 'node:crypto'
import type { Client, Clinician, Page } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { invalid, makeCaller, provisionMore, refused, type Caller } from './people-fixture.js'

let service: TestService
let partner: TestPartner
let caller: Caller
let more: Awaited<ReturnType<typeof provisionMore>>
let second: Clinician
let third: Clinician

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  caller = makeCaller(service, partner)
  more = await provisionMore(service, partner)
  second = await caller.createClinician({ firstName: 'Second' }, more.clinicId)
  third = await caller.createClinician({ firstName: 'Third' })
})
afterAll(() => service.close())

const clientsOf = async (clinicianId: string): Promise<string[]> =>
  (await caller.list(`/clinicians/${clinicianId}/clients?lastName=Moving`)).data.map(({ id }) => id)
const inClinic = async (clinicId: string, id: string): Promise<boolean> =>
  (await caller.list(`/clinics/${clinicId}/clients?lastName=Moving`)).data.some((one) => one.id === id)
const makeMoving = (): Promise<Client> => caller.createClient({ lastName: 'Moving' })

describe('transferring', () => {
  it('gives the client to the new clinician and their clinic, and removes the old one', async () => {
    const client = await makeMoving()
    const expected = { ...client, clinicianId: second.id, clinicId: more.clinicId }
    expect(await caller.post(`/clients/${client.id}/transfer`, { clinicianId: second.id })).toEqual({
      status: 200,
      body: expected,
    })
    expect((await caller.get(`/clients/${client.id}`)).body).toEqual(expected)
    expect(await clientsOf(second.id)).toContain(client.id)
    expect(await clientsOf(partner.clinicianId)).not.toContain(client.id)
    expect(await inClinic(more.clinicId, client.id)).toBe(true)
    expect(await inClinic(partner.clinicId, client.id)).toBe(false)
  })

  it('409 to the clinician they already have', async () => {
    const { id, clinicianId } = await makeMoving()
    expect(await caller.post(`/clients/${id}/transfer`, { clinicianId })).toMatchObject(
      refused(409, 'Client already has this clinician'),
    )
  })

  it('400 for a clinician who is missing, malformed, unknown or of another organization', async () => {
    const { id } = await makeMoving()
    const other = await service.addPartner()
    expect(await caller.post(`/clients/${id}/transfer`)).toMatchObject(
      invalid('clinicianId should not be empty'),
    )
    expect(await caller.post(`/clients/${id}/transfer`, { clinicianId: 'x' })).toMatchObject(
      invalid('clinicianId must be a UUID'),
    )
    for (const clinicianId of [randomUUID(), more.foreignClinicianId, other.clinicianId]) {
      expect(await caller.post(`/clients/${id}/transfer`, { clinicianId })).toMatchObject(
        invalid("clinicianId must be a clinician of the client's organization"),
      )
    }
  })

  it('a secondary clinician who becomes primary is listed once, and stays when the client moves on', async () => {
    const { id } = await makeMoving()
    const treats = async (clinicianId: string): Promise<number> =>
      (await clientsOf(clinicianId)).filter((one) => one === id).length
    await caller.post(`/clients/${id}/secondary-clinicians`, { clinicianIds: [second.id, third.id] })
    await caller.post(`/clients/${id}/transfer`, { clinicianId: second.id })
    expect(await treats(second.id)).toBe(1)
    const { data } = (await caller.get(`/clients/${id}/secondary-clinicians`)).body as Page<Clinician>
    expect(data.map((clinician) => clinician.id)).toEqual([second.id, third.id])
    await caller.post(`/clients/${id}/transfer`, { clinicianId: third.id })
    expect([await treats(second.id), await treats(third.id)]).toEqual([1, 1])
  })

  it('an archived client can be transferred and stays archived', async () => {
    const { id } = await makeMoving()
    await caller.post(`/clients/${id}/archive`)
    expect(await caller.post(`/clients/${id}/transfer`, { clinicianId: third.id })).toMatchObject({
      status: 200,
      body: { status: 'archived', clinicianId: third.id },
    })
  })

  it('of two transfers at once to one clinician one is the conflict', async () => {
    const { id } = await makeMoving()
    const answers = await Promise.all(
      [1, 2].map(() => caller.post(`/clients/${id}/transfer`, { clinicianId: second.id })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  it('a transfer and an archiving at once both hold', async () => {
    const { id } = await makeMoving()
    const answers = await Promise.all([
      caller.post(`/clients/${id}/transfer`, { clinicianId: second.id }),
      caller.post(`/clients/${id}/archive`),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await caller.get(`/clients/${id}`)).body).toMatchObject({
      status: 'archived',
      clinicianId: second.id,
      clinicId: more.clinicId,
    })
  })
})

describe('secondary clinicians', () => {
  it('answers all who are assigned; who is assigned or primary already is skipped; safe to retry', async () => {
    const { id } = await makeMoving()
    const path = `/clients/${id}/secondary-clinicians`
    const first = await caller.post(path, { clinicianIds: [second.id, second.id, partner.clinicianId] })
    expect(first).toEqual({ status: 200, body: { clinicianIds: [second.id] } })
    const both = { status: 200, body: { clinicianIds: [second.id, third.id] } }
    for (let times = 0; times < 2; times += 1) {
      expect(await caller.post(path, { clinicianIds: [third.id, second.id] })).toEqual(both)
    }
    const { data, meta } = (await caller.get(path)).body as Page<Clinician>
    expect([data, meta.totalItems]).toEqual([[second, third], 2])
    expect(await clientsOf(second.id)).toContain(id)
    expect((await caller.list(`/clinics/${partner.clinicId}/clients?clinicianId=${third.id}`)).data).toEqual(
      expect.arrayContaining([expect.objectContaining({ id })]),
    )
  })

  it('many at once leave each assigned once', async () => {
    const { id } = await makeMoving()
    const path = `/clients/${id}/secondary-clinicians`
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => caller.post(path, { clinicianIds: [third.id, second.id] })),
    )
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([200, { clinicianIds: [third.id, second.id] }])
    }
  })

  it('400 for ids that are missing, malformed, unknown or of another organization: nobody is assigned', async () => {
    const { id } = await makeMoving()
    const path = `/clients/${id}/secondary-clinicians`
    expect(await caller.post(path)).toMatchObject(invalid('clinicianIds should not be empty'))
    expect(await caller.post(path, { clinicianIds: [] })).toMatchObject(
      invalid('clinicianIds should not be empty'),
    )
    expect(await caller.post(path, { clinicianIds: [1] })).toMatchObject(
      invalid('each value in clinicianIds must be a string'),
    )
    for (const unfit of [randomUUID(), more.foreignClinicianId]) {
      expect(await caller.post(path, { clinicianIds: [second.id, unfit] })).toMatchObject(
        invalid("each value in clinicianIds must be a clinician of the client's organization"),
      )
    }
    expect(((await caller.get(path)).body as Page<Clinician>).meta.totalItems).toBe(0)
  })

  it('204 for removing, and for removing again; 404 for a clinician who is not theirs', async () => {
    const { id } = await makeMoving()
    await caller.post(`/clients/${id}/secondary-clinicians`, { clinicianIds: [second.id] })
    for (let times = 0; times < 2; times += 1) {
      expect(await caller.remove(`/clients/${id}/secondary-clinicians/${second.id}`)).toEqual({
        status: 204,
        body: null,
      })
    }
    expect(await clientsOf(second.id)).not.toContain(id)
    const other = await service.addPartner()
    for (const unknown of [randomUUID(), other.clinicianId, 'x']) {
      const answer = await caller.remove(`/clients/${id}/secondary-clinicians/${unknown}`)
      expect(answer.status).toBe(404)
    }
  })

  it('removing the primary clinician this way changes nothing', async () => {
    const client = await makeMoving()
    await caller.remove(`/clients/${client.id}/secondary-clinicians/${client.clinicianId}`)
    expect((await caller.get(`/clients/${client.id}`)).body).toEqual(client)
  })
})
