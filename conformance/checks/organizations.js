import { check } from '../check.js'
import {
  expectEqual,
  expectKeys,
  expectPage,
  expectRefusal,
  expectStatus,
  expectTime,
  expectUuid,
  skip,
} from '../expect.js'

/** @param {string} what @param {Record<string, any>} value @param {string[]} [parents] */
function expectNamed(what, value, parents = []) {
  expectKeys(what, value, ['id', 'name', 'createdAt', ...parents])
  expectUuid(`${what}.id`, value.id)
  expectTime(`${what}.createdAt`, value.createdAt)
  for (const parent of parents) expectUuid(`${what}.${parent}`, value[parent])
}

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  check(
    'GET /partners shows id, name, environment, callbackUrl and limits',
    ['4 GET /partners', 'ruling 6 / partner', 'ruling 10 / limits at GET /partners'],
    async ({ api, credentials }) => {
      const answer = await api.get('/partners')
      expectStatus(answer, 200)
      expectKeys('the partner', answer.json, [
        'id',
        'name',
        'environment',
        'callbackUrl',
        'limits',
        'createdAt',
      ])
      expectEqual('id', answer.json.id, credentials.partnerId)
      expectKeys('limits', answer.json.limits, ['ratePerSecond', 'burst', 'perDay'])
    },
  ),
  check(
    'GET /organizations lists the organization of the credentials',
    ['4 Lists / organizations', 'ruling 6 / organization, clinic, program'],
    async ({ api, credentials }) => {
      const [first] = expectPage(await api.get('/organizations'))
      expectNamed('an organization', first ?? {})
      const answer = await api.get(`/organizations/${credentials.organizationId}`)
      expectStatus(answer, 200)
      expectNamed('the organization', answer.json)
      expectEqual('id', answer.json.id, credentials.organizationId)
    },
  ),
  check(
    'GET /organizations/{organizationId}/clinics lists clinics with their parent; each can be read',
    [
      '4 Lists / clinics of an organization',
      'ruling 4 / single reads',
      'ruling 6 / organization, clinic, program',
    ],
    async ({ api, credentials }) => {
      const clinics = expectPage(await api.get(`/organizations/${credentials.organizationId}/clinics`))
      for (const clinic of clinics) {
        expectNamed('a clinic', clinic, ['organizationId'])
        expectEqual('organizationId', clinic.organizationId, credentials.organizationId)
        expectEqual('the clinic read alone', (await api.get(`/clinics/${clinic.id}`)).json, clinic)
      }
    },
  ),
  check(
    'GET /organizations/{organizationId}/programs lists programs with their parent; each can be read',
    [
      '4 Lists / programs of an organization',
      'ruling 4 / single reads',
      'ruling 6 / organization, clinic, program',
    ],
    async ({ api, credentials }) => {
      const programs = expectPage(await api.get(`/organizations/${credentials.organizationId}/programs`))
      if (programs.length === 0) skip('the organization has no programs')
      for (const program of programs) {
        expectNamed('a program', program, ['organizationId'])
        expectEqual('organizationId', program.organizationId, credentials.organizationId)
        expectEqual('the program read alone', (await api.get(`/programs/${program.id}`)).json, program)
      }
    },
  ),
  check(
    'an id of one kind is not an id of another: 404',
    ['7 Ownership / every path parameter', '7 Status / 404'],
    async ({ api, credentials }) => {
      expectRefusal(await api.get(`/clinics/${credentials.organizationId}`), 404)
      expectRefusal(await api.get(`/organizations/${credentials.clinicId}`), 404)
      expectRefusal(await api.get(`/programs/${credentials.clinicId}`), 404)
      expectRefusal(await api.post(`/clinicians/${credentials.clinicId}/authenticate`), 404)
    },
  ),
]
