import {
  errorCataloguePath,
  errorCodeHeader,
  GatewayError,
  itemsPerPage,
  pageSizeHeader,
  pageSizeMax,
  PartnerApiError,
} from '@casenote/contract'
import { makeExample } from './example.js'
import { isOnceByKey } from './once-by-key.js'
import { answerHeaders, refer } from './openapi-headers.js'
import { describeWebhooks, webhookParameters } from './openapi-webhooks.js'
import { isList } from './partner-api.js'
import type { AnyPartnerRoute } from './partner-route.js'

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
        'answers `{ message }`, the application answers the PartnerApiError envelope. Both name a stable code in ' +
        `\`${errorCodeHeader}\`; the catalogue at \`${errorCataloguePath}\` says what each means and what to do.`,
      contact: { name: 'The operator of your installation' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [
      {
        url: '{installation}/v2',
        description: 'Your installation',
        variables: { installation: { default: 'http://localhost:8080', description: 'Its public URL' } },
      },
    ],
    security: [{ apiKey: [], accessToken: [] }],
    tags: listTags(routes),
    paths,
    webhooks: describeWebhooks((schema) => components.refer(schema)),
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
      parameters: webhookParameters,
      headers: answerHeaders,
      schemas: components.schemas,
    },
  }
}

const warned = refer('Casenote-Warning')
const refused = refer(errorCodeHeader, 'Link', 'Casenote-Warning')
const refusedForNow = { ...refer('Retry-After'), ...refused }
/** Answers before the key have no limits to tell of. */
const known = refer('X-Request-Id', 'RateLimit-Policy', 'RateLimit')

/** Schemas with an `$id` are written once and referred to. */
class Components {
  readonly schemas: Record<string, Json> = {}

  refer(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((one) => this.refer(one))
    if (typeof schema !== 'object' || schema === null) return schema
    const { $id, ...rest } = schema as Json
    const write = (): Json =>
      Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, this.refer(value)]))
    if (typeof $id !== 'string') return write()
    this.schemas[$id] ??= write()
    return { $ref: `#/components/schemas/${$id}` }
  }
}

function listTags(routes: readonly AnyPartnerRoute[]): Json[] {
  return [...new Set(routes.map(tagOf))].map((name) => ({ name, description: `Operations on ${name}` }))
}

/** `webhookDelivery.resend` belongs to webhook deliveries. */
function tagOf({ operation }: AnyPartnerRoute): string {
  const [noun = ''] = operation.split('.', 1)
  if (noun === 'mdm') return 'MDM elements'
  if (noun === 'sandbox') return 'sandbox controls'
  const words = noun.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.endsWith('y') ? `${words.slice(0, -1)}ies` : `${words}s`
}

function describeRoute(route: AnyPartnerRoute, components: Components): Json {
  const parameters = [...describePath(route), ...describeQuery(route, components), ...describeHeaders(route)]
  return {
    operationId: route.operation,
    summary: route.summary,
    description: route.description ?? `${route.summary}.`,
    tags: [tagOf(route)],
    ...(route.needsToken === false ? { security: [{ apiKey: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: (route.body.required ?? []).length > 0,
            content: jsonContent(route.body, components),
          },
        }),
    responses: describeAnswers(route, components),
  }
}

const jsonContent = (schema: unknown, components: Components): Json => ({
  'application/json': { schema: components.refer(schema), example: makeExample(schema) },
})

function describePath({ path }: AnyPartnerRoute): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    // Templates have names, which whoever adds one gives.
    schema: name === 'templateId' ? { type: 'string' } : { type: 'string', format: 'uuid' },
  }))
}

function describeQuery({ query }: AnyPartnerRoute, components: Components): Json[] {
  return Object.entries((query?.properties ?? {}) as Record<string, Json>).map(([name, schema]) => {
    const { description, ...rest } = components.refer(schema) as Json
    return { name, in: 'query', required: false, ...(description ? { description } : {}), schema: rest }
  })
}

function describeHeaders(route: AnyPartnerRoute): Json[] {
  const describe = (name: string, description: string, schema: Json): Json => ({
    name,
    in: 'header',
    required: false,
    description,
    schema,
  })
  const rest =
    route.answer.inPieces === true
      ? `. Items of this list are long: more than ${itemsPerPage} are taken for ${itemsPerPage}`
      : ''
  const size = { type: 'integer', minimum: 1, maximum: pageSizeMax, default: itemsPerPage }
  const ifMatch =
    'The `ETag` of the last read: a change made since then is not overwritten but refused with 409'
  const key =
    'Ignored unless `idempotency` is on at `GET /partners`. Then the call is done once in 24 hours: the same key with the ' +
    'same body is given the first answer again, with another body 409'
  return [
    ...(isList(route) ? [describe(pageSizeHeader, `How many items a page has${rest}`, size)] : []),
    ...(route.takesIfMatch === true ? [describe('If-Match', ifMatch, { type: 'string' })] : []),
    ...(isOnceByKey(route)
      ? [describe('Idempotency-Key', key, { type: 'string', minLength: 1, maxLength: 255 })]
      : []),
  ]
}

const keyConflict = 'Where `idempotency` is on: `Idempotency-Key` was used with another body'

const keyUnderWay =
  '. Where `idempotency` is on, also: the first call with this `Idempotency-Key` is still under way, or there is no room to keep ' +
  'another answer'

/** Headers that an answer has only until its artifact exists: it is an error then in all but its status, and has a code. */
const notReady = Object.fromEntries(
  ([errorCodeHeader, 'Link'] as const).map((name) => [
    name,
    { description: 'Only until the artifact exists', schema: answerHeaders[name].schema },
  ]),
)

/** What the call answers when all is well. An artifact that has not been made is told by its body, not its status. */
function describeSuccess(route: AnyPartnerRoute, components: Components): Json {
  const { schema, description, mediaType } = route.answer
  if (mediaType !== undefined)
    return {
      description,
      headers: warned,
      content: { [mediaType]: { schema: { type: 'string', format: 'binary' } } },
    }
  if (schema === null) return { description, headers: warned }
  const body = components.refer(schema)
  const headers = {
    ...(route.etag === undefined
      ? {}
      : { ETag: { description: 'For `If-Match`', schema: { type: 'string' } } }),
    ...(isOnceByKey(route)
      ? {
          'Idempotency-Replayed': {
            description: 'There, and `true`, where this is the answer of an earlier call with the same key',
            schema: { type: 'string', enum: ['true'] },
          },
        }
      : {}),
  }
  return {
    description:
      route.mayBeNotReady === true
        ? `${description}; until it exists a PartnerApiError whose \`error.statusCode\` is 404`
        : description,
    headers: { ...headers, ...(route.mayBeNotReady === true ? notReady : {}), ...warned },
    content: {
      'application/json': {
        schema: route.mayBeNotReady === true ? { anyOf: [body, components.refer(PartnerApiError)] } : body,
        example: makeExample(schema),
      },
    },
  }
}

function describeAnswers(route: AnyPartnerRoute, components: Components): Json {
  const application = components.refer(PartnerApiError)
  const gateway = components.refer(GatewayError)
  const answer = (text: string, body: unknown, headers = refused): Json => ({
    description: text,
    headers,
    content: { 'application/json': { schema: body } },
  })
  const rules = route.rules ?? {}
  const takesInput = route.body !== undefined || route.query !== undefined
  const hasBadRequest = takesInput || rules[400] !== undefined || isOnceByKey(route)
  const conflicts = [
    ...(rules[409] === undefined ? [] : [rules[409]]),
    ...(isOnceByKey(route) ? [keyConflict] : []),
  ]
  const unauthorized = rules[401] ?? (route.needsToken === false ? null : '`Access-Token` has expired')
  return {
    [route.answer.status]: describeSuccess(route, components),
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
    ...(conflicts.length === 0
      ? {}
      : { 409: answer(conflicts.join('. '), application, { ...known, ...refused }) }),
    ...(route.body === undefined
      ? {}
      : {
          413: answer('The body is larger than 1 MiB', application),
          415: answer('The body is not JSON', application),
        }),
    429: answer('Rate, burst or daily quota exceeded; see `Retry-After`', gateway, {
      ...known,
      ...refusedForNow,
    }),
    500: answer('An unexpected fault; retry with backoff', application),
    503: answer(
      `What the service stands on is away; see \`Retry-After\`${isOnceByKey(route) ? keyUnderWay : ''}`,
      application,
      { ...refer('X-Request-Id'), ...refusedForNow },
    ),
  }
}
