import { listOperations, type OpenApiDocument } from './open-api-document.js'

type Json = Record<string, unknown>
type Operation = OpenApiDocument['paths'][string][string]

const schemaUrl = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** Keeps the token for the other requests; it is good for an hour. */
const keepToken = [
  'if (pm.response.code === 200) {',
  "  pm.collectionVariables.set('accessToken', pm.response.json().accessToken)",
  '}',
]

/**
 * The same operations as a Postman collection, format 2.1. Its variables are the reader's own: the base URL is filled in,
 * keys and secrets are not.
 */
export function makePostman(document: OpenApiDocument, publicUrl: string): Json {
  const operations = listOperations(document)
  const variable = (key: string, value = ''): Json => ({ key, value, type: 'string' })
  return {
    info: {
      name: document.info.title,
      description:
        `${document.info.description}\n\nSet \`apiKey\`, \`clientId\` and \`clientSecret\` among the variables of the ` +
        'collection, then send "Obtain a partner access token" once an hour: it sets `accessToken`.',
      version: document.info.version,
      schema: schemaUrl,
    },
    variable: [
      variable('baseUrl', `${publicUrl}/v2`),
      variable('apiKey'),
      variable('clientId'),
      variable('clientSecret'),
      variable('accessToken'),
    ],
    item: document.tags.map(({ name, description }) => ({
      name,
      description,
      item: operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ path, method, operation }) => describeRequest(path, method, operation)),
    })),
  }
}

function describeRequest(path: string, method: string, operation: Operation): Json {
  const isAuthentication = operation.operationId === 'partner.authenticate'
  const needsToken = operation.security?.every((one) => one.accessToken === undefined) !== true
  const body = isAuthentication
    ? { clientId: '{{clientId}}', clientSecret: '{{clientSecret}}' }
    : operation.requestBody?.content['application/json'].example
  const header = [
    { key: 'X-API-Key', value: '{{apiKey}}' },
    ...(needsToken ? [{ key: 'Access-Token', value: '{{accessToken}}' }] : []),
    ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
  ]
  return {
    name: operation.summary,
    ...(isAuthentication
      ? { event: [{ listen: 'test', script: { type: 'text/javascript', exec: keepToken } }] }
      : {}),
    request: {
      method,
      description: operation.description,
      header,
      url: describeUrl(path, operation),
      ...(body === undefined
        ? {}
        : {
            body: {
              mode: 'raw',
              raw: JSON.stringify(body, null, 2),
              options: { raw: { language: 'json' } },
            },
          }),
    },
  }
}

/** `{clientId}` of a path is written `:clientId`, and filled in beside the request. Filters are there, switched off. */
function describeUrl(path: string, { parameters = [] }: Operation): Json {
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => (segment.startsWith('{') ? `:${segment.slice(1, -1)}` : segment))
  const query = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, description = '' }) => ({ key: name, value: '', description, disabled: true }))
  const variables = parameters
    .filter((one) => one.in === 'path')
    .map(({ name }) => ({ key: name, value: '' }))
  return {
    raw: `{{baseUrl}}/${segments.join('/')}`,
    host: ['{{baseUrl}}'],
    path: segments,
    ...(query.length > 0 ? { query } : {}),
    ...(variables.length > 0 ? { variable: variables } : {}),
  }
}
