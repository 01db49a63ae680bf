// The generated half of packages/sdk: the shapes, and one class for each noun.
import { format } from 'prettier'
import { describe, nameOf, valuesOf } from './read-document.js'

const head = '// Written by `npm run generate` from openapi.json. Not to be changed by hand.\n'
const style = { parser: 'typescript', singleQuote: true, semi: false, printWidth: 110, trailingComma: 'all' }

export async function writeTypeScript({ schemas, resources }) {
  const types = Object.entries(schemas).map(writeSchema).join('\n')
  return {
    'packages/sdk/src/generated/types.ts': await format(head + types, style),
    'packages/sdk/src/generated/resources.ts': await format(head + writeResources(resources, schemas), style),
  }
}

const comment = (text) => (text === undefined ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`)

const writeSchema = ([name, schema]) =>
  schema.type === 'object' && valuesOf(schema) === null
    ? `${comment(schema.description)}export interface ${name} ${writeFields(schema)}\n`
    : `${comment(schema.description)}export type ${name} = ${typeOf(schema)}\n`

function writeFields({ properties = {}, required = [] }) {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${comment(describe(schema))}${name}${mark}: ${typeOf(schema)}`
  })
  return `{\n${fields.join('\n')}\n}`
}

function typeOf(schema) {
  if (schema.$ref !== undefined) return nameOf(schema)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ')
  switch (schema.type) {
    case 'object': {
      const values = valuesOf(schema)
      return values === null ? writeFields(schema) : `Record<string, ${typeOf(values)}>`
    }
    case 'array':
      return `(${typeOf(schema.items)})[]`
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    default:
      return 'unknown'
  }
}

function writeResources(resources, schemas) {
  const classes = resources.map(writeClass)
  const filters = resources.flatMap(({ operations }) =>
    operations.filter((one) => one.filters.length > 0).map(writeFilters),
  )
  const used = Object.keys(schemas).filter((name) => {
    const text = classes.join() + filters.join()
    return new RegExp(`\\b${name}\\b`).test(text.replaceAll(/class \w+/g, ''))
  })
  return `
import type { ListOptions, Pages } from '../pages.js'
import { Resource } from '../resource.js'
import { segment, type RequestOptions, type Transport } from '../transport.js'
import type { ${used.join(', ')} } from './types.js'

${filters.join('\n')}
${classes.join('\n')}
/** Every operation of the Partner API, by its noun. */
export class Resources {
${resources.map(({ property, className }) => `readonly ${property}: ${className}`).join('\n')}

constructor(transport: Transport) {
${resources.map(({ property, className }) => `this.${property} = new ${className}(transport)`).join('\n')}
}
}
`
}

function writeFilters({ filtersName, filters }) {
  const fields = filters.map(
    ({ name, schema, description }) => `${comment(description)}${name}?: ${typeOf(schema)} | undefined`,
  )
  return `export interface ${filtersName} {\n${fields.join('\n')}\n}\n`
}

const writeClass = ({ className, operations }) =>
  `export class ${className} extends Resource {\n${operations.map(writeMethod).join('\n\n')}\n}\n`

function writeMethod(operation) {
  const { verb, ids, method, repeat } = operation
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, '${segment($1)}')
  const path = ids.length === 0 ? `'${filled}'` : `\`${filled}\``
  const notReady = operation.mayBeNotReady ? ' Throws `NotReadyError` until it exists.' : ''
  const told = comment(`${operation.description}${notReady} \`${method} ${operation.path}\``)
  const parameters = ids.map((id) => `${id}: string`)
  if (operation.isPage) {
    const hasFilters = operation.filters.length > 0
    if (hasFilters) parameters.push(`filters: ${operation.filtersName} = {}`)
    parameters.push('options?: ListOptions')
    return `${told}${verb}(${parameters.join(', ')}): Pages<${typeOf(operation.answer)}> {
      return this.listPages(${path}, ${hasFilters ? 'filters' : '{}'}, options)
    }`
  }
  const call = [`method: '${method}'`, `path: ${path}`]
  if (operation.body !== null) {
    parameters.push(`body: ${typeOf(operation.body)}${operation.isBodyRequired ? '' : ' = {}'}`)
    call.push('body')
  }
  if (operation.takesIfMatch) {
    parameters.push('options?: RequestOptions & { ifMatch?: string | undefined }')
    // Done twice with a condition, the second time finds the first one's change and is refused.
    call.push(`headers: { 'if-match': options?.ifMatch }`)
    call.push(`repeat: options?.ifMatch === undefined ? '${repeat}' : 'never'`)
  } else {
    parameters.push('options?: RequestOptions')
    call.push(`repeat: '${repeat}'`)
  }
  if (operation.isAnonymous) call.push('isAnonymous: true')
  if (operation.mayBeNotReady) call.push('mayBeNotReady: true')
  const result = operation.answer === null ? 'void' : typeOf(operation.answer)
  return `${told}${verb}(${parameters.join(', ')}): Promise<${result}> {
      return this.send({ ${call.join(', ')} }, options)
    }`
}
