import { check } from '../check.js'
import {
  expectEqual,
  expectGateway,
  expectInvalid,
  expectRefusal,
  expectStatus,
  expectThat,
} from '../expect.js'

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  check(
    'POST /partners/authenticate gives accessToken, expiresIn 3600, tokenType Bearer',
    [
      '4 POST /partners/authenticate',
      '2 Partner token / accessToken',
      '2 Partner token / expiresIn',
      '2 Partner token / tokenType',
      '5 Rule 1 / partner token',
      '8 Limits / partner token lifetime',
    ],
    async ({ api }) => {
      const answer = await api.authenticate()
      expectStatus(answer, 200)
      expectThat(
        typeof answer.json.accessToken === 'string' && answer.json.accessToken !== '',
        'an accessToken',
        answer,
      )
      expectEqual('expiresIn', answer.json.expiresIn, 3600)
      expectEqual('tokenType', answer.json.tokenType, 'Bearer')
    },
  ),
  check(
    'API-only integrations need the three partner credentials and nothing else',
    ['5 Levels / partner credentials', '5 Rule 2 / Access-Token and X-API-Key', '4 GET /partners'],
    async ({ api, credentials }) => {
      const token = (await api.authenticate()).json.accessToken
      const answer = await api.get('/partners', { accessToken: token })
      expectStatus(answer, 200)
      expectEqual('the partner', answer.json.id, credentials.partnerId)
    },
  ),
  check(
    'an earlier token goes on working after a new one was obtained',
    ['5 Rule 1 / partner token'],
    async ({ api }) => {
      const { accessToken } = (await api.authenticate()).json
      await api.authenticate()
      expectStatus(await api.get('/partners', { accessToken }), 200)
    },
  ),
  check(
    '401 Invalid client credentials for a wrong clientId or clientSecret, with the same body',
    [
      '2 Partner credentials / clientId',
      '2 Partner credentials / clientSecret',
      'ruling 1 / authenticate: 400, then 401',
    ],
    async ({ api, credentials, unique }) => {
      const { clientId, clientSecret } = credentials
      const bodies = []
      for (const body of [
        { clientId: unique(), clientSecret },
        { clientId, clientSecret: unique() },
        { clientId: clientSecret, clientSecret: clientId },
      ]) {
        const answer = await api.post('/partners/authenticate', body, { accessToken: null })
        expectRefusal(answer, 401, { message: 'Invalid client credentials' })
        bodies.push({ ...answer.json, error: { ...answer.json.error, timestamp: '' } })
      }
      expectEqual('the body for a wrong clientSecret', bodies[1], bodies[0])
      expectEqual('the body for both swapped', bodies[2], bodies[0])
    },
  ),
  check(
    '400 with both fields listed when clientId and clientSecret are missing or empty',
    [
      'ruling 1 / authenticate: 400, then 401',
      'ruling 1 / every offending field is listed',
      'ruling 1 / field messages',
      '7 Status / 400',
    ],
    async ({ api }) => {
      for (const body of [{}, { clientId: '', clientSecret: '' }, { clientId: null, clientSecret: null }])
        expectInvalid(await api.post('/partners/authenticate', body, { accessToken: null }), [
          'clientId should not be empty',
          'clientSecret should not be empty',
        ])
      expectInvalid(
        await api.post('/partners/authenticate', { clientId: 1, clientSecret: [] }, { accessToken: null }),
        ['clientId must be a string', 'clientSecret must be a string'],
      )
    },
  ),
  check(
    'POST /partners/authenticate needs the key, before anything is read of the body',
    ['2 Partner credentials / apiKey', '7 Gateway / 403 Forbidden', 'ruling 1 / key before token'],
    async ({ api, unique }) => {
      for (const apiKey of [null, '', unique('key')])
        expectGateway(
          await api.post('/partners/authenticate', {}, { accessToken: null, apiKey }),
          'Forbidden',
        )
    },
  ),
  check(
    "another tenant's key with this tenant's clientId and clientSecret: 401",
    ['ruling 1 / authenticate: 400, then 401', 'ruling 3 / ids of another tenant never resolve'],
    async ({ api, credentials, requireOther }) => {
      const { clientId, clientSecret } = credentials
      const { apiKey } = requireOther()
      const answer = await api.post(
        '/partners/authenticate',
        { clientId, clientSecret },
        { accessToken: null, apiKey },
      )
      expectRefusal(answer, 401, { message: 'Invalid client credentials' })
    },
  ),
  check(
    'the token in an Authorization header is not read',
    ['5 Rule 2 / not an Authorization header', '2 Partner token / tokenType', '7 Status / 403 token'],
    async ({ api }) => {
      const headers = { authorization: `Bearer ${await api.token()}` }
      expectRefusal(await api.get('/partners', { accessToken: null, headers }), 403)
    },
  ),
  check(
    '403 PartnerApiError for a token that is missing, malformed or not recognized',
    ['7 Status / 403 token', 'ruling 1 / a token that is no partner token'],
    async ({ api }) => {
      const token = await api.token()
      const [header, payload, signature = ''] = token.split('.')
      const altered = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
      const wrong = [
        null,
        '',
        'abc',
        'a.b.c',
        `Bearer ${token}`,
        `${header}.${payload}.${altered}`,
        `${token}x`,
      ]
      for (const accessToken of wrong) expectRefusal(await api.get('/partners', { accessToken }), 403)
    },
  ),
  check(
    "403 PartnerApiError for a clinician's token and for the refresh token",
    ['7 Status / 403 token', 'ruling 1 / a token that is no partner token'],
    async ({ api, credentials }) => {
      const minted = await api.post(`/clinicians/${credentials.clinicianId}/authenticate`)
      expectStatus(minted, 200)
      for (const accessToken of [minted.json.AccessToken, minted.json.RefreshToken])
        expectRefusal(await api.get('/partners', { accessToken }), 403)
    },
  ),
  check(
    "403 PartnerApiError for another tenant's token",
    ['ruling 1 / a token that is no partner token', 'ruling 3 / ids of another tenant never resolve'],
    async ({ api, requireOther }) => {
      const { clientId, clientSecret, apiKey } = requireOther()
      const theirs = await api.post(
        '/partners/authenticate',
        { clientId, clientSecret },
        { accessToken: null, apiKey },
      )
      expectStatus(theirs, 200)
      expectRefusal(await api.get('/partners', { accessToken: theirs.json.accessToken }), 403)
    },
  ),
]
