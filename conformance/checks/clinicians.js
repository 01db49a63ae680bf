import { randomUUID } from 'node:crypto'
import { check } from '../check.js'
import {
  expectEqual,
  expectInvalid,
  expectKeys,
  expectPage,
  expectRule,
  expectStatus,
  expectTime,
  expectUuid,
} from '../expect.js'
import { clinicianKeys, noteTypes } from '../shapes.js'

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  check(
    'create clinician: 201 with the whole clinician, which then can be read',
    [
      '2 Clinician / fields',
      '4 Operations / create clinician',
      'ruling 4 / create clinician',
      'ruling 4 / read, change clinician',
      'ruling 6 / clinician',
      'ruling 6 / keys are always there',
    ],
    async ({ api, credentials, unique }) => {
      const given = {
        firstName: 'Ada',
        lastName: 'Lindqvist',
        email: `${unique()}@example.com`,
        externalId: unique('staff'),
        prescriber: true,
        defaultNoteType: 'medication_management',
      }
      const answer = await api.post(`/clinics/${credentials.clinicId}/clinicians`, given)
      expectStatus(answer, 201)
      const clinician = answer.json
      expectKeys('the clinician', clinician, clinicianKeys)
      expectUuid('id', clinician.id)
      expectTime('createdAt', clinician.createdAt)
      for (const [key, value] of Object.entries({ ...given, clinicId: credentials.clinicId }))
        expectEqual(key, clinician[key], value)
      const read = await api.get(`/clinicians/${clinician.id}`)
      expectStatus(read, 200)
      expectEqual('the clinician read alone', read.json, clinician)
    },
  ),
  check(
    'what was not given is null; prescriber is false',
    ['ruling 4 / create clinician', 'ruling 6 / keys are always there', 'ruling 6 / clinician'],
    async ({ newClinician }) => {
      const clinician = await newClinician()
      expectKeys('the clinician', clinician, clinicianKeys)
      expectEqual('externalId', clinician.externalId, null)
      expectEqual('defaultNoteType', clinician.defaultNoteType, null)
      expectEqual('prescriber', clinician.prescriber, false)
    },
  ),
  check(
    '409 for an email that exists, whatever its case',
    [
      '2 Clinician / email exists 409',
      '7 Status / 409 clinician email',
      'ruling 2 / exact filters',
      'ruling 4 / create clinician',
      '7 Envelope / error.message string',
    ],
    async ({ api, credentials, newClinician }) => {
      const { email } = await newClinician()
      const body = { firstName: 'Ada', lastName: 'Twice' }
      const path = `/clinics/${credentials.clinicId}/clinicians`
      expectRule(await api.post(path, { ...body, email }), 409)
      expectRule(await api.post(path, { ...body, email: email.toUpperCase() }), 409)
      const found = await api.get(`${path}?email=${encodeURIComponent(email)}`)
      expectPage(found, { totalItems: 1 })
    },
  ),
  check(
    'PATCH of a clinician to an email that exists: 409; to their own: 200',
    ['7 Status / 409 clinician email', 'ruling 4 / read, change clinician'],
    async ({ api, newClinician }) => {
      const one = await newClinician()
      const two = await newClinician()
      expectRule(await api.patch(`/clinicians/${one.id}`, { email: two.email }), 409)
      expectStatus(await api.patch(`/clinicians/${one.id}`, { email: one.email }), 200)
    },
  ),
  check(
    '400 lists firstName, lastName and email when they are missing',
    [
      '7 Status / 400',
      'ruling 1 / every offending field is listed',
      'ruling 1 / field messages',
      'ruling 4 / create clinician',
    ],
    async ({ api, credentials }) => {
      const path = `/clinics/${credentials.clinicId}/clinicians`
      const problems = [
        'firstName should not be empty',
        'lastName should not be empty',
        'email should not be empty',
      ]
      expectInvalid(await api.post(path, {}), problems)
      expectInvalid(await api.post(path), problems)
      expectInvalid(await api.post(path, { firstName: '', lastName: '', email: '' }), [
        'firstName should not be empty',
        'lastName should not be empty',
        'email',
      ])
    },
  ),
  check(
    '400 for fields of a wrong type and for an unknown note type',
    ['7 Status / 400', 'ruling 7 / note types'],
    async ({ api, credentials, unique }) => {
      const path = `/clinics/${credentials.clinicId}/clinicians`
      const good = { firstName: 'Ada', lastName: 'Wrong', email: `${unique()}@example.com` }
      expectInvalid(
        await api.post(path, { ...good, firstName: 7, prescriber: 'yes', defaultNoteType: 'sonnet' }),
        [
          'firstName must be a string',
          'prescriber must be a boolean value',
          'defaultNoteType must be one of the following values: ',
        ],
      )
    },
  ),
  check(
    'every note type of ruling 7 can be a prescriber’s default',
    ['ruling 7 / note types'],
    async ({ api, newClinician }) => {
      const { id } = await newClinician({ prescriber: true })
      for (const defaultNoteType of noteTypes) {
        const answer = await api.patch(`/clinicians/${id}`, { defaultNoteType })
        expectStatus(answer, 200)
        expectEqual('defaultNoteType', answer.json.defaultNoteType, defaultNoteType)
      }
    },
  ),
  check(
    'PATCH changes what is given and leaves the rest; twice is once',
    ['ruling 4 / read, change clinician', '8 Limits / retry safety'],
    async ({ api, newClinician, unique }) => {
      const before = await newClinician()
      const change = { lastName: 'Changed', externalId: unique('staff') }
      const answer = await api.patch(`/clinicians/${before.id}`, change)
      expectStatus(answer, 200)
      expectEqual('the clinician', answer.json, { ...before, ...change })
      expectEqual(
        'the second answer',
        (await api.patch(`/clinicians/${before.id}`, change)).json,
        answer.json,
      )
      expectEqual('the clinician read alone', (await api.get(`/clinicians/${before.id}`)).json, answer.json)
    },
  ),
  check(
    'deactivate: 200 with the clinician, not active, still listed; no tokens and no sessions for them until reactivate',
    ['additions / deactivate, reactivate clinician', '4 POST /clinicians/{clinicianId}/authenticate'],
    async ({ api, credentials, newClinician, newClient, site }) => {
      const clinician = await newClinician()
      expectEqual('active of a new clinician', clinician.active, true)
      const client = await newClient({ clinicianId: clinician.id })
      const session = { fileUrl: site.silentUrl() }
      for (let times = 0; times < 2; times += 1) {
        const answer = await api.post(`/clinicians/${clinician.id}/deactivate`)
        expectStatus(answer, 200)
        expectEqual('the deactivated clinician', answer.json, { ...clinician, active: false })
      }
      expectRule(await api.post(`/clinicians/${clinician.id}/authenticate`), 409)
      expectRule(await api.post(`/clients/${client.id}/sessions`, session), 409)
      const listed = await api.get(`/clinics/${credentials.clinicId}/clinicians?id=${clinician.id}`)
      const [found] = expectPage(listed, { totalItems: 1 })
      expectEqual('active in the list', found.active, false)
      for (let times = 0; times < 2; times += 1) {
        const answer = await api.post(`/clinicians/${clinician.id}/reactivate`)
        expectStatus(answer, 200)
        expectEqual('the reactivated clinician', answer.json, clinician)
      }
      expectStatus(await api.post(`/clinicians/${clinician.id}/authenticate`), 200)
    },
  ),
  check(
    'end-widget-sessions: 200 with the clinician, still active, and tokens can be minted',
    ['additions / end widget sessions'],
    async ({ api, newClinician }) => {
      const clinician = await newClinician()
      expectStatus(await api.post(`/clinicians/${clinician.id}/authenticate`), 200)
      const answer = await api.post(`/clinicians/${clinician.id}/end-widget-sessions`)
      expectStatus(answer, 200)
      expectEqual('the clinician', answer.json, clinician)
      expectStatus(await api.post(`/clinicians/${clinician.id}/authenticate`), 200)
    },
  ),
  check(
    'the clients of a deactivated clinician can be transferred',
    ['additions / deactivate, reactivate clinician', 'ruling 4 / transfer client'],
    async ({ api, newClinician, newClient }) => {
      const leaving = await newClinician()
      const successor = await newClinician()
      const client = await newClient({ clinicianId: leaving.id })
      expectStatus(await api.post(`/clinicians/${leaving.id}/deactivate`), 200)
      const answer = await api.post(`/clients/${client.id}/transfer`, { clinicianId: successor.id })
      expectStatus(answer, 200)
      expectEqual('clinicianId', answer.json.clinicianId, successor.id)
    },
  ),
  check(
    'unknown body fields are ignored: id, clinicId and createdAt are not taken from a caller',
    ['ruling 1 / unknown fields and parameters are ignored'],
    async ({ credentials, newClinician }) => {
      const id = randomUUID()
      const clinician = await newClinician({
        id,
        clinicId: id,
        createdAt: '2001-01-01T00:00:00Z',
        favourite: 1,
      })
      expectEqual('the id is ours', clinician.id === id, false)
      expectEqual('clinicId', clinician.clinicId, credentials.clinicId)
      expectEqual('an unknown field', Object.hasOwn(clinician, 'favourite'), false)
    },
  ),
  check(
    'a clinic lists its clinicians, filtered by id, firstName, lastName, email and externalId',
    [
      '4 Lists / clinicians of a clinic',
      '4 Filters / clinicians',
      '4 Filters / combined with AND',
      'ruling 2 / exact filters',
    ],
    async ({ api, credentials, newClinician, unique }) => {
      const clinician = await newClinician({
        firstName: unique('First'),
        lastName: unique('Last'),
        externalId: unique('staff'),
      })
      const path = `/clinics/${credentials.clinicId}/clinicians`
      for (const field of ['id', 'firstName', 'lastName', 'email', 'externalId']) {
        const [found] = expectPage(
          await api.get(`${path}?${new URLSearchParams({ [field]: clinician[field] })}`),
          { totalItems: 1 },
        )
        expectEqual(`the clinician found by ${field}`, found, clinician)
        const part = clinician[field].slice(0, -1)
        expectPage(await api.get(`${path}?${new URLSearchParams({ [field]: part })}`), { totalItems: 0 })
      }
      const both = new URLSearchParams({ email: clinician.email, lastName: 'Nobody' })
      expectPage(await api.get(`${path}?${both}`), { totalItems: 0 })
      const otherCase = new URLSearchParams({ firstName: clinician.firstName.toUpperCase() })
      expectPage(await api.get(`${path}?${otherCase}`), { totalItems: 0 })
    },
  ),
]
