import { randomUUID } from 'node:crypto'
import { check } from '../check.js'
import {
  expectEqual,
  expectInvalid,
  expectKeys,
  expectPage,
  expectRefusal,
  expectRule,
  expectStatus,
  expectThat,
  expectTime,
  expectUuid,
  skip,
} from '../expect.js'
import { clientKeys } from '../shapes.js'

const phoneRule = 'phoneNumber should include calling code'

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  check(
    'create client: 201 with the whole client, which then can be read',
    [
      '2 Client / id',
      '2 Client / firstName',
      '2 Client / lastName',
      '2 Client / externalId',
      '2 Client / email',
      '2 Client / phoneNumber',
      '2 Client / dateOfBirth',
      'ruling 4 / create client',
      'ruling 4 / read, change client',
      'ruling 6 / client',
      '8 Limits / dateOfBirth',
    ],
    async ({ api, credentials, newClinician, unique }) => {
      const clinician = await newClinician()
      const given = {
        firstName: 'Zoë',
        lastName: "O'Neill-Ñandú",
        dateOfBirth: '1988-02-29',
        email: `${unique()}@example.com`,
        phoneNumber: '+1 (202) 555-0142',
        externalId: unique('chart'),
      }
      const answer = await api.post(`/clinicians/${clinician.id}/clients`, given)
      expectStatus(answer, 201)
      const client = answer.json
      expectKeys('the client', client, clientKeys)
      expectUuid('id', client.id)
      expectTime('createdAt', client.createdAt)
      const owners = {
        clinicianId: clinician.id,
        clinicId: credentials.clinicId,
        organizationId: credentials.organizationId,
      }
      for (const [key, value] of Object.entries({ ...given, ...owners, programIds: [] }))
        expectEqual(key, client[key], value)
      const read = await api.get(`/clients/${client.id}`)
      expectStatus(read, 200)
      expectEqual('the client read alone', read.json, client)
    },
  ),
  check(
    'a client with only lastName and dateOfBirth has the other keys, with null',
    ['ruling 4 / create client', 'ruling 6 / keys are always there'],
    async ({ api, clinician }) => {
      const answer = await api.post(`/clinicians/${(await clinician()).id}/clients`, {
        lastName: 'Only',
        dateOfBirth: '2001-12-31',
      })
      expectStatus(answer, 201)
      expectKeys('the client', answer.json, clientKeys)
      for (const key of ['firstName', 'email', 'phoneNumber', 'externalId'])
        expectEqual(key, answer.json[key], null)
    },
  ),
  check(
    '400 lists lastName and dateOfBirth when they are missing',
    [
      '4 Operations / create client validates lastName and dateOfBirth',
      '7 Status / 400',
      'ruling 1 / every offending field is listed',
      'ruling 1 / field messages',
    ],
    async ({ api, credentials }) => {
      const path = `/clinicians/${credentials.clinicianId}/clients`
      for (const body of [{}, { firstName: 'No' }])
        expectInvalid(await api.post(path, body), ['lastName should not be empty', 'dateOfBirth'])
      expectInvalid(await api.post(path, { lastName: '', dateOfBirth: '1990-01-01' }), [
        'lastName should not be empty',
      ])
    },
  ),
  check(
    '400 for a dateOfBirth that is no ISO 8601 date or does not exist',
    [
      '8 Limits / dateOfBirth',
      '2 Client / dateOfBirth',
      'ruling 1 / a date that does not exist',
      'ruling 1 / field messages',
    ],
    async ({ api, credentials }) => {
      const path = `/clinicians/${credentials.clinicianId}/clients`
      for (const dateOfBirth of [
        '01/02/1990',
        '1990-02-30',
        '1990-13-01',
        '2023-02-29',
        'yesterday',
        '1990-2-3',
      ])
        expectInvalid(await api.post(path, { lastName: 'Never', dateOfBirth }), [
          'dateOfBirth must be a valid ISO 8601 date string',
        ])
      expectInvalid(await api.post(path, { lastName: 'Never', dateOfBirth: 19_900_101 }), ['dateOfBirth'])
    },
  ),
  check(
    '400 for fields of a wrong type, each named',
    ['7 Status / 400', 'ruling 1 / every offending field is listed'],
    async ({ api, credentials }) => {
      const body = { lastName: 7, dateOfBirth: '1990-01-01', firstName: {}, externalId: [], programIds: 'p' }
      expectInvalid(await api.post(`/clinicians/${credentials.clinicianId}/clients`, body), [
        'lastName',
        'firstName',
        'externalId',
        'programIds',
      ])
    },
  ),
  check(
    '400 with the plain string for a phoneNumber without +, on create and on change',
    [
      '8 Limits / phoneNumber',
      '2 Client / phoneNumber',
      '7 Status / 400',
      '7 Envelope / error.message string',
      'ruling 1 / phoneNumber is a plain string',
    ],
    async ({ api, clinician, newClient }) => {
      const path = `/clinicians/${(await clinician()).id}/clients`
      const body = { lastName: 'Phone', dateOfBirth: '1990-01-01' }
      for (const phoneNumber of ['2025550142', '001 202 555 0142', ' +12025550142'])
        expectRule(await api.post(path, { ...body, phoneNumber }), 400, phoneRule)
      const client = await newClient()
      expectRule(await api.patch(`/clients/${client.id}`, { phoneNumber: '2025550142' }), 400, phoneRule)
      expectEqual(
        'the phoneNumber after a refused change',
        (await api.get(`/clients/${client.id}`)).json.phoneNumber,
        null,
      )
    },
  ),
  check(
    'nothing but the + of a phoneNumber is checked, and it is kept as given',
    ['8 Limits / phoneNumber', 'ruling 1 / phoneNumber is a plain string'],
    async ({ newClient }) => {
      for (const phoneNumber of ['+1', '+49 (0) 30 / 123-45', '+1 202 555 0142 ext. 7'])
        expectEqual('phoneNumber', (await newClient({ phoneNumber })).phoneNumber, phoneNumber)
    },
  ),
  check(
    'validation comes before the phone rule',
    ['ruling 1 / body before business rules'],
    async ({ api, credentials }) => {
      const answer = await api.post(`/clinicians/${credentials.clinicianId}/clients`, {
        phoneNumber: '2025550142',
      })
      expectInvalid(answer, ['lastName should not be empty'])
    },
  ),
  check(
    'a clinician’s clients cannot be created under an unknown clinician: 404 before 400',
    ['ruling 1 / ownership before state and body', '7 Status / 404'],
    async ({ api }) => {
      expectRefusal(await api.post(`/clinicians/${randomUUID()}/clients`, {}), 404)
    },
  ),
  check(
    'externalId need not be unique, and a repeated POST creates a duplicate, Idempotency-Key or not',
    [
      '8 Limits / externalId',
      '8 Limits / idempotency',
      '2 Client / externalId',
      '4 Filters / clients by externalId',
    ],
    async ({ api, clinician, unique }) => {
      const { idempotency, uniqueExternalIds } = (await api.get('/partners')).json
      if (idempotency || uniqueExternalIds) skip('the operator has switched that off for this partner')
      const { id } = await clinician()
      const body = { lastName: 'Twice', dateOfBirth: '1990-01-01', externalId: unique('chart / ü?&=') }
      const headers = { 'idempotency-key': unique() }
      const first = await api.post(`/clinicians/${id}/clients`, body, { headers })
      const second = await api.post(`/clinicians/${id}/clients`, body, { headers })
      expectStatus(first, 201)
      expectStatus(second, 201)
      const query = new URLSearchParams({ externalId: body.externalId })
      const found = expectPage(await api.get(`/clinicians/${id}/clients?${query}`), { totalItems: 2 })
      expectEqual(
        'the ids, oldest first',
        found.map((client) => client.id),
        [first.json.id, second.json.id],
      )
    },
  ),
  check(
    'unknown body fields are ignored: id, status and clinicId are not taken from a caller',
    ['ruling 1 / unknown fields and parameters are ignored', 'ruling 5 / created: awaiting_invite'],
    async ({ credentials, newClient }) => {
      const id = randomUUID()
      const client = await newClient({
        id,
        status: 'active',
        clinicId: id,
        organizationId: id,
        nickname: 'x',
      })
      expectThat(client.id !== id, 'an id of the service', client.id)
      expectEqual('status', client.status, 'awaiting_invite')
      expectEqual('clinicId', client.clinicId, credentials.clinicId)
      expectEqual('an unknown field', Object.hasOwn(client, 'nickname'), false)
    },
  ),
  check(
    'PATCH changes what is given and leaves the rest; twice is once',
    ['ruling 4 / read, change client', '8 Limits / retry safety'],
    async ({ api, newClient, unique }) => {
      const before = await newClient({ externalId: unique('chart') })
      const change = { firstName: 'Changed', dateOfBirth: '1991-03-04', phoneNumber: '+12025550143' }
      const answer = await api.patch(`/clients/${before.id}`, change)
      expectStatus(answer, 200)
      expectEqual('the client', answer.json, { ...before, ...change })
      expectEqual('the second answer', (await api.patch(`/clients/${before.id}`, change)).json, answer.json)
      expectEqual('the client read alone', (await api.get(`/clients/${before.id}`)).json, answer.json)
    },
  ),
  check(
    'PATCH refuses an empty lastName and a date that does not exist, and changes nothing',
    [
      'ruling 4 / read, change client',
      'ruling 1 / a date that does not exist',
      'ruling 1 / every offending field is listed',
    ],
    async ({ api, newClient }) => {
      const before = await newClient()
      const answer = await api.patch(`/clients/${before.id}`, {
        lastName: '',
        dateOfBirth: '2023-02-29',
        firstName: 'X',
      })
      expectInvalid(answer, [
        'lastName should not be empty',
        'dateOfBirth must be a valid ISO 8601 date string',
      ])
      expectEqual('the client', (await api.get(`/clients/${before.id}`)).json, before)
    },
  ),
  check(
    'programIds: those of the organization are kept and listed; an unknown one is 400 and named',
    ['4 Lists / programs of a client', 'ruling 1 / an unfit id in a body', 'ruling 4 / create client'],
    async ({ api, credentials, newClient, clinician }) => {
      const programs = expectPage(await api.get(`/organizations/${credentials.organizationId}/programs`))
      const [program] = programs
      if (program === undefined) skip('the organization has no programs')
      const client = await newClient({ programIds: [program.id] })
      expectEqual('programIds', client.programIds, [program.id])
      const [listed] = expectPage(await api.get(`/clients/${client.id}/programs`), { totalItems: 1 })
      expectEqual('the program', listed, program)
      const path = `/clinicians/${(await clinician()).id}/clients`
      for (const unfit of [randomUUID(), 'x', credentials.clinicId])
        expectInvalid(
          await api.post(path, {
            lastName: 'No',
            dateOfBirth: '1990-01-01',
            programIds: [program.id, unfit],
          }),
          ['programIds'],
        )
    },
  ),
  check(
    'a client without programs has an empty list of them',
    ['4 Lists / programs of a client', 'ruling 2 / empty list'],
    async ({ api, client }) => {
      expectPage(await api.get(`/clients/${(await client()).id}/programs`), { totalItems: 0 })
    },
  ),
  check(
    'the brief before a session, and the timeline, newest first',
    ['additions / brief and timeline of a client'],
    async ({ api, session }) => {
      const { id, clientId } = await session()
      const brief = await api.get(`/clients/${clientId}/brief`)
      expectStatus(brief, 200)
      expectKeys('the brief', brief.json, ['clientId', 'lastSession', 'openDanger', 'scores', 'goals'])
      const timeline = await api.get(`/clients/${clientId}/timeline`)
      expectPage(timeline, {})
      const times = timeline.json.data.map(({ at }) => at)
      expectEqual('order', times, times.toSorted().toReversed())
      if (timeline.json.meta.totalPages === 1)
        expectThat(
          timeline.json.data.some(({ sessionId }) => sessionId === id),
          'the session is in it',
          timeline.json,
        )
    },
  ),
]
