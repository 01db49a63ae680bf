import type { TSchema } from 'typebox'

/**
 * llama.cpp writes a rule for each repetition and refuses some thousands of them. What may be longer has no upper bound
 * in the grammar; the number of tokens bounds it.
 */
const repetitionsMax = 1_000

interface Schema {
  type?: string | readonly string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  enum?: readonly unknown[]
  const?: unknown
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
}

/**
 * A JSON schema as a grammar of llama.cpp (GBNF). Unlike node-llama-cpp's own translation it holds numbers to their range,
 * so that a sentence cannot cite an item that does not exist, knows `anyOf`, and lets no line breaks between members: a
 * small model wrote them without end. Members come in the schema's order, optional ones too.
 */
export function schemaToGrammar(schema: TSchema): string {
  const rules = new Rules()
  const root = rules.translate(schema)
  return [`root ::= ${root}`, ...rules.lines].join('\n')
}

class Rules {
  /** Equal rules are one: a note has the same section a dozen times. */
  readonly #names = new Map<string, string>()

  get lines(): string[] {
    return [...this.#names].map(([body, name]) => `${name} ::= ${body}`)
  }

  translate(schema: Schema): string {
    if (schema.const !== undefined) return literal(schema.const)
    if (schema.enum !== undefined) return this.#name(alternatives(schema.enum.map(literal)))
    const choices = schema.anyOf ?? schema.oneOf
    if (choices !== undefined) return this.#name(alternatives(choices.map((one) => this.translate(one))))
    if (typeof schema.type !== 'string' && schema.type !== undefined) {
      return this.#name(alternatives(schema.type.map((type) => this.translate({ ...schema, type }))))
    }
    switch (schema.type) {
      case 'object':
        return this.#translateObject(schema)
      case 'array':
        return this.#translateArray(schema)
      case 'string':
        return this.#translateString(schema)
      case 'integer':
        return this.#name(integerRange(schema.minimum, schema.maximum))
      case 'number':
        return this.#name('"-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,6})?')
      case 'boolean':
        return this.#name('"true" | "false"')
      case 'null':
        return '"null"'
      default:
        throw new Error('the grammar knows no such schema')
    }
  }

  #translateObject({ properties }: Schema): string {
    if (properties === undefined) throw new Error('the grammar knows no object without named members')
    const members = Object.entries(properties).map(
      ([key, value]) => `${quote(`${JSON.stringify(key)}:`)} " "? ${this.translate(value)}`,
    )
    return this.#name(`"{" ${members.length === 0 ? '' : `${members.join(' "," " "? ')} `}"}"`)
  }

  #translateArray({ items, minItems = 0, maxItems = Infinity }: Schema): string {
    if (items === undefined) throw new Error('the grammar knows no array without items')
    if (maxItems === 0) return '"[]"'
    const item = this.translate(items)
    const more = repeat(Math.max(0, minItems - 1), maxItems - 1)
    const all = `${item} ("," " "? ${item})${more}`
    return this.#name(`"[" ${minItems > 0 ? all : `(${all})?`} "]"`)
  }

  /**
   * Characters stand for themselves: with escapes by number, half a surrogate pair and the NUL that PostgreSQL refuses
   * could be written. None beyond U+FFFF: a note needs no emoji, and JavaScript counts them as two.
   */
  #translateString({ minLength = 0, maxLength = Infinity }: Schema): string {
    const character = this.#name(
      '[^"\\\\\\x00-\\x1F\\x7F\\uD800-\\uDFFF\\U00010000-\\U0010FFFF] | "\\\\" ["\\\\/nrt]',
    )
    return this.#name(`"\\"" ${character}${repeat(minLength, maxLength)} "\\""`)
  }

  #name(body: string): string {
    const known = this.#names.get(body)
    if (known !== undefined) return known
    const name = `r${this.#names.size}`
    this.#names.set(body, name)
    return name
  }
}

function repeat(least: number, most: number): string {
  const from = Math.min(least, repetitionsMax)
  return most > repetitionsMax ? `{${from},}` : `{${from},${most}}`
}

const alternatives = (choices: readonly string[]): string => choices.join(' | ')

const literal = (value: unknown): string => quote(JSON.stringify(value))

const quote = (text: string): string =>
  `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}"`

function integerRange(least = -Infinity, most = Infinity): string {
  if (least < 0) return '"-"? ("0" | [1-9] [0-9]{0,15})'
  if (most > Number.MAX_SAFE_INTEGER) return '"0" | [1-9] [0-9]{0,15}'
  if (most < least) throw new Error('the grammar knows no empty range')
  const choices: string[] = []
  for (let length = String(least).length; length <= String(most).length; length += 1) {
    const first = Math.max(least, length === 1 ? 0 : 10 ** (length - 1))
    const last = Math.min(most, 10 ** length - 1)
    choices.push(digitRange(String(first), String(last)))
  }
  return alternatives(choices)
}

/** Both of one length. */
function digitRange(first: string, last: string): string {
  const [low = '', high = ''] = [first[0], last[0]]
  const [lowRest, highRest] = [first.slice(1), last.slice(1)]
  if (lowRest === '') return low === high ? `"${low}"` : `[${low}-${high}]`
  const isLowWhole = /^0+$/.test(lowRest)
  const isHighWhole = /^9+$/.test(highRest)
  if (low === high) {
    return isLowWhole && isHighWhole
      ? `"${low}" [0-9]{${lowRest.length}}`
      : `"${low}" (${digitRange(lowRest, highRest)})`
  }
  const from = isLowWhole ? Number(low) : Number(low) + 1
  const to = isHighWhole ? Number(high) : Number(high) - 1
  return alternatives([
    ...(isLowWhole ? [] : [`"${low}" (${digitRange(lowRest, '9'.repeat(lowRest.length))})`]),
    ...(from > to ? [] : [`[${from}-${to}] [0-9]{${lowRest.length}}`]),
    ...(isHighWhole ? [] : [`"${high}" (${digitRange('0'.repeat(highRest.length), highRest)})`]),
  ])
}
