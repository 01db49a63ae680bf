import { randomUUID } from 'node:crypto'
import { CLIENT_STATUSES, type Client, type Page, type Program } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLIENT_TRANSITIONS } from '../../src/features/clients/client-lifecycle.js'
import { describePartnerApi } from '../../src/main/describe-api.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { invalid, makeCaller, provisionMore, refused, type Caller } from './people-fixture.js'

let service: TestService
let partner: TestPartner
let caller: Caller
let more: Awaited<ReturnType<typeof provisionMore>>
let path: string

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  caller = makeCaller(service, partner)
  more = await provisionMore(service, partner)
  path = `/clinicians/${partner.clinicianId}/clients`
})
afterAll(() => service.close())

const inSql = (text: string): Promise<Record<string, unknown>[]> =>
  service.owner.throughDoor({ text, values: [] })

const noDate = 'dateOfBirth must be a valid ISO 8601 date string'
const noProgram = "each value in programIds must be a program of the client's organization"

describe('creating a client', () => {
  it('201 with the whole client, absent values null, the same as a later read', async () => {
    const { status, body } = await caller.post(path, { lastName: 'Testwell', dateOfBirth: '1991-04-12' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
      firstName: null,
      lastName: 'Testwell',
      externalId: null,
      email: null,
      phoneNumber: null,
      dateOfBirth: '1991-04-12',
      language: null,
      status: 'awaiting_invite',
      clinicianId: partner.clinicianId,
      clinicId: partner.clinicId,
      organizationId: partner.organizationId,
      programIds: [],
      recordingConsent: 'none',
      createdAt: expect.stringMatching(/Z$/) as string,
    })
    expect(await caller.get(`/clients/${(body as Client).id}`)).toEqual({ status: 200, body })
  })

  it('keeps every field as given', async () => {
    const fields = {
      firstName: ' Zoë ',
      lastName: "O'Brien\u202e ",
      dateOfBirth: '1880-01-01',
      email: 'Zoe@Example.com',
      phoneNumber: '+1 (202) 555-0100 ext 5',
      externalId: '%_\\',
      language: 'es-MX',
      programIds: [more.programId, partner.programId],
    }
    const { status, body } = await caller.post(path, { ...fields, id: 'x', status: 'active', tenantId: 'y' })
    expect([status, body]).toEqual([201, expect.objectContaining({ ...fields, status: 'awaiting_invite' })])
    expect((await caller.get(`/clients/${(body as Client).id}`)).body).toEqual(body)
  })

  it('null is as good as absent for what is optional; a program named twice counts once', async () => {
    const none = {
      firstName: null,
      email: null,
      phoneNumber: null,
      externalId: null,
      language: null,
      programIds: null,
    }
    expect(await caller.createClient(none)).toMatchObject({ ...none, programIds: [] })
    const { programId } = partner
    expect((await caller.createClient({ programIds: [programId, programId] })).programIds).toEqual([
      programId,
    ])
  })

  it('400 names every offending field at once, and nothing is written', async () => {
    const before = await caller.get(path)
    for (const body of [{}, null, [], 'x', { lastName: null, dateOfBirth: null }]) {
      const answer = await service.call({
        method: 'POST',
        url: `/v2${path}`,
        headers: { ...partner.headers, 'content-type': 'application/json' },
        payload: JSON.stringify(body),
      })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject(
        invalid('lastName should not be empty', 'dateOfBirth should not be empty').body,
      )
    }
    expect(
      await caller.post(path, {
        lastName: '',
        dateOfBirth: 19_900_131,
        firstName: 7,
        email: 'a@b',
        phoneNumber: 12,
        externalId: 'x'.repeat(256),
        language: 'Spanish',
        programIds: ['x'],
      }),
    ).toMatchObject(
      invalid(
        'lastName should not be empty',
        noDate,
        'firstName must be a string',
        'email must be an email',
        'phoneNumber must be a string',
        'externalId must be shorter than or equal to 255 characters',
        'language must be a BCP 47 language tag',
        'each value in programIds must be a UUID',
      ),
    )
    expect(
      await caller.post(path, { lastName: 'x'.repeat(201), dateOfBirth: '1990-01-31', programIds: 'x' }),
    ).toMatchObject(
      invalid('lastName must be shorter than or equal to 200 characters', 'programIds must be an array'),
    )
    expect(await caller.get(path)).toEqual(before)
  })

  it.each([
    '1990',
    '1990-W01',
    '19900101',
    '1990-02-30',
    '1990-13-01',
    '1879-12-31',
    '1990-1-1',
    '1990-01-31T00:00:00Z',
    ' 1990-01-31',
    '',
    'yesterday',
    new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10),
  ])('400 for the date of birth %j', async (dateOfBirth) => {
    const answer = await caller.post(path, { lastName: 'x', dateOfBirth })
    expect(answer).toMatchObject(invalid(noDate))
  })

  it('a date of birth of today is fine, and so is 29 February', async () => {
    const today = new Date().toISOString().slice(0, 10)
    for (const dateOfBirth of [today, '2000-02-29']) {
      expect((await caller.createClient({ dateOfBirth })).dateOfBirth).toBe(dateOfBirth)
    }
  })

  it('400 in plain words for a telephone number without calling code, on create and change', async () => {
    const words = refused(400, 'phoneNumber should include calling code')
    const client = { lastName: 'x', dateOfBirth: '1990-01-31' }
    for (const phoneNumber of ['2025550100', ' +1', '']) {
      expect(await caller.post(path, { ...client, phoneNumber })).toMatchObject(words)
      expect(await caller.patch(`/clients/${partner.clientId}`, { phoneNumber })).toMatchObject(words)
    }
    // Step 7 comes before step 8.
    expect(await caller.post(path, { phoneNumber: '1' })).toMatchObject(
      invalid('lastName should not be empty', 'dateOfBirth should not be empty'),
    )
  })

  it('400 for programs that are unknown or of another organization', async () => {
    for (const programId of [randomUUID(), more.foreignProgramId]) {
      const programIds = [partner.programId, programId]
      expect(await caller.post(path, { lastName: 'x', dateOfBirth: '1990-01-31', programIds })).toMatchObject(
        invalid(noProgram),
      )
      expect(await caller.patch(`/clients/${partner.clientId}`, { programIds })).toMatchObject(
        invalid(noProgram),
      )
    }
  })
})

describe('changing a client', () => {
  it('changes what is given, clears with null, and leaves the rest', async () => {
    const before = await caller.createClient({
      firstName: 'A',
      email: 'a@example.com',
      phoneNumber: '+1',
      externalId: 'e',
      programIds: [partner.programId],
    })
    const changes = [
      { firstName: 'B' },
      { email: null, phoneNumber: null },
      { externalId: null, firstName: null },
      { programIds: [more.programId, partner.programId] },
      { programIds: null },
      { lastName: 'New', dateOfBirth: '2001-01-01' },
      {},
    ]
    let expected: object = before
    for (const change of changes) {
      expected = { ...expected, ...change }
      if ('programIds' in change && change.programIds === null) expected = { ...expected, programIds: [] }
      expect([change, await caller.patch(`/clients/${before.id}`, change)]).toEqual([
        change,
        { status: 200, body: expected },
      ])
      expect((await caller.get(`/clients/${before.id}`)).body).toEqual(expected)
    }
  })

  it('400 for null or empty where a value must be, and nothing is written', async () => {
    const before = await caller.createClient()
    expect(
      await caller.patch(`/clients/${before.id}`, { lastName: null, dateOfBirth: null, firstName: 'x' }),
    ).toMatchObject(invalid('lastName must be a string', noDate))
    expect(await caller.patch(`/clients/${before.id}`, { lastName: '', email: '' })).toMatchObject(
      invalid('lastName should not be empty', 'email must be an email'),
    )
    expect((await caller.get(`/clients/${before.id}`)).body).toEqual(before)
  })

  it('what a search finds follows the name', async () => {
    const { id } = await caller.createClient({ firstName: 'Before', lastName: 'Change' })
    await caller.patch(`/clients/${id}`, { firstName: 'Qwertzu' })
    const found = await caller.list(`/clinics/${partner.clinicId}/clients?name=wertz%20chan`)
    expect(found.data.map((client) => client.id)).toEqual([id])
  })

  it('two changes at once of different fields both stay', async () => {
    const { id } = await caller.createClient()
    await Promise.all([
      caller.patch(`/clients/${id}`, { firstName: 'Left' }),
      caller.patch(`/clients/${id}`, { externalId: 'right' }),
    ])
    expect((await caller.get(`/clients/${id}`)).body).toMatchObject({
      firstName: 'Left',
      externalId: 'right',
    })
  })
})

describe('archiving', () => {
  it('is idempotent; unarchiving gives the earlier status back, and then is a conflict', async () => {
    const { id } = await caller.createClient({ email: 'a@example.com' })
    await caller.post(`/clients/${id}/invite`)
    for (let times = 0; times < 2; times += 1) {
      expect(await caller.post(`/clients/${id}/archive`)).toMatchObject({
        status: 200,
        body: { id, status: 'archived' },
      })
    }
    expect(await caller.post(`/clients/${id}/unarchive`)).toMatchObject({
      status: 200,
      body: { id, status: 'invite_sent' },
    })
    expect(await caller.post(`/clients/${id}/unarchive`)).toMatchObject(
      refused(409, 'Client is not archived'),
    )
    const history = await inSql(
      `select action, to_status from casenote.client_status_history where client_id = '${id}' order by seq`,
    )
    expect(history.map(({ action }) => action)).toEqual(['create', 'invite', 'archive', 'unarchive'])
  })

  it('of two unarchivings at once one is the conflict', async () => {
    const { id } = await caller.createClient()
    await caller.post(`/clients/${id}/archive`)
    const answers = await Promise.all([1, 2].map(() => caller.post(`/clients/${id}/unarchive`)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })
})

describe('inviting', () => {
  it('answers the client and an unguessable link, whose hash alone is kept; the next link replaces it', async () => {
    const { id } = await caller.createClient({ phoneNumber: '+1' })
    const tokens: string[] = []
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await caller.post(`/clients/${id}/invite`)
      expect([status, body]).toEqual([200, expect.objectContaining({ id, status: 'invite_sent' })])
      const { inviteUrl } = body as { inviteUrl: string }
      expect(inviteUrl).toMatch(/^http:\/\/localhost:8080\/i\/[0-9a-f]{32}\.[\w-]{43}$/)
      tokens.push(inviteUrl.split('/i/')[1] ?? '')
    }
    expect(new Set(tokens).size).toBe(2)
    const rows = await inSql(
      `select i::text as row, revoked_at is null as "isOpen", expires_at > now() + interval '13 days' as "isFresh"
       from casenote.client_invitations i where client_id = '${id}' order by created_at`,
    )
    expect(rows.map(({ isOpen, isFresh }) => [isOpen, isFresh])).toEqual([
      [false, true],
      [true, true],
    ])
    for (const token of tokens) expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('400 without email and telephone number', async () => {
    const { id } = await caller.createClient()
    expect(await caller.post(`/clients/${id}/invite`)).toMatchObject(
      refused(400, 'Client needs an email or a phoneNumber to be invited'),
    )
  })

  it('409 in a status that does not allow it, and no link is left behind', async () => {
    const { id } = await caller.createClient({ email: 'a@example.com' })
    await caller.post(`/clients/${id}/archive`)
    expect(await caller.post(`/clients/${id}/invite`)).toMatchObject(
      refused(409, 'Client cannot be invited while archived'),
    )
    expect(await inSql(`select from casenote.client_invitations where client_id = '${id}'`)).toEqual([])
  })
})

it('programs of a client are paginated, in the order given', async () => {
  const programIds = [more.programId, partner.programId]
  const { id } = await caller.createClient({ programIds })
  const { status, body } = await caller.get(`/clients/${id}/programs`)
  const { data, meta } = body as Page<Program>
  expect([status, data.map((program) => program.id), meta.totalItems]).toEqual([200, programIds, 2])
  expect(data[1]).toMatchObject({ name: 'Program', organizationId: partner.organizationId })
  expect(Object.keys(data[1] ?? {}).toSorted()).toEqual(['createdAt', 'id', 'name', 'organizationId'])
  expect(await caller.get(`/clients/${id}/programs?page=x`)).toMatchObject({ status: 400 })
})

it('the statuses of the database, the document and the table of transitions are the same', async () => {
  const [constraint] = await inSql(
    `select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'clients_status_check'`,
  )
  const inDatabase = [...String(constraint?.text).matchAll(/'(\w+)'::text/g)].map(([, status]) =>
    String(status),
  )
  const document = describePartnerApi() as {
    components: { schemas: { Client: { properties: { status: { enum: string[] } } } } }
  }
  expect(inDatabase.toSorted()).toEqual(CLIENT_STATUSES.toSorted())
  expect(document.components.schemas.Client.properties.status.enum).toEqual(CLIENT_STATUSES)
  const inTable = Object.values(CLIENT_TRANSITIONS).flatMap(({ from, to }) => [...from, to])
  expect([...new Set(inTable)].filter((status) => status !== 'before').toSorted()).toEqual(
    CLIENT_STATUSES.toSorted(),
  )
})

it('a change is in the audit log with its operation and subjects, a refused one is not', async () => {
  const { id } = await caller.createClient()
  await caller.patch(`/clients/${id}`, { firstName: 'x' })
  await caller.post(`/clients/${id}/unarchive`)
  await caller.post(`/clients/${id}/archive`)
  const rows = await inSql(
    `select operation from casenote.audit_pending where '${id}' = any(subject_ids) order by pending_id`,
  )
  expect(rows.map(({ operation }) => operation)).toEqual(['client.create', 'client.change', 'client.archive'])
})
