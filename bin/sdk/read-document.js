// The OpenAPI document as the two SDKs are written from it: operations by their noun, and the schemas.

/** Done twice it is done once, says the contract (part 8); every other POST needs a key to be repeated. */
const safePosts = new Set(['client.assignSecondaryClinicians', 'partner.authenticate'])
/** Each one mints a pair of its own, and keys do not reach it. */
const neverRepeated = new Set(['clinician.authenticate'])

export function readDocument(document) {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => ['get', 'post', 'patch', 'delete', 'put'].includes(method))
      .filter(([, operation]) => !isFile(operation))
      .map(([method, operation]) => readOperation(path, method.toUpperCase(), operation)),
  )
  const properties = [...new Set(operations.map(({ property }) => property))]
  return {
    version: document.info.version,
    schemas: document.components.schemas,
    resources: properties.map((property) => ({
      property,
      className: `${capital(property)}Resource`,
      operations: operations.filter((operation) => operation.property === property),
    })),
  }
}

/** A file is downloaded with any HTTP client, to wherever it belongs: in memory it would not fit. */
function isFile({ responses }) {
  const content = Object.entries(responses).find(([status]) => status.startsWith('2'))[1].content
  return content !== undefined && content['application/json'] === undefined
}

function readOperation(path, method, { operationId, summary, description, ...operation }) {
  const [noun, verb] = operationId.split('.')
  const parameters = operation.parameters ?? []
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))[1]
  const answer = success.content?.['application/json']?.schema ?? null
  const item = answer?.properties?.data?.items
  const isPage = item !== undefined && answer.properties.meta !== undefined
  const mayBeNotReady = (answer?.anyOf ?? []).some(({ $ref }) => $ref?.endsWith('/PartnerApiError'))
  return {
    property: camelCase(operation.tags[0]),
    verb,
    filtersName: `${capital(noun)}${capital(verb)}Filters`,
    method,
    path,
    summary,
    description,
    ids: parameters.filter((one) => one.in === 'path').map(({ name }) => name),
    filters: parameters.filter((one) => one.in === 'query' && one.name !== 'page'),
    takesIfMatch: parameters.some((one) => one.in === 'header' && one.name === 'If-Match'),
    body: operation.requestBody?.content['application/json'].schema ?? null,
    isBodyRequired: operation.requestBody?.required === true || method === 'PATCH',
    isPage,
    answer: isPage ? item : mayBeNotReady ? answer.anyOf[0] : answer,
    mayBeNotReady,
    isAnonymous: operation.security?.every((one) => one.accessToken === undefined) ?? false,
    repeat: repeatOf(operationId, method),
  }
}

function repeatOf(operationId, method) {
  if (neverRepeated.has(operationId)) return 'never'
  return method === 'POST' && !safePosts.has(operationId) ? 'withKey' : 'always'
}

/** The group of the reference, `progress notes`, as a name: `progressNotes`. */
const camelCase = (tag) =>
  tag
    .toLowerCase()
    .split(' ')
    .map((word, index) => (index === 0 ? word : capital(word)))
    .join('')
export const capital = (name) => name[0].toUpperCase() + name.slice(1)
export const nameOf = ({ $ref }) => $ref.slice($ref.lastIndexOf('/') + 1)

/** The words of a schema, and of the one that it is when it is not null. */
export const describe = (schema) =>
  schema.description ?? schema.anyOf?.find((one) => one.description !== undefined)?.description

/** A free map: its values' schema. Null for an object with named properties. */
export const valuesOf = (schema) =>
  schema.properties === undefined
    ? (Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties ?? null)
    : null
