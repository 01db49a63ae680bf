import { randomUUID } from 'node:crypto'
import type { TObject } from 'typebox'

/** What a body may have. */
const bodyBytesMax = 1_048_576

/** The parts of JSON Schema that our schemas use. */
interface Rule {
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Rule[]
  format?: string
  maxLength?: number
  maximum?: number
  maxItems?: number
  maxProperties?: number
  items?: Rule
  properties?: Record<string, Rule>
  patternProperties?: Record<string, Rule>
}

/** The largest value that the schema allows, with two bytes for each character where it allows that. */
function fill(rule: Rule): unknown {
  if (rule.anyOf !== undefined) return fill(rule.anyOf[0] ?? {})
  if (rule.const !== undefined) return rule.const
  if (rule.enum !== undefined) return rule.enum[0]
  if (rule.type === 'array') return Array.from({ length: rule.maxItems ?? 100 }, () => fill(rule.items ?? {}))
  if (rule.type === 'object') {
    const [each] = Object.values(rule.patternProperties ?? {})
    const names =
      each === undefined ? [] : Array.from({ length: rule.maxProperties ?? 100 }, (_, at) => [`${at}`, each])
    const rules = [...Object.entries(rule.properties ?? {}), ...names] as [string, Rule][]
    return Object.fromEntries(rules.map(([name, one]) => [name, fill(one)]))
  }
  if (rule.type === 'integer' || rule.type === 'number') return rule.maximum ?? 1
  if (rule.type === 'boolean') return true
  return fillText(rule)
}

function fillText({ format, maxLength = 1_000 }: Rule): string {
  const until = (text: string, end = ''): string =>
    `${text}${'a'.repeat(Math.max(0, maxLength - text.length - end.length))}${end}`
  switch (format) {
    case 'uri':
      return until('https://example.com/')
    case 'email':
      return 'somebody@example.com'
    case 'uuid':
      return randomUUID()
    case 'date':
      return '1990-02-03'
    case 'date-time':
      return '2026-11-01T10:00:00Z'
    default:
      return 'é'.repeat(maxLength)
  }
}

/** As long as a body may be: `begin`, `piece` as often as there is room, `end`. */
const pad = (begin: string, piece: string, end: string): string =>
  begin + piece.repeat(Math.floor((bodyBytesMax - begin.length - end.length) / piece.length)) + end

/** The largest that fits, and a megabyte of what costs most to read: lists, names, depth and text in the wrong places. */
export function listBodies(schema: TObject): string[] {
  const largest = JSON.stringify(fill(schema))
  const [first = 'a'] = Object.keys(schema.properties)
  const names = Array.from({ length: 70_000 }, (_, at) => `"${at.toString(36)}":[{}]`)
  // As many of their own as are read, and then objects alike up to the bound of values.
  const ownNames = Array.from({ length: 4_900 }, (_, at) => `"${at.toString(36)}":1`)
  const alike = Array.from({ length: 30_000 }, () => '{"a":1,"b":2}')
  return [
    ...(Buffer.byteLength(largest) <= bodyBytesMax ? [largest] : []),
    pad(`{"${first}":[`, '{},', '0]}'),
    pad(`{"${first}":[`, '[[]],', '0]}'),
    `{"${first}":{${names.join(',')}}}`,
    `{"${first}":[{${ownNames.join(',')}},${alike.join(',')}]}`,
    pad(`{"${first}":"`, 'é'.slice(0, 1), '"}').slice(0, bodyBytesMax / 2),
    pad(`{"${first}":"`, String.raw`\u00e9`, '"}'),
    '['.repeat(bodyBytesMax),
    `{"${first}":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
  ]
}

/** Node takes 16 KB of headers and address together. */
const addressBytesMax = 14_000

/** The largest values, a text of as many words as there is room for, a page far behind the last, and what nobody knows. */
export function listQueries(schema: TObject): string[] {
  const rules = Object.entries(schema.properties as Record<string, Rule>)
  const write = (valueOf: (name: string, rule: Rule) => unknown): string =>
    `?${rules.map(([name, rule]) => `${name}=${encodeURIComponent(String(valueOf(name, rule)))}`).join('&')}`
  const isText = ({ type, format, enum: values, anyOf }: Rule): boolean =>
    type === 'string' && format === undefined && values === undefined && anyOf === undefined
  const words = (length: number): string => 'a b '.repeat(Math.ceil(length / 4)).slice(0, length)
  const [first = 'a'] = rules.map(([name]) => name)
  return [
    write((_name, rule) => fill(rule)),
    write((_name, rule) => (isText(rule) ? words(rule.maxLength ?? 1_000) : fill(rule))),
    '?page=1000000',
    `?${`${first}=1&`.repeat(addressBytesMax / (first.length + 3))}`,
    `?${Array.from({ length: 2_000 }, (_, at) => at.toString(36)).join('&')}`,
  ].filter((query) => query.length <= addressBytesMax + 1_000)
}
