import { check } from '../check.js'
import { expectEqual, expectPage, expectStatus, expectThat, expectTime, expectUuid } from '../expect.js'
import { clientStatuses } from '../shapes.js'

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  check(
    'the credentials’ ids are version-4 UUIDs and resolve',
    ['2 Identifiers / UUID strings', '2 Partner credentials / clientId', '2 Partner credentials / apiKey'],
    async ({ api, credentials }) => {
      for (const name of /** @type {const} */ ([
        'partnerId',
        'organizationId',
        'clinicId',
        'clinicianId',
        'prescriberId',
      ]))
        expectUuid(name, credentials[name])
      for (const id of credentials.clientIds) expectUuid('a client’s id', id)
      expectStatus(await api.get(`/organizations/${credentials.organizationId}`), 200)
      expectStatus(await api.get(`/clinics/${credentials.clinicId}`), 200)
    },
  ),
  check(
    'the provisioned clinicians and clients can be read, with ids, times and dates in their forms',
    [
      '2 Identifiers / UUID strings',
      '2 Client / id',
      '2 Client / status',
      '3 Client status / values',
      'ruling 6 / keys are always there',
    ],
    async ({ api, credentials }) => {
      for (const id of [credentials.clinicianId, credentials.prescriberId]) {
        const answer = await api.get(`/clinicians/${id}`)
        expectStatus(answer, 200)
        expectTime('createdAt', answer.json.createdAt)
        expectEqual('prescriber', answer.json.prescriber, id === credentials.prescriberId)
      }
      for (const id of credentials.clientIds) {
        const answer = await api.get(`/clients/${id}`)
        expectStatus(answer, 200)
        expectTime('createdAt', answer.json.createdAt)
        expectThat(/^\d{4}-\d\d-\d\d$/.test(answer.json.dateOfBirth), 'dateOfBirth as YYYY-MM-DD', answer)
        expectThat(
          clientStatuses.includes(answer.json.status),
          `a status of ${clientStatuses.join(', ')}`,
          answer,
        )
      }
    },
  ),
  check(
    'every id and time in a list is in its form',
    ['2 Identifiers / UUID strings', 'ruling 6 / keys are always there'],
    async ({ api, credentials }) => {
      const { organizationId, clinicId, clinicianId } = credentials
      for (const path of [
        '/organizations',
        `/organizations/${organizationId}/clinics`,
        `/organizations/${organizationId}/programs`,
        `/clinics/${clinicId}/clinicians`,
        `/clinics/${clinicId}/clients`,
        `/clinicians/${clinicianId}/clients`,
      ]) {
        for (const item of expectPage(await api.get(path))) {
          for (const [key, value] of Object.entries(item)) {
            if ((key === 'id' || key.endsWith('Id')) && key !== 'externalId' && value !== null)
              expectUuid(`${path} ${key}`, value)
            if (key.endsWith('At') && value !== null) expectTime(`${path} ${key}`, value)
          }
        }
      }
    },
  ),
]
