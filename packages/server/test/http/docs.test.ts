import { ALL_EVENT_TYPES } from '@casenote/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setLimits } from '../../src/features/partners/index.js'
import { describePartnerApi } from '../../src/main/describe-api.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

interface Described {
  paths: Record<string, Record<string, { operationId: string; tags: string[]; responses: Responses }>>
  webhooks: Record<
    string,
    { post: { requestBody: { content: Record<string, { schema: object; example: object }> } } }
  >
  components: { headers: Record<string, object> }
}
type Responses = Record<string, { headers?: Record<string, { $ref: string }> }>

const document = describePartnerApi() as unknown as Described
let service: TestService
let partner: TestPartner

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
})
afterAll(() => service.close())

const get = (url: string) => service.call({ method: 'GET', url })

it('/docs/reference has a page for each resource, with every operation and its path', async () => {
  const overview = (await get('/docs/reference')).body
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const { operationId, tags } of Object.values(methods)) {
      const page = `/docs/reference/${tags[0]?.replaceAll(' ', '-').toLowerCase()}`
      const anchor = operationId.replaceAll('.', '-')
      expect(overview).toContain(`href="${page}#${anchor}"`)
      const { body } = await get(page)
      expect(body).toContain(`id="${anchor}"`)
      expect(body).toContain(`<code>${path}</code>`)
    }
  }
})

it('/docs/openapi.json is the document of these routes', async () => {
  expect((await get('/docs/openapi.json')).json()).toEqual(describePartnerApi())
})

it('/docs/sample-session.ogg is a recording that a session can be made of', async () => {
  const { headers, rawPayload } = await get('/docs/sample-session.ogg')
  expect([headers['content-type'], headers['content-encoding']]).toEqual(['audio/ogg', undefined])
  expect(rawPayload.subarray(0, 4).toString()).toBe('OggS')
})

it('every operation has an example for its body and its answer', () => {
  const { paths } = describePartnerApi() as { paths: Record<string, Record<string, Record<string, unknown>>> }
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const { requestBody, responses } = operation as {
        requestBody?: { content: Record<string, { example: unknown }> }
        responses: Record<string, { content?: Record<string, { example?: unknown }> }>
      }
      if (requestBody)
        expect([path, method, requestBody.content['application/json']?.example]).not.toContain(undefined)
      const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
      const answered = success?.content?.['application/json']
      if (answered) expect(answered.example).toBeDefined()
    }
  }
})

describe('webhooks of the document', () => {
  /** Strict: a field that is sent and not described is found, too. */
  function compile(eventType: string) {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    formats.default(ajv)
    const schema = document.webhooks[eventType]?.post.requestBody.content['application/json']?.schema
    return ajv.compile({ ...schema, components: forbidOthers(document.components) })
  }

  const forbidOthers = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(forbidOthers)
    if (typeof value !== 'object' || value === null) return value
    const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, forbidOthers(one)]))
    return 'properties' in value && 'type' in value ? { ...inner, additionalProperties: false } : inner
  }

  it('are the events that there are', () => {
    expect(new Set(Object.keys(document.webhooks))).toEqual(new Set(ALL_EVENT_TYPES))
  })

  it.for(ALL_EVENT_TYPES)('have an example of %s that fits', (eventType) => {
    const validate = compile(eventType)
    validate(document.webhooks[eventType]?.post.requestBody.content['application/json']?.example)
    expect(validate.errors).toBeNull()
  })

  it('describe what is sent', async () => {
    const rows = (await service.db.read(
      { tenantId: partner.partnerId },
      { text: 'select body from casenote.events where tenant_id = $1', values: [partner.partnerId] },
    )) as { body: Buffer }[]
    const events = rows.map(({ body }) => JSON.parse(body.toString()) as { eventType: string })
    expect(events.map(({ eventType }) => eventType)).toEqual(
      expect.arrayContaining(['transcript_ready', 'progress_note_generated', 'assessment_completed']),
    )
    for (const event of events) {
      const validate = compile(event.eventType)
      validate(event)
      expect([event.eventType, validate.errors]).toEqual([event.eventType, null])
    }
  })
})

describe('headers of the document', () => {
  /** A warning only where there is something to warn of. */
  const isSent = (name: string): boolean => name !== 'casenote-warning'
  const describedOf = (path: string, method: string, status: number): string[] =>
    Object.keys(document.paths[path]?.[method]?.responses[String(status)]?.headers ?? {}).map((name) =>
      name.toLowerCase(),
    )

  it('409 has those that are described', async () => {
    const { headers, statusCode } = await service.call({
      method: 'POST',
      url: `/v2/clients/${partner.clientId}/unarchive`,
      headers: partner.headers,
    })
    expect(statusCode).toBe(409)
    const described = describedOf('/clients/{clientId}/unarchive', 'post', 409)
    expect(described.filter(isSent)).toEqual([
      'x-request-id',
      'ratelimit-policy',
      'ratelimit',
      'casenote-error-code',
      'link',
    ])
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(described.filter(isSent)))
  })

  it('429 has those that are described', async () => {
    const one = await service.addPartner()
    const tenant = { tenantId: one.partnerId }
    await setLimits(service.owner, tenant, { ratePerSecond: null, burst: null, perDay: 1 })
    await service.watch.poll()
    const ask = () => service.call({ method: 'GET', url: '/v2/partners', headers: one.headers })
    await ask()
    const { headers, statusCode } = await ask()
    expect(statusCode).toBe(429)
    const described = describedOf('/partners', 'get', 429)
    expect(described.filter(isSent)).toEqual([
      'x-request-id',
      'ratelimit-policy',
      'ratelimit',
      'retry-after',
      'casenote-error-code',
      'link',
    ])
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(described.filter(isSent)))
  })
})
