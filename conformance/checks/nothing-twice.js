import { check } from '../check.js'
import {
  expectEqual,
  expectInvalid,
  expectPage,
  expectRule,
  expectStatus,
  expectThat,
  skip,
} from '../expect.js'

/**
 * What the operator has switched on for the partner.
 * @param {import('../client.js').Client} api
 * @param {'idempotency' | 'uniqueExternalIds'} setting
 */
const isOn = async (api, setting) => (await api.get('/partners')).json[setting] === true

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  check(
    'GET /partners says whether keys are done once, and external ids are unique',
    ['additions / nothing twice at GET /partners'],
    async ({ api }) => {
      const { json } = await api.get('/partners')
      for (const name of ['idempotency', 'uniqueExternalIds'])
        expectThat(typeof json[name] === 'boolean', `a boolean ${name}`, json)
    },
  ),
  check(
    'an Idempotency-Key is done once: the first answer again, also to parallel calls; 409 with another body',
    ['additions / Idempotency-Key'],
    async ({ api, clinician, unique }) => {
      if (!(await isOn(api, 'idempotency'))) skip('idempotency is off for this partner')
      const path = `/clinicians/${(await clinician()).id}/clients`
      const lastName = unique('Once')
      const body = { lastName, dateOfBirth: '1990-01-01' }
      const headers = { 'idempotency-key': unique() }
      const answers = await Promise.all(Array.from({ length: 8 }, () => api.post(path, body, { headers })))
      for (const answer of answers) expectStatus(answer, 201)
      expectEqual('the ids', new Set(answers.map(({ json }) => json.id)).size, 1)
      const replayed = answers.filter((answer) => answer.headers.get('idempotency-replayed') === 'true')
      expectEqual('how many are replayed', replayed.length, answers.length - 1)
      expectPage(await api.get(`${path}?${new URLSearchParams({ lastName })}`), { totalItems: 1 })
      expectRule(await api.post(path, { ...body, firstName: 'Other' }, { headers }), 409)
    },
  ),
  check(
    'an Idempotency-Key that is too long is 400 and names the header; neither authenticate takes one',
    ['additions / Idempotency-Key'],
    async ({ api, clinician, unique }) => {
      if (!(await isOn(api, 'idempotency'))) skip('idempotency is off for this partner')
      const { id } = await clinician()
      const body = { lastName: 'Sample', dateOfBirth: '1990-01-01' }
      const long = { headers: { 'idempotency-key': 'k'.repeat(256) } }
      expectInvalid(await api.post(`/clinicians/${id}/clients`, body, long), [
        'Idempotency-Key must be 1 to 255 visible ASCII characters',
      ])
      const headers = { 'idempotency-key': unique() }
      const pairs = [
        await api.post(`/clinicians/${id}/authenticate`, undefined, { headers }),
        await api.post(`/clinicians/${id}/authenticate`, undefined, { headers }),
      ]
      expectEqual('the pairs', new Set(pairs.map(({ json }) => json.RefreshToken)).size, 2)
    },
  ),
  check(
    'an external id that is taken is 409 and names who has it; a session that failed does not count',
    ['additions / unique external ids'],
    async ({ api, clinician, newClient, newClinician, newSession, unique }) => {
      if (!(await isOn(api, 'uniqueExternalIds'))) skip('uniqueExternalIds is off for this partner')
      const externalId = unique('chart')
      const client = await newClient({ externalId })
      const path = `/clinicians/${(await clinician()).id}/clients`
      const body = { lastName: 'Twice', dateOfBirth: '1990-01-01', externalId }
      expectRule(await api.post(path, body), 409, `externalId is taken by client ${client.id}`)
      const other = await newClient()
      expectRule(await api.patch(`/clients/${other.id}`, { externalId }), 409)
      const owner = await newClinician({ externalId })
      expectRule(
        await api.patch(`/clinicians/${(await newClinician()).id}`, { externalId }),
        409,
        `externalId is taken by clinician ${owner.id}`,
      )
      const sessionExternalId = unique('visit')
      const session = await newSession({ clientId: client.id, sessionExternalId })
      const again = await api.post(`/clients/${client.id}/sessions`, {
        fileUrl: session.fileUrl,
        sessionExternalId,
      })
      // It may have failed by now, as its recording does not exist: then it does not count.
      if ((await api.get(`/sessions/${session.id}`)).json.status !== 'failed')
        expectRule(again, 409, `sessionExternalId is taken by session ${session.id}`)
      else expectThat([201, 409].includes(again.status), '201 or 409', again)
    },
  ),
]
