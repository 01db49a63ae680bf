import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { InjectOptions } from 'fastify'
import { describePartnerApi } from '../../src/main/describe-api.js'
import type { AnyPartnerRoute } from '../../src/http/partner-route.js'
import { ownIdOf } from '../support/own-id.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

/** Some thousands in CI; `GENERATED_REQUESTS=100000 npx vitest run generated-requests` on demand. */
const requestCount = Number(process.env.GENERATED_REQUESTS ?? 3_000)

let service: TestService
let partner: TestPartner
/** For the calls that end something: after them nothing more could be tried on it. */
let victim: TestPartner
let ownIds: string[]

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  victim = await service.addPartner()
  const isId = /^[0-9a-f-]{36}$/
  ownIds = Object.values(partner).filter(
    (value): value is string => typeof value === 'string' && isId.test(value),
  )
})
afterAll(() => service.close())

const naughty = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e\u2066',
  'null',
  'undefined',
  'true',
  '-0',
  '1e309',
  '9'.repeat(400),
  '../../etc/passwd',
  '%00',
  "' or 1=1 --",
  '${jndi:ldap://x}',
  '<script>alert(1)</script>',
  'ｅｘａｍｐｌｅ',
  '👩‍👩‍👧'.repeat(300),
  'a'.repeat(70_000),
  '2026-02-30',
  '+15550100',
  '__proto__',
]
const anyText = fc.oneof(
  fc.constantFrom(...naughty),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string(),
)
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: anyText },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], { a: { b: [] } }) },
  { weight: 1, arbitrary: fc.array(anyText, { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.uuid() },
)

/** Mostly the fields that the route knows, with values that it may not expect; sometimes anything at all. */
function anyBody(route: AnyPartnerRoute): fc.Arbitrary<string> {
  const fields = Object.keys(route.body?.properties ?? {})
  const known = fc.record(Object.fromEntries(fields.map((name) => [name, anyValue])), { requiredKeys: [] })
  const raw = fc.constantFrom('{', '[[[[', '\ufeff{}', 'null', '"x"', '[]', '{"a":1,"a":2}', '['.repeat(9000))
  return fc.oneof(
    { weight: 6, arbitrary: known.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.dictionary(anyText, anyValue).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: raw },
  )
}

function anyRequest(route: AnyPartnerRoute): fc.Arbitrary<InjectOptions> {
  const ids = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant(ownIdOf(callerOf(route), route.path, name)) },
      { weight: 1, arbitrary: fc.constantFrom(...ownIds) },
      { weight: 1, arbitrary: fc.uuid() },
      { weight: 1, arbitrary: anyText },
    ),
  )
  const queryNames = Object.keys(route.query?.properties ?? {})
  const query = fc.dictionary(
    queryNames.length > 0 ? fc.oneof(fc.constantFrom(...queryNames), anyText) : anyText,
    fc.oneof(anyText, fc.integer().map(String), fc.constantFrom('1', '2', 'true')),
    { maxKeys: 4 },
  )
  const headers = fc.record(
    {
      'content-type': fc.constantFrom(
        'application/json',
        'application/json; charset=utf-8',
        'text/plain',
        '',
        'x/y;z',
      ),
      'if-match': fc.constantFrom('*', '"x"', 'W/"1"', ''),
      'idempotency-key': fc.constant('x'),
      'x-http-method-override': fc.constant('DELETE'),
    },
    { requiredKeys: [] },
  )
  return fc.record({ ids: fc.tuple(...ids), query, headers, body: anyBody(route) }).map((made) => {
    let index = 0
    const path = route.path.replaceAll(/\{\w+\}/g, () => encodeLoosely(made.ids[index++] ?? ''))
    const search = Object.entries(made.query)
      .map(([name, value]) => `${encodeLoosely(name)}=${encodeLoosely(value)}`)
      .join('&')
    const hasBody = route.method !== 'GET'
    return {
      method: route.method,
      url: `/v2${path}${search === '' ? '' : `?${search}`}`,
      headers: { ...callerOf(route).headers, ...made.headers },
      ...(hasBody ? { payload: made.body } : {}),
    }
  })
}

const callerOf = ({ operation }: AnyPartnerRoute): TestPartner =>
  /\.(finalize|delete|remove|archive)$/.test(operation) ? victim : partner

/** Lone surrogates cannot be encoded; half a code point is what a careless client would send. */
const encodeLoosely = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll('%EF%BF%BD', '%FF')

it(
  `${requestCount} generated requests: no 5xx, and no answer outside the OpenAPI document`,
  { timeout: 3_600_000 },
  async () => {
    const validators = compileAnswers()
    const { routes } = service.api.partnerApi
    const anyCall = fc
      .constantFrom(...routes)
      .chain((route) => fc.tuple(fc.constant(route), anyRequest(route)))
    const seen = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(anyCall, async ([route, request]) => {
        const answer = await service.call(request)
        const { statusCode, body } = answer
        seen.set(`${route.operation} ${statusCode}`, (seen.get(`${route.operation} ${statusCode}`) ?? 0) + 1)
        expect(statusCode).toBeLessThan(500)
        if (isUnknownRoute(statusCode, body)) return
        const validate = validators.get(`${route.operation} ${statusCode}`)
        expect(
          validate,
          `${route.operation} answers ${statusCode}, which the document does not know`,
        ).toBeDefined()
        if (body === '') return
        validate?.(JSON.parse(body))
        expect(validate?.errors ?? null).toBeNull()
      }),
      { numRuns: requestCount, seed: 20_261_115 },
    )
    // Each operation was reached beyond the gate at least once; a generator that only collects refusals proves nothing.
    for (const { operation } of routes) {
      const statuses = [...seen.keys()].filter((key) => key.startsWith(`${operation} `))
      expect([statuses, statuses.some((key) => /(2\d\d|400|409)$/.test(key))]).toEqual([statuses, true])
    }
  },
)

/** An id that does not decode is no route (ruling 1, step 1), whatever the document says of the path. */
const isUnknownRoute = (statusCode: number, body: string): boolean =>
  statusCode === 403 && body === '{"message":"Missing Authentication Token"}'

function compileAnswers(): Map<string, ValidateFunction | undefined> {
  const document = describePartnerApi() as {
    paths: Record<
      string,
      Record<
        string,
        { operationId: string; responses: Record<string, { content?: Record<string, unknown> }> }
      >
    >
  }
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const validators = new Map<string, ValidateFunction | undefined>()
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { operationId, responses }] of Object.entries(methods)) {
      for (const [status, { content }] of Object.entries(responses)) {
        const pointer = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema']
        const ref = `openapi#/${pointer.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')).join('/')}`
        validators.set(
          `${operationId} ${status}`,
          // Without a body, or a file.
          content?.['application/json'] === undefined ? ajv.compile({}) : ajv.compile({ $ref: ref }),
        )
      }
    }
  }
  return validators
}
