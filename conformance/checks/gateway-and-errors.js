import { randomUUID } from 'node:crypto'
import { check } from '../check.js'
import {
  expectEqual,
  expectGateway,
  expectInvalid,
  expectRefusal,
  expectRule,
  expectStatus,
  expectThat,
} from '../expect.js'
import { fillPath, routes } from '../routes.js'

/** Everything of a 404 but what must differ. @param {import('../client.js').Answer} answer */
const sameParts = (answer) =>
  answer.text
    .replace(JSON.stringify(answer.json.error.timestamp), '"…"')
    .replace(JSON.stringify(answer.json.path), '"…"')

/** @param {import('../routes.js').Route} route */
const doorCheck = ({ method, path, clause }) =>
  check(
    `${method} ${path}: 403 Forbidden without the key, 403 PartnerApiError without the token`,
    [
      clause,
      '4 both headers unless stated',
      '7 Gateway / 403 Forbidden',
      'ruling 1 / key before token',
      'ruling 1 / token before ownership',
    ],
    async ({ api }) => {
      const filled = fillPath(path, () => randomUUID())
      expectGateway(await api.call(method, filled, { apiKey: null }), 'Forbidden')
      expectGateway(await api.call(method, filled, { apiKey: 'unknown', accessToken: null }), 'Forbidden')
      expectRefusal(await api.call(method, filled, { accessToken: null }), 403)
    },
  )

/** @param {import('../routes.js').Route} route */
const ownershipCheck = ({ method, path, clause }) =>
  check(
    `${method} ${path}: 404, the same for unknown, not yours and not a UUID, before the body is read`,
    [
      clause,
      '7 Status / 404',
      '7 Ownership / every path parameter',
      'ruling 1 / ownership before state and body',
      'ruling 3 / ids of another tenant never resolve',
    ],
    async ({ api, other }) => {
      const unknown = await api.call(
        method,
        fillPath(path, () => randomUUID()),
      )
      expectRefusal(unknown, 404)
      const anId = randomUUID()
      const odd = ['x', anId.toUpperCase(), '%20', `${anId}%20`, 'a'.repeat(3000), '..%2F..', '%00']
      const theirs = other === null ? null : fillPath(path, (name) => otherId(other, name) ?? anId)
      for (const asked of [
        ...odd.map((id) => fillPath(path, () => id)),
        ...(theirs === null ? [] : [theirs]),
      ]) {
        // Not JSON at all: were the body read first, this would be 400.
        const answer = await api.call(method, asked, method === 'GET' ? {} : { rawBody: '{', headers: json })
        expectRefusal(answer, 404)
        expectEqual(`the 404 for ${asked.slice(0, 80)}`, sameParts(answer), sameParts(unknown))
      }
    },
  )

const json = { 'content-type': 'application/json' }

/**
 * @param {import('../context.js').Credentials} other
 * @param {string} name
 */
function otherId(other, name) {
  if (name === 'clientId') return other.clientIds?.[0]
  return /** @type {Record<string, any>} */ (other)[name]
}

const unknownRoutes = /** @type {const} */ ([
  ['GET', '/nothing'],
  ['GET', '/organizations/'],
  ['GET', '/organizations/x/clinics/y'],
  ['GET', '//organizations'],
  ['GET', '/organizations/%zz'],
  ['DELETE', '/organizations'],
  ['PUT', '/partners'],
  ['HEAD', '/organizations'],
  ['OPTIONS', '/organizations'],
  ['GET', '/partners/authenticate'],
  ['PATCH', '/partners/authenticate'],
  ['GET', '/partners/00000000-0000-4000-8000-000000000000'],
  ['POST', '/clinics'],
  ['DELETE', '/clients/00000000-0000-4000-8000-000000000000'],
  ['PUT', '/progress-notes/00000000-0000-4000-8000-000000000000'],
  ['GET', ''],
])

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  ...unknownRoutes.map(([method, path]) =>
    check(
      `403 Missing Authentication Token for ${method} ${path || '(the base URL)'}, with any key or none`,
      [
        '7 Gateway / 403 Missing Authentication Token',
        '7 Gateway / bare message',
        'ruling 1 / route before key',
        'ruling 1 / what is an unknown route',
      ],
      async ({ api }) => {
        for (const options of [{}, { apiKey: null }, { apiKey: 'unknown', accessToken: null }]) {
          const answer = await api.call(method, path, options)
          if (method === 'HEAD') expectStatus(answer, 403)
          else expectGateway(answer, 'Missing Authentication Token')
        }
      },
    ),
  ),
  check(
    '403 Missing Authentication Token for a route without /v2',
    ['9 Versioning / rule 1, /v2', '7 Gateway / 403 Missing Authentication Token'],
    async ({ api }) => {
      const headers = { 'x-api-key': api.credentials.apiKey, 'access-token': await api.token() }
      for (const path of ['/organizations', '/partners', '/v1/organizations', '/V2/organizations'])
        expectGateway(await api.callOrigin('GET', path, { headers }), 'Missing Authentication Token')
      expectThat(api.baseUrl.endsWith('/v2'), 'a base URL whose last segment is /v2', api.baseUrl)
    },
  ),
  check(
    'the key before the token: a good token does not help',
    ['7 Gateway / 403 Forbidden', '7 Gateway / bare message', 'ruling 1 / key before token'],
    async ({ api, unique }) => {
      for (const apiKey of [null, '', unique('key'), 'k'.repeat(6000)])
        expectGateway(await api.get('/partners', { apiKey }), 'Forbidden')
    },
  ),
  ...routes.map(doorCheck),
  ...routes.filter(({ path }) => path.includes('{')).map(ownershipCheck),
  check(
    'the envelope has type, message, statusCode, timestamp, an empty details, and path beside error',
    [
      '7 Envelope / error.type',
      '7 Envelope / error.message string',
      '7 Envelope / error.statusCode',
      '7 Envelope / error.timestamp',
      '7 Envelope / error.details',
      '7 Envelope / path',
      'ruling 1 / path without /v2',
    ],
    async ({ api }) => {
      const path = `/organizations/${randomUUID()}`
      const beforeMs = Date.now()
      const answer = await api.get(`${path}?page=1`)
      expectRule(answer, 404)
      expectEqual('path', answer.json.path, path)
      expectEqual('the keys', Object.keys(answer.json).toSorted(), ['error', 'path'])
      // Clocks of two machines may differ; a day means that the value is made up.
      const awayMs = Math.abs(Date.parse(answer.json.error.timestamp) - beforeMs)
      expectThat(awayMs < 86_400_000, 'the timestamp of this request', answer)
    },
  ),
  check(
    'a validation failure has an object with message array, error and statusCode',
    ['7 Envelope / error.message object', '7 Status / 400', 'ruling 1 / field messages'],
    async ({ api }) => {
      const answer = await api.get('/organizations?page=0')
      expectInvalid(answer, ['page must not be less than 1'])
      expectThat(
        answer.json.error.message.message.every((/** @type {unknown} */ text) => typeof text === 'string'),
        'field error strings',
        answer,
      )
    },
  ),
  check(
    'malformed JSON: 400 PartnerApiError, and no word of the body in it',
    ['ruling 1 / malformed JSON', '7 Status / 400', '4 bodies are JSON'],
    async ({ api }) => {
      for (const rawBody of ['{', '{"clientId":Secretword}', 'Secretword', '[1,']) {
        const answer = await api.call('POST', '/partners/authenticate', {
          rawBody,
          headers: json,
          accessToken: null,
        })
        expectRefusal(answer, 400)
        expectThat(!answer.text.includes('Secretword'), 'nothing of the body', answer)
      }
    },
  ),
  check(
    'JSON that is no object is a body without its fields: 400 with the field messages',
    ['ruling 1 / field messages', '4 bodies are JSON'],
    async ({ api }) => {
      for (const rawBody of ['[]', '"text"', '7', 'null'])
        expectInvalid(
          await api.call('POST', '/partners/authenticate', { rawBody, headers: json, accessToken: null }),
          ['clientId should not be empty', 'clientSecret should not be empty'],
        )
    },
  ),
  check('a body over 1 MiB: 413 PartnerApiError', ['ruling 1 / 413'], async ({ api }) => {
    const body = { clientId: 'x'.repeat(1_048_577), clientSecret: 'y' }
    expectRefusal(await api.post('/partners/authenticate', body, { accessToken: null }), 413)
  }),
  check('an unsupported media type: 415 PartnerApiError', ['ruling 1 / 415'], async ({ api }) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      const headers = { 'content-type': type }
      expectRefusal(
        await api.call('POST', '/partners/authenticate', { rawBody: 'a=b', headers, accessToken: null }),
        415,
      )
    }
  }),
  check(
    'an empty body is no body: read as {} where one is needed, whatever Content-Type says',
    ['ruling 1 / an empty body is no body'],
    async ({ api }) => {
      for (const headers of [json, { 'content-type': 'text/plain' }, {}])
        expectInvalid(
          await api.call('POST', '/partners/authenticate', {
            rawBody: new Uint8Array(0),
            headers,
            accessToken: null,
          }),
          ['clientId should not be empty'],
        )
    },
  ),
  check(
    'a call that takes no body looks at no media type',
    ['ruling 1 / an empty body is no body'],
    async ({ api, credentials }) => {
      const path = `/clinicians/${credentials.clinicianId}/authenticate`
      for (const headers of [json, { 'content-type': 'text/plain' }])
        for (const rawBody of [new Uint8Array(0), 'not read'])
          expectStatus(await api.call('POST', path, { rawBody, headers }), 200)
    },
  ),
  check('every answer has its own X-Request-Id', ['ruling 1 / X-Request-Id'], async ({ api }) => {
    const answers = [
      await api.get('/partners'),
      await api.get('/nothing'),
      await api.get('/partners', { apiKey: null }),
      await api.get('/partners', { accessToken: null }),
      await api.get(`/organizations/${randomUUID()}`),
    ]
    const ids = answers.map((answer) => answer.headers.get('x-request-id'))
    for (const [index, id] of ids.entries())
      expectThat(id !== null && id !== '', 'X-Request-Id', answers[index])
    expectEqual('the number of different ids', new Set(ids).size, ids.length)
  }),
  check(
    'a refusal is deterministic: the same request is refused again in the same words',
    ['7 Retry / 400, 403, 404, 409'],
    async ({ api }) => {
      const path = `/clinics/${randomUUID()}`
      for (const ask of [
        () => api.get('/organizations?page=0'),
        () => api.get('/partners', { accessToken: null }),
        () => api.get(path),
      ])
        expectEqual('the second answer', sameParts(await ask()), sameParts(await ask()))
    },
  ),
]
