import { html, type Html } from '../html.js'
import { renderInline } from './render-inline.js'

/** The parts of JSON Schema that our documents use. */
export interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  format?: string
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** An object as its fields, everything else as one line. */
export function renderSchema(schema: Schema): Html {
  if (schema.properties === undefined) return html`<p class="type">${renderType(schema)}</p>`
  const required = schema.required ?? []
  return html`<dl class="fields">
    ${Object.entries(schema.properties).map(
      ([name, field]) =>
        html`<dt>
            <code>${name}</code>${required.includes(name) ? '' : html` <span class="hint">optional</span>`}
          </dt>
          <dd>
            <span class="type">${renderType(field)}</span>${renderDescription(field)}
            ${field.properties === undefined ? renderItems(field) : renderSchema(field)}
          </dd>`,
    )}
  </dl>`
}

/** The description; that of a field that may be null stands with what else it may be. */
function renderDescription({ description, anyOf = [] }: Schema): Html | '' {
  const text = description ?? anyOf.find((option) => option.description !== undefined)?.description
  return text === undefined ? '' : html`. ${renderInline(text)}`
}

const renderItems = (field: Schema): Html | '' =>
  field.items?.properties === undefined ? '' : renderSchema(field.items)

function renderType(schema: Schema): Html {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    return html`<a href="/docs/reference/shapes#shape-${name}">${name}</a>`
  }
  if (schema.anyOf !== undefined) {
    return html`${schema.anyOf.map((option, index) => html`${index > 0 ? ' or ' : ''}${renderType(option)}`)}`
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum !== undefined) {
    return html`${schema.enum.map((value, index) => html`${index > 0 ? ', ' : ''}<code>${String(value)}</code>`)}`
  }
  if (schema.type === 'array')
    return html`array of ${renderType(schema.items ?? {})}${describeBounds(schema)}`
  const format = schema.format === undefined ? '' : ` (${schema.format})`
  return html`${schema.type ?? 'any'}${format}${describeBounds(schema)}`
}

function describeBounds(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  const isHuge = maximum === Number.MAX_SAFE_INTEGER
  const bounds = [
    minimum === undefined ? '' : `at least ${minimum}`,
    maximum === undefined || isHuge ? '' : `at most ${maximum}`,
    minLength === undefined || minLength < 2 ? '' : `at least ${minLength} characters`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    minItems === undefined ? '' : `at least ${minItems}`,
    maxItems === undefined ? '' : `at most ${maxItems}`,
  ].filter((bound) => bound !== '')
  return bounds.length === 0 ? '' : `, ${bounds.join(', ')}`
}
