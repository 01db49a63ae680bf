// The generated half of sdk/python: the shapes as TypedDicts, and one class for each noun, for threads and for asyncio.
import { capital, describe, nameOf, valuesOf } from './read-document.js'

const head = '"""Written by `npm run generate` from openapi.json. Not to be changed by hand."""\n'
const folder = 'sdk/python/src/casenote'

export function writePython({ schemas, resources }) {
  return {
    [`${folder}/types.py`]: writeTypes(schemas),
    [`${folder}/_resources.py`]: writeResources(resources, sync),
    [`${folder}/_async_resources.py`]: writeResources(resources, asynchronous),
  }
}

/** How the two kinds of client differ. */
const sync = { prefix: '', def: 'def', result: 'return ', pages: 'Pages' }
const asynchronous = { prefix: 'Async', def: 'async def', result: 'return await ', pages: 'AsyncPages' }

const snake = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const quoteText = (text) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')

function writeTypes(schemas) {
  const written = []
  for (const [name, schema] of Object.entries(schemas)) writeClass(name, schema, written)
  return `${head}
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


${written.join('\n\n')}`
}

/** Objects within it become classes of their own, before it. Keys that may be absent need a second class before Python 3.11. */
function writeClass(name, schema, written) {
  const { properties = {}, required = [] } = schema
  const fields = Object.entries(properties).map(([key, value]) => ({
    isRequired: required.includes(key),
    text: `${comment(describe(value))}    ${key}: ${typeOf(value, name + capital(key), written)}\n`,
  }))
  const of = (isRequired) => fields.filter((one) => one.isRequired === isRequired).map(({ text }) => text)
  const doc = schema.description === undefined ? '' : `    """${quoteText(schema.description)}"""\n\n`
  const [always, sometimes] = [of(true).join(''), of(false).join('')]
  if (sometimes === '') written.push(`class ${name}(TypedDict):\n${doc}${always || '    pass\n'}`)
  else if (always === '') written.push(`class ${name}(TypedDict, total=False):\n${doc}${sometimes}`)
  else {
    written.push(`class _${name}(TypedDict):\n${always}`)
    written.push(`class ${name}(_${name}, total=False):\n${doc}${sometimes}`)
  }
}

const comment = (text) => (text === undefined ? '' : `    #: ${text}\n`)

/** `name` is what an object is called that has no name of its own. */
function typeOf(schema, name, written) {
  if (schema.$ref !== undefined) return nameOf(schema)
  if (schema.const !== undefined) return `Literal[${JSON.stringify(schema.const)}]`
  if (schema.enum !== undefined) return `Literal[${schema.enum.map((one) => JSON.stringify(one)).join(', ')}]`
  if (schema.anyOf !== undefined) {
    const members = schema.anyOf.filter(({ type }) => type !== 'null')
    const types = members.map((one) => typeOf(one, name, written))
    const text = types.length === 1 ? types[0] : `Union[${types.join(', ')}]`
    return members.length === schema.anyOf.length ? text : `Optional[${text}]`
  }
  switch (schema.type) {
    case 'object': {
      const values = valuesOf(schema)
      if (values !== null) return `Dict[str, ${typeOf(values, name, written)}]`
      writeClass(name, schema, written)
      return name
    }
    case 'array':
      return `List[${typeOf(schema.items, `${name}Item`, written)}]`
    default:
      return plainTypes[schema.type] ?? 'Any'
  }
}

const plainTypes = { integer: 'int', number: 'float', string: 'str', boolean: 'bool', null: 'None' }

function writeResources(resources, kind) {
  const { prefix, pages } = kind
  const classes = resources.map((resource) => writeResource(resource, kind))
  const fields = resources.map(
    ({ property, className }) => `        self.${snake(property)} = ${prefix}${className}(transport)\n`,
  )
  return `${head}
from __future__ import annotations

from typing import Any, Literal, Optional, cast

from . import types
from ._flow import Call, segment
from ._pages import ${pages}
from ._resource import ${prefix}Resource, ${prefix}Transport


${classes.join('\n\n')}

class ${prefix}Resources:
    """Every operation of the Partner API, by its noun."""

    def __init__(self, transport: ${prefix}Transport) -> None:
${fields.join('')}`
}

const writeResource = ({ className, operations }, kind) =>
  `class ${kind.prefix}${className}(${kind.prefix}Resource):\n${operations.map((one) => writeMethod(one, kind)).join('\n')}`

const typeIn = (schema) => {
  const text = typeOf(schema, '', [])
  return schema.$ref === undefined ? text : `types.${text}`
}

function writeMethod(operation, kind) {
  const { method, ids, isPage, filters, answer } = operation
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, id) => `{segment(${snake(id)})}`)
  const call = [`"${method}"`, `${ids.length === 0 ? '' : 'f'}"${filled}"`]
  const positional = ['self', ...ids.map((id) => `${snake(id)}: str`)]
  const named = []
  if (operation.body !== null) {
    const type = typeIn(operation.body)
    positional.push(operation.isBodyRequired ? `body: ${type}` : `body: Optional[${type}] = None`)
    call.push(`body=cast(Any, body${operation.isBodyRequired ? '' : ' or {}'})`)
  }
  if (filters.length > 0) {
    named.push(...filters.map(({ name, schema }) => `${snake(name)}: Optional[${typeIn(schema)}] = None`))
    call.push(`query={${filters.map(({ name }) => `"${name}": ${snake(name)}`).join(', ')}}`)
  }
  const repeat = snake(operation.repeat)
  if (operation.takesIfMatch) {
    named.push('if_match: Optional[str] = None')
    call.push('headers={"If-Match": if_match}')
    // Done twice with a condition, the second time finds the first one's change and is refused.
    call.splice(2, 0, `"${repeat}" if if_match is None else "never"`)
  } else call.splice(2, 0, `"${repeat}"`)
  if (isPage) {
    named.push('page_size: Optional[int] = None')
    call.push('headers={"Casenote-Page-Size": None if page_size is None else str(page_size)}')
  }
  if (operation.repeat === 'withKey') {
    named.push('idempotency_key: Optional[str] = None')
    call.push('idempotency_key=idempotency_key')
  }
  if (operation.isAnonymous) call.push('is_anonymous=True')
  if (operation.mayBeNotReady) call.push('may_be_not_ready=True')
  named.push('timeout: Optional[float] = None')
  call.push('timeout=timeout')
  const made = `Call(\n            ${call.join(',\n            ')},\n        )`
  return `    ${isPage ? 'def' : kind.def} ${snake(operation.verb)}(
        ${[...positional, '*', ...named].join(',\n        ')},
    ) -> ${resultOf(operation, kind)}:
        """${docOf(operation)}"""
        call = ${made}
        ${isPage ? `return ${kind.pages}(self._transport, call)` : sendAs(answer, kind)}
`
}

const docOf = ({ description, method, path, mayBeNotReady }) =>
  quoteText(
    `${description}${mayBeNotReady ? ' Raises NotReadyError until it exists.' : ''} \`${method} ${path}\``,
  )

const resultOf = ({ isPage, answer }, { pages }) =>
  isPage ? `${pages}[${typeIn(answer)}]` : answer === null ? 'None' : typeIn(answer)

const sendAs = (answer, { result }) =>
  answer === null
    ? `${result.replace('return ', '')}self._transport.send(call)`
    : `return cast(${typeIn(answer)}, ${result.replace('return ', '')}self._transport.send(call))`
