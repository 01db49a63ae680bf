import { check } from '../check.js'
import { expectEqual, expectStatus, expectThat } from '../expect.js'

/** @param {import('../context.js').Context} context @param {string} clinicianId */
async function mint({ api }, clinicianId) {
  const answer = await api.post(`/clinicians/${clinicianId}/authenticate`)
  expectStatus(answer, 200)
  return answer.json
}

/**
 * The widget's own renewal, the only place where a refresh token is used.
 * @param {import('../context.js').Context} context
 * @param {Record<string, unknown>} body
 */
const renew = ({ api }, body) => api.callOrigin('POST', '/widget/v1/token', { body })

/** @param {import('../context.js').Context} context @param {string} accessToken */
const whoAmI = ({ api }, accessToken) =>
  api.callOrigin('GET', '/widget/v1/clinician', { headers: { authorization: `Bearer ${accessToken}` } })

/** @param {import('../client.js').Answer} answer */
function expectPair(answer) {
  expectStatus(answer, 200)
  expectEqual('the keys', Object.keys(answer.json).toSorted(), [
    'AccessToken',
    'ExpiresIn',
    'IdToken',
    'RefreshToken',
  ])
  for (const key of ['AccessToken', 'IdToken', 'RefreshToken'])
    expectThat(/^[A-Za-z0-9._-]+$/.test(answer.json[key]), `${key} of A-Za-z0-9._-`, typeof answer.json[key])
  expectEqual('ExpiresIn', answer.json.ExpiresIn, 600)
  expectThat(
    answer.json.IdToken === answer.json.AccessToken,
    'IdToken identical to AccessToken',
    'another value',
  )
}

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  check(
    'minting gives exactly the four PascalCase keys, with no body and no password',
    [
      '4 POST /clinicians/{clinicianId}/authenticate',
      '2 Clinician token / AccessToken',
      '2 Clinician token / IdToken',
      '2 Clinician token / RefreshToken',
      '2 Clinician token / ExpiresIn',
      '5 Levels / clinician tokens',
      '5 Rule 3 / mint a clinician pair',
      '8 Limits / clinician access token lifetime',
      '9 Versioning / rule 3, IdToken is reserved',
      'ruling 9 / token characters and exact keys',
    ],
    async ({ api, credentials }) => {
      expectPair(await api.post(`/clinicians/${credentials.clinicianId}/authenticate`))
      expectPair(await api.post(`/clinicians/${credentials.prescriberId}/authenticate`))
    },
  ),
  check(
    'each minting is a pair of its own, and pairs of several browser sessions live side by side',
    ['5 Rule 6 / single use, rotation, replay', '5 Rule 3 / mint a clinician pair'],
    async (context) => {
      const { id } = await context.newClinician()
      const first = await mint(context, id)
      const second = await mint(context, id)
      expectThat(first.RefreshToken !== second.RefreshToken, 'two refresh tokens', 'the same one twice')
      expectPair(await renew(context, { RefreshToken: first.RefreshToken }))
      expectPair(await renew(context, { RefreshToken: second.RefreshToken }))
    },
  ),
  check(
    'a renewal gives a new pair for the same clinician',
    ['5 Rule 5 / the widget renews; one clinician', 'ruling 9 / renewal'],
    async (context) => {
      const { id } = await context.newClinician()
      const minted = await mint(context, id)
      const renewed = await renew(context, { RefreshToken: minted.RefreshToken })
      expectPair(renewed)
      expectThat(renewed.json.RefreshToken !== minted.RefreshToken, 'another refresh token', 'the same one')
      const answer = await whoAmI(context, renewed.json.AccessToken)
      expectStatus(answer, 200)
      expectEqual('the clinician', answer.json.id, id)
    },
  ),
  check(
    'a consumed refresh token replayed revokes all of that clinician, and of nobody else',
    ['5 Rule 6 / single use, rotation, replay', 'ruling 9 / renewal', 'ruling 9 / revoked access tokens'],
    async (context) => {
      const { id } = await context.newClinician()
      const bystander = await mint(context, (await context.newClinician()).id)
      const one = await mint(context, id)
      const two = await mint(context, id)
      const renewed = await renew(context, { RefreshToken: one.RefreshToken })
      expectPair(renewed)
      expectStatus(await renew(context, { RefreshToken: one.RefreshToken }), 401)
      expectStatus(await renew(context, { RefreshToken: renewed.json.RefreshToken }), 401)
      expectStatus(await renew(context, { RefreshToken: two.RefreshToken }), 401)
      expectStatus(await whoAmI(context, two.AccessToken), 401)
      expectPair(await renew(context, { RefreshToken: bystander.RefreshToken }))
      const again = await mint(context, id)
      expectPair(await renew(context, { RefreshToken: again.RefreshToken }))
    },
  ),
  check(
    'of two parallel uses of a refresh token one wins, the other is a replay',
    ['5 Rule 6 / single use, rotation, replay', 'ruling 9 / renewal'],
    async (context) => {
      const { RefreshToken } = await mint(context, (await context.newClinician()).id)
      const answers = await Promise.all([renew(context, { RefreshToken }), renew(context, { RefreshToken })])
      expectEqual('the statuses', answers.map(({ status }) => String(status)).toSorted(), ['200', '401'])
    },
  ),
  check(
    'the same token with the same renewalId is the same renewal; with another one it is a replay',
    ['ruling 9 / renewalId'],
    async (context) => {
      const { RefreshToken } = await mint(context, (await context.newClinician()).id)
      const renewalId = context.unique('renewal')
      const first = await renew(context, { RefreshToken, renewalId })
      expectPair(first)
      const again = await renew(context, { RefreshToken, renewalId })
      expectPair(again)
      expectThat(again.json.RefreshToken === first.json.RefreshToken, 'the same successor', 'another one')
      expectStatus(await renew(context, { RefreshToken, renewalId: context.unique('renewal') }), 401)
    },
  ),
  check(
    'after a logout neither token of that browser session works; the other session goes on',
    ['5 Rule 7 / logout', 'ruling 9 / revoked access tokens'],
    async (context) => {
      const { id } = await context.newClinician()
      const one = await mint(context, id)
      const two = await mint(context, id)
      const left = await context.api.callOrigin('POST', '/widget/v1/logout', {
        body: { RefreshToken: one.RefreshToken },
        headers: { authorization: `Bearer ${one.AccessToken}` },
      })
      expectStatus(left, 204)
      expectStatus(await whoAmI(context, one.AccessToken), 401)
      expectStatus(await renew(context, { RefreshToken: one.RefreshToken }), 401)
      expectStatus(await whoAmI(context, two.AccessToken), 200)
      expectPair(await renew(context, { RefreshToken: two.RefreshToken }))
    },
  ),
]
