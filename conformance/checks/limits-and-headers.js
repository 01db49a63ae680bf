import { randomUUID } from 'node:crypto'
import { check } from '../check.js'
import {
  expectEqual,
  expectInvalid,
  expectKeys,
  expectPage,
  expectStatus,
  expectThat,
  skip,
} from '../expect.js'

const logKeys = ['requestId', 'at', 'method', 'path', 'operation', 'status', 'code', 'latencyMs', 'ids']

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  check(
    'a burst of 60 requests is answered without a 429',
    ['7 Status / 429', '8 Limits / rate limits'],
    async ({ api }) => {
      await api.token()
      const answers = await Promise.all(Array.from({ length: 60 }, () => api.get('/partners')))
      expectEqual('the statuses', [...new Set(answers.map(({ status }) => status))], [200])
    },
  ),
  check(
    'limits are positive integers, seen at GET /partners',
    ['8 Limits / rate limits', 'ruling 10 / limits at GET /partners'],
    async ({ api }) => {
      const answer = await api.get('/partners')
      for (const name of ['ratePerSecond', 'burst', 'perDay'])
        expectThat(
          Number.isInteger(answer.json.limits[name]) && answer.json.limits[name] > 0,
          `limits.${name}`,
          answer,
        )
    },
  ),
  check(
    'header names are read whatever their case',
    ['5 Rule 2 / Access-Token and X-API-Key', '4 both headers unless stated'],
    async ({ api }) => {
      const headers = { 'X-API-KEY': api.credentials.apiKey, 'ACCESS-TOKEN': await api.token() }
      expectStatus(await api.get('/partners', { apiKey: null, accessToken: null, headers }), 200)
    },
  ),
  check(
    'answers and refusals are JSON',
    ['4 bodies are JSON', '7 Gateway / bare message'],
    async ({ api }) => {
      for (const answer of [
        await api.get('/partners'),
        await api.get('/nothing'),
        await api.get('/partners', { apiKey: null }),
        await api.get('/partners', { accessToken: null }),
      ])
        expectThat(
          answer.headers.get('content-type')?.startsWith('application/json'),
          'application/json',
          answer,
        )
    },
  ),
  check(
    'unknown query parameters are ignored, also on a single read',
    ['ruling 1 / unknown fields and parameters are ignored'],
    async ({ api, credentials }) => {
      const path = `/clinics/${credentials.clinicId}`
      const answer = await api.get(`${path}?limit=1&page=0`)
      expectStatus(answer, 200)
      expectEqual('id', answer.json.id, credentials.clinicId)
      expectEqual('the clinic', answer.json, (await api.get(path)).json)
    },
  ),
  check(
    'unknown body fields are ignored, also in POST /partners/authenticate',
    ['ruling 1 / unknown fields and parameters are ignored'],
    async ({ api }) => {
      const { clientId, clientSecret } = api.credentials
      const answer = await api.post(
        '/partners/authenticate',
        { clientId, clientSecret, scope: 'all' },
        { accessToken: null },
      )
      expectStatus(answer, 200)
    },
  ),
  check(
    'every kind of refusal names a code, and where it is explained',
    ['additions / a code and a link with every error'],
    async ({ api, credentials }) => {
      const { clientId, clientSecret } = credentials
      const refusals = {
        unknown_route: await api.get('/nothing'),
        invalid_api_key: await api.get('/partners', { apiKey: 'unknown' }),
        token_missing: await api.get('/partners', { accessToken: null }),
        token_invalid: await api.get('/partners', { accessToken: 'x' }),
        not_found: await api.get(`/clients/${randomUUID()}`),
        validation_failed: await api.get('/organizations?page=0'),
        invalid_client_credentials: await api.post(
          '/partners/authenticate',
          { clientId, clientSecret: `${clientSecret}x` },
          { accessToken: null },
        ),
      }
      for (const [code, answer] of Object.entries(refusals)) {
        expectEqual('Casenote-Error-Code', answer.headers.get('casenote-error-code'), code)
        expectEqual('Link', answer.headers.get('link'), `</docs/errors#${code}>; rel="help"`)
      }
      const good = await api.get('/partners')
      expectEqual('Casenote-Error-Code', good.headers.get('casenote-error-code'), null)
    },
  ),
  check(
    'unknown query parameters are named in a header, without their values; known ones are not',
    ['additions / a warning about unknown parameters'],
    async ({ api, credentials }) => {
      /** @param {string} query */
      const warned = async (query) =>
        (await api.get(`/clinics/${credentials.clinicId}/clients${query}`)).headers.get('casenote-warning')
      expectEqual('Casenote-Warning', await warned('?lastname=x'), 'Unknown query parameter: lastname')
      expectEqual('Casenote-Warning', await warned('?lastName=x&page=1'), null)
      expectEqual(
        'Casenote-Warning',
        await warned('?a%0d%0ab=1&b=1&c=1&d=1&e=1&f=1'),
        'Unknown query parameter: a??b, b, c, d, e',
      )
    },
  ),
  check(
    'a call is in the request log by its X-Request-Id, with ids of the path and nothing else of what was sent',
    ['additions / request log'],
    async ({ api, credentials, waitMs }) => {
      const called = await api.get(`/clinics/${credentials.clinicId}`)
      const requestId = called.headers.get('x-request-id')
      const endsAtMs = Date.now() + waitMs
      for (;;) {
        const rows = expectPage(await api.get('/request-logs?operation=clinic.read&status=2xx'))
        const row = rows.find((one) => one.requestId === requestId)
        if (row !== undefined) {
          expectKeys('the call', row, logKeys)
          expectEqual('path', row.path, '/clinics/{clinicId}')
          expectEqual('ids', row.ids, [{ kind: 'clinic', id: credentials.clinicId }])
          break
        }
        if (Date.now() > endsAtMs) skip('the call was not listed within --wait')
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
      expectInvalid(await api.get('/request-logs?status=9xx'), ['status'])
      expectInvalid(await api.get('/request-logs?page=0'), ['page must not be less than 1'])
      expectEqual('an unknown operation', expectPage(await api.get('/request-logs?operation=nothing')), [])
    },
  ),
]
