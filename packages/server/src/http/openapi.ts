import { GatewayError, PartnerApiError } from '@casenote/contract'
import type { AnyPartnerRoute } from './partner-api.js'

type Json = Record<string, unknown>

/** OpenAPI 3.1 from the routes themselves: what validates is what is documented. */
export function buildOpenApi(routes: readonly AnyPartnerRoute[], version: string): Json {
  const components = new Components()
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: describeRoute(route, components),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Casenote Partner API',
      version,
      description:
        'Server-to-server API of a clinical documentation service. Obtain a token with `POST /partners/authenticate`, ' +
        'then send it in `Access-Token` beside `X-API-Key` with every call. Errors come from two layers: the gateway ' +
        'answers `{ message }`, the application answers the PartnerApiError envelope.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: 'http://localhost:8080/v2', description: 'A local installation' }],
    security: [{ apiKey: [], accessToken: [] }],
    tags: listTags(routes),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'Decides which tenant a call is in',
        },
        accessToken: { type: 'apiKey', in: 'header', name: 'Access-Token', description: 'Valid for 1 hour' },
      },
      schemas: components.schemas,
    },
  }
}

/** Schemas with an `$id` are written once and referred to. */
class Components {
  readonly schemas: Record<string, Json> = {}

  refer(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((one) => this.refer(one))
    if (typeof schema !== 'object' || schema === null) return schema
    const { $id, ...rest } = schema as Json
    const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, this.refer(value)]))
    if (typeof $id !== 'string') return plain
    this.schemas[$id] = plain
    return { $ref: `#/components/schemas/${$id}` }
  }
}

function listTags(routes: readonly AnyPartnerRoute[]): Json[] {
  return [...new Set(routes.map(tagOf))].map((name) => ({ name, description: `Operations on ${name}` }))
}

/** `organization.list` belongs to organizations, `webhookDelivery.resend` to webhookDeliveries. */
const tagOf = ({ operation }: AnyPartnerRoute): string =>
  `${operation.split('.', 1)[0]}s`.replace(/ys$/, 'ies')

function describeRoute(route: AnyPartnerRoute, components: Components): Json {
  const parameters = [...describePath(route), ...describeQuery(route, components)]
  return {
    operationId: route.operation,
    summary: route.summary,
    tags: [tagOf(route)],
    ...(route.needsToken === false ? { security: [{ apiKey: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: (route.body.required ?? []).length > 0,
            content: { 'application/json': { schema: components.refer(route.body) } },
          },
        }),
    responses: describeAnswers(route, components),
  }
}

function describePath({ path }: AnyPartnerRoute): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  }))
}

function describeQuery({ query }: AnyPartnerRoute, components: Components): Json[] {
  return Object.entries((query?.properties ?? {}) as Record<string, Json>).map(([name, schema]) => {
    const { description, ...rest } = components.refer(schema) as Json
    return { name, in: 'query', required: false, ...(description ? { description } : {}), schema: rest }
  })
}

function describeAnswers(route: AnyPartnerRoute, components: Components): Json {
  const { status, schema, description } = route.answer
  const application = components.refer(PartnerApiError)
  const gateway = components.refer(GatewayError)
  const answer = (text: string, body: unknown): Json => ({
    description: text,
    content: { 'application/json': { schema: body } },
  })
  const rules = route.rules ?? {}
  const takesInput = route.body !== undefined || route.query !== undefined
  const hasBadRequest = takesInput || rules[400] !== undefined
  const unauthorized = rules[401] ?? (route.needsToken === false ? null : '`Access-Token` has expired')
  return {
    [status]: schema === null ? { description } : answer(description, components.refer(schema)),
    ...(hasBadRequest
      ? { 400: answer(rules[400] ?? 'Validation failed; every offending field is listed', application) }
      : {}),
    ...(unauthorized === null ? {} : { 401: answer(unauthorized, application) }),
    403: answer(
      [
        '`X-API-Key` is missing or invalid (gateway), or `Access-Token` is missing or not recognized',
        rules[403],
      ]
        .filter(Boolean)
        .join('; '),
      { anyOf: [gateway, application] },
    ),
    ...(route.load === undefined
      ? {}
      : { 404: answer('Does not exist or is not yours; the two are indistinguishable', application) }),
    ...(rules[409] === undefined ? {} : { 409: answer(rules[409], application) }),
    ...(route.body === undefined
      ? {}
      : {
          413: answer('The body is larger than 1 MiB', application),
          415: answer('The body is not JSON', application),
        }),
    429: answer('Rate, burst or daily quota exceeded; see `Retry-After`', gateway),
    500: answer('An unexpected fault; retry with backoff', application),
  }
}
