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
  expectUuid,
  skip,
} from '../expect.js'

/**
 * Ids of two instruments of the clinic.
 * @param {import('../context.js').Context} context
 * @returns {Promise<[string, string]>}
 */
async function twoInstruments({ api, credentials }) {
  const [one, two] = expectPage(await api.get(`/clinics/${credentials.clinicId}/assessments`))
  if (one === undefined || two === undefined) skip('the clinic has fewer than two assessments')
  return [one.id, two.id]
}

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  check(
    'a clinic lists its assessments: string ids, name, description, isDefault, questionCount',
    ['4 Lists / assessments of a clinic', '2 Assessment / identifiers are strings', 'ruling 6 / assessment'],
    async ({ api, credentials }) => {
      const listed = expectPage(await api.get(`/clinics/${credentials.clinicId}/assessments`))
      expectThat(listed.length > 0, 'assessments', listed)
      for (const assessment of listed) {
        expectKeys('an assessment', assessment, ['id', 'name', 'description', 'isDefault', 'questionCount'])
        expectThat(typeof assessment.id === 'string' && assessment.id !== '', 'a string id', assessment)
        expectThat(typeof assessment.isDefault === 'boolean', 'isDefault as a boolean', assessment)
        expectThat(Number.isInteger(assessment.questionCount), 'questionCount as an integer', assessment)
      }
      expectThat(
        listed.some(({ id }) => id === 'phq9'),
        'phq9 among the assessments',
        listed.map(({ id }) => id),
      )
    },
  ),
  check(
    'defaultOnly=true lists the defaults only; false and empty list all; anything else is 400',
    [
      '4 Filters / assessments by defaultOnly',
      'ruling 2 / defaultOnly',
      'ruling 2 / malformed status, dateOfBirth, defaultOnly',
    ],
    async ({ api, credentials }) => {
      const path = `/clinics/${credentials.clinicId}/assessments`
      const all = await api.get(path)
      const defaults = expectPage(await api.get(`${path}?defaultOnly=true`))
      for (const assessment of defaults) expectEqual('isDefault', assessment.isDefault, true)
      if (all.json.meta.totalPages === 1)
        expectEqual(
          'the defaults',
          defaults,
          all.json.data.filter((/** @type {any} */ { isDefault }) => isDefault),
        )
      for (const query of ['defaultOnly=false', 'defaultOnly='])
        expectEqual(`the list with ${query}`, (await api.get(`${path}?${query}`)).json, all.json)
      for (const value of ['maybe', '1', 'TRUE'])
        expectInvalid(await api.get(`${path}?defaultOnly=${value}`), ['defaultOnly'])
    },
  ),
  check(
    'administer: 201 with assignments of id, assessmentId, status and url',
    ['4 Operations / administer assessments', 'ruling 4 / administer assessments'],
    async (context) => {
      const { api, newClient } = context
      const assessmentIds = await twoInstruments(context)
      const { id } = await newClient()
      const answer = await api.post(`/clients/${id}/assessments`, { assessmentIds })
      expectStatus(answer, 201)
      const { assignments } = answer.json
      expectThat(Array.isArray(assignments), 'assignments as an array', answer)
      expectEqual(
        'the assessments',
        assignments.map((/** @type {any} */ one) => one.assessmentId).toSorted(),
        assessmentIds.toSorted(),
      )
      for (const assignment of assignments) {
        expectKeys('an assignment', assignment, ['id', 'assessmentId', 'status', 'url'])
        expectUuid('id', assignment.id)
        expectThat(URL.canParse(assignment.url), 'url as an absolute URL', assignment)
      }
    },
  ),
  check(
    '409 for an assessment already outstanding, and none of the request is assigned',
    [
      '7 Status / 409 assessments',
      '4 Operations / administer assessments',
      'ruling 4 / administer assessments',
      '7 Envelope / error.message string',
    ],
    async (context) => {
      const { api, newClient } = context
      const [one, two] = await twoInstruments(context)
      const { id } = await newClient()
      const administer = (/** @type {string[]} */ assessmentIds) =>
        api.post(`/clients/${id}/assessments`, { assessmentIds })
      expectStatus(await administer([one]), 201)
      expectRule(await administer([one]), 409)
      expectRule(await administer([two, one]), 409)
      expectStatus(await administer([two]), 201)
    },
  ),
  check(
    '400 for missing, malformed and unknown assessmentIds, and none is assigned',
    ['7 Status / 400', 'ruling 1 / an unfit id in a body', 'ruling 4 / administer assessments'],
    async (context) => {
      const { api, newClient } = context
      const [one] = await twoInstruments(context)
      const path = `/clients/${(await newClient()).id}/assessments`
      expectInvalid(await api.post(path, {}), ['assessmentIds should not be empty'])
      for (const assessmentIds of ['phq9', [7], ['no-such-assessment'], [one, 'no-such-assessment']])
        expectInvalid(await api.post(path, { assessmentIds }), ['assessmentIds'])
      expectStatus(await api.post(path, { assessmentIds: [one] }), 201)
    },
  ),
  check(
    '409 for an assessment of an archived client',
    ['ruling 5 / archived: no session, no assessment'],
    async (context) => {
      const { api, newClient } = context
      const [one] = await twoInstruments(context)
      const { id } = await newClient()
      await api.post(`/clients/${id}/archive`)
      expectRule(await api.post(`/clients/${id}/assessments`, { assessmentIds: [one] }), 409)
    },
  ),
  check(
    'a client without scores has an empty list of them; an outstanding assessment is no score',
    ["ruling 4 / client's scores", 'ruling 2 / empty list', '4 GET /assessment-scores/{id}'],
    async (context) => {
      const { api, newClient } = context
      const { id } = await newClient()
      const [one] = await twoInstruments(context)
      const assigned = await api.post(`/clients/${id}/assessments`, { assessmentIds: [one] })
      expectStatus(assigned, 201)
      expectPage(await api.get(`/clients/${id}/assessment-scores`), { totalItems: 0 })
      expectRefusal(await api.get(`/assessment-scores/${assigned.json.assignments[0].id}`), 404)
    },
  ),
]
