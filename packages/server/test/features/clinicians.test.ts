import { randomUUID } from 'node:crypto'
import type { Clinician, Page } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { invalid, makeCaller, refused, type Caller } from './people-fixture.js'

let service: TestService
let partner: TestPartner
let caller: Caller
let path: string

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  caller = makeCaller(service, partner)
  path = `/clinics/${partner.clinicId}/clinicians`
})
afterAll(() => service.close())

const taken = refused(409, 'A clinician with this email already exists')

describe('creating a clinician', () => {
  it('201 with the whole clinician, absent values null', async () => {
    const { status, body } = await caller.post(path, {
      firstName: 'Mara',
      lastName: 'Ellison',
      email: 'Mara@Example.com',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      firstName: 'Mara',
      lastName: 'Ellison',
      email: 'Mara@Example.com',
      externalId: null,
      clinicId: partner.clinicId,
      prescriber: false,
      defaultNoteType: null,
      supervisorId: null,
      active: true,
      createdAt: expect.stringMatching(/Z$/) as string,
    })
    expect(await caller.get(`/clinicians/${(body as Clinician).id}`)).toEqual({ status: 200, body })
  })

  it('400 names every offending field, and nothing is written', async () => {
    const before = await caller.get(path)
    expect(await caller.post(path, {})).toMatchObject(
      invalid('firstName should not be empty', 'lastName should not be empty', 'email should not be empty'),
    )
    expect(
      await caller.post(path, {
        firstName: '',
        lastName: 'x'.repeat(201),
        email: 'nobody',
        externalId: 5,
        prescriber: 'yes',
        defaultNoteType: 'novel',
      }),
    ).toMatchObject(
      invalid(
        'firstName should not be empty',
        'lastName must be shorter than or equal to 200 characters',
        'email must be an email',
        'externalId must be a string',
        'prescriber must be a boolean value',
        expect.stringMatching(/^defaultNoteType must be one of the following values: soap, dap/) as string,
      ),
    )
    expect(await caller.get(path)).toEqual(before)
  })

  it('400 for a prescriber note type of a clinician who is no prescriber', async () => {
    const clinician = { firstName: 'a', lastName: 'b', defaultNoteType: 'medication_management' }
    expect(await caller.post(path, { ...clinician, email: 'no@example.com' })).toMatchObject(
      invalid(expect.stringMatching(/^defaultNoteType must not be a prescriber note type/) as string),
    )
    expect(
      await caller.post(path, { ...clinician, email: 'yes@example.com', prescriber: true }),
    ).toMatchObject({
      status: 201,
      body: { prescriber: true, defaultNoteType: 'medication_management' },
    })
  })

  it('409 for an email that exists within the tenant, ignoring case; another tenant may have it', async () => {
    await caller.createClinician({ email: 'one@example.com' })
    expect(
      await caller.post(path, { firstName: 'a', lastName: 'b', email: 'ONE@example.com' }),
    ).toMatchObject(taken)
    const other = await service.addPartner()
    const elsewhere = await makeCaller(service, other).createClinician({ email: 'one@example.com' })
    expect(elsewhere.email).toBe('one@example.com')
  })

  it('of many creates at once with one email exactly one succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        caller.post(path, { firstName: 'a', lastName: 'b', email: 'race@example.com' }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409])
  })
})

describe('changing a clinician', () => {
  it('changes what is given, clears with null, and leaves the rest', async () => {
    const { id, ...before } = await caller.createClinician({ externalId: 'e', prescriber: true })
    const { status, body } = await caller.patch(`/clinicians/${id}`, { externalId: null, firstName: 'New' })
    expect(status).toBe(200)
    expect(body).toEqual({ id, ...before, externalId: null, firstName: 'New' })
    expect((await caller.get(`/clinicians/${id}`)).body).toEqual(body)
    expect(await caller.patch(`/clinicians/${id}`, {})).toEqual({ status: 200, body })
  })

  it('judges the result: the note type of a prescriber keeps its prescriber', async () => {
    const { id } = await caller.createClinician({
      prescriber: true,
      defaultNoteType: 'psychiatric_evaluation',
    })
    const message = expect.stringMatching(/^defaultNoteType must not be/) as string
    expect(await caller.patch(`/clinicians/${id}`, { prescriber: false })).toMatchObject(invalid(message))
    expect(
      await caller.patch(`/clinicians/${id}`, { prescriber: false, defaultNoteType: 'soap' }),
    ).toMatchObject({ status: 200, body: { prescriber: false, defaultNoteType: 'soap' } })
    expect(await caller.patch(`/clinicians/${id}`, { defaultNoteType: null })).toMatchObject({
      status: 200,
      body: { defaultNoteType: null },
    })
  })

  it('400 for null where a value must be, 409 for an email that is taken, 200 for their own in capitals', async () => {
    const { id } = await caller.createClinician({ email: 'own@example.com' })
    expect(
      await caller.patch(`/clinicians/${id}`, { firstName: null, email: null, prescriber: null }),
    ).toMatchObject(
      invalid('firstName must be a string', 'email must be a string', 'prescriber must be a boolean value'),
    )
    expect(await caller.patch(`/clinicians/${id}`, { email: 'ada@example.com' })).toMatchObject(taken)
    expect(await caller.patch(`/clinicians/${id}`, { email: 'OWN@example.com' })).toMatchObject({
      status: 200,
      body: { email: 'OWN@example.com' },
    })
  })
})

describe('listing clinicians', () => {
  it('filters exactly, combined with AND; what cannot match gives an empty list', async () => {
    const wanted = await caller.createClinician({
      firstName: 'Zoë',
      lastName: 'Quartz',
      email: 'Zoe@example.com',
      externalId: 'z/1',
    })
    await caller.createClinician({ firstName: 'Zoë', lastName: 'Other' })
    const idsFor = async (query: Record<string, string>): Promise<string[]> => {
      const { body, status } = await caller.get(`${path}?${new URLSearchParams(query).toString()}`)
      expect(status).toBe(200)
      const { data, meta } = body as Page<Clinician>
      expect(meta.totalItems).toBe(data.length)
      return data.map(({ id }) => id)
    }
    for (const query of [
      { id: wanted.id },
      { lastName: 'Quartz' },
      { email: 'Zoe@example.com' },
      { externalId: 'z/1' },
      { firstName: 'Zoë', lastName: 'Quartz', externalId: '' },
    ]) {
      expect([query, await idsFor(query)]).toEqual([query, [wanted.id]])
    }
    expect(await idsFor({ firstName: 'Zoë' })).toHaveLength(2)
    for (const query of [
      { id: 'x' },
      { id: randomUUID() },
      { email: 'zoe@example.com' },
      { firstName: 'Zo%' },
      { firstName: 'Zoë\u0000' },
      { lastName: 'Quartz', firstName: 'x' },
    ]) {
      expect([query, await idsFor(query as Record<string, string>)]).toEqual([query, []])
    }
  })

  it('400 for a bad page; unknown parameters change nothing', async () => {
    expect(await caller.get(`${path}?page=0`)).toMatchObject(invalid('page must not be less than 1'))
    expect(((await caller.get(`${path}?limit=1`)).body as Page<Clinician>).data).toHaveLength(10)
  })
})
