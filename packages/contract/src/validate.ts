import type { Static, TObject, TSchema } from 'typebox'

/**
 * Reads a value by the schema that also documents it, and words every problem as partners know it (field name first).
 * Unknown fields are left out; all offending fields are reported, not only the first. It understands just what our
 * schemas use: strings with length and format, numbers with bounds, booleans, literals, arrays, objects, null.
 */
export type Reading<Value> = { value: Value; problems: null } | { value: null; problems: string[] }

/** The parts of JSON Schema that are read here. */
interface Rule {
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Rule[]
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Rule
  properties?: Record<string, Rule>
  /** A map: `Type.Record` writes one pattern that fits every name. */
  patternProperties?: Record<string, Rule>
  maxProperties?: number
  /** White space around the text does not count, and is left out of the value. */
  'x-trimmed'?: boolean
  required?: readonly string[]
  /** Of an optional field: needed where the field of this name is not given. */
  'x-needed-without'?: string
  /** Of a `uri`: addresses of this scheme are the caller's to judge. */
  'x-or-scheme'?: string
  /** Bounds of a `date`; the word `today` is the day that it is anywhere on earth. */
  'x-date-minimum'?: string
  'x-date-maximum'?: string
}

export function readBody<Schema extends TObject>(schema: Schema, body: unknown): Reading<Static<Schema>> {
  // Anything that is no object has none of the fields: the normal field messages say so.
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const problems: string[] = []
  const value = readObject(toRule(schema), isObject ? body : {}, '', problems)
  return finish<Static<Schema>>(value, problems)
}

/** Query values arrive as text, or as an array when given twice. An empty one is as good as none (ruling 2). */
export function readQuery<Schema extends TObject>(
  schema: Schema,
  query: Readonly<Record<string, unknown>>,
): Reading<Static<Schema>> {
  const problems: string[] = []
  const value: Record<string, unknown> = {}
  for (const [name, rule] of Object.entries(toRule(schema).properties ?? {})) {
    const text = Object.hasOwn(query, name) ? query[name] : undefined
    if (text === undefined || text === '') continue
    if (isFreeText(rule)) {
      value[name] = typeof text === 'string' ? text : unmatchable
      continue
    }
    value[name] = readValue(rule, fromText(rule, text), name, problems)
  }
  return finish<Static<Schema>>(value, problems)
}

/** A free filter cannot be wrong, only match nothing (ruling 2). */
const isFreeText = (rule: Rule): boolean =>
  rule.type === 'string' &&
  rule.format === undefined &&
  rule.enum === undefined &&
  rule.maxLength === undefined

/** Stands for a filter given twice: no stored text can hold it. */
const unmatchable = '\u0000'

/** Whether a filter's text can be stored at all, so that something might equal it. */
export const canMatch = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

const toRule = (schema: TSchema): Rule => schema

function finish<Value>(value: unknown, problems: string[]): Reading<Value> {
  return problems.length === 0 ? { value: value as Value, problems: null } : { value: null, problems }
}

/** Only plain digits are a number and only the two words a boolean; the rest stays text and fails its type. */
function fromText(rule: Rule, text: unknown): unknown {
  if (typeof text !== 'string') return text
  if (rule.type === 'integer' && /^-?\d{1,20}$/.test(text)) return Number(text)
  if (rule.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function readObject(rule: Rule, value: object, prefix: string, problems: string[]): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(rule.properties ?? {})) {
    const field = prefix + name
    const given = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
    if (isMissing(property, given)) {
      const instead = property['x-needed-without']
      if (rule.required?.includes(name) || (instead !== undefined && !isGiven(value, instead)))
        problems.push(`${field} should not be empty`)
      else if (given !== undefined && instead === undefined) readValue(property, given, field, problems)
      continue
    }
    result[name] = readValue(property, given, field, problems)
  }
  return result
}

const isGiven = (value: object, name: string): boolean =>
  Object.hasOwn(value, name) && ((value as Record<string, unknown>)[name] ?? null) !== null

const isMissing = (rule: Rule, given: unknown): boolean =>
  given === undefined || (given === null && !allowsNull(rule))

const allowsNull = (rule: Rule): boolean => rule.anyOf?.some((one) => one.type === 'null') ?? false

function readValue(rule: Rule, value: unknown, field: string, problems: string[]): unknown {
  if (rule.anyOf !== undefined) return readUnion(rule.anyOf, value, field, problems)
  if (rule.enum !== undefined) return readChoice(rule.enum, value, field, problems)
  if (rule.const !== undefined) return readChoice([rule.const], value, field, problems)
  if (rule.type === 'array') return readArray(rule, value, field, problems)
  if (rule.type === 'object') {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return rule.patternProperties === undefined
        ? readObject(rule, value, `${field}.`, problems)
        : readMap(rule, value, field, problems)
    }
    problems.push(`${field} must be an object`)
    return null
  }
  const read = rule['x-trimmed'] === true && typeof value === 'string' ? value.trim() : value
  const problem = findScalarProblem(rule, read)
  if (problem !== null) problems.push(`${field} ${problem}`)
  return read
}

/** `fromEntries` makes own properties only, `__proto__` included. */
function readMap(rule: Rule, value: object, field: string, problems: string[]): unknown {
  const entries = Object.entries(value)
  if (entries.length > (rule.maxProperties ?? Number.POSITIVE_INFINITY)) {
    problems.push(`${field} must contain no more than ${rule.maxProperties} elements`)
    return null
  }
  const [each = {}] = Object.values(rule.patternProperties ?? {})
  return Object.fromEntries(
    entries.map(([name, one]) => [name, readValue(each, one, `${field}.${name}`, problems)]),
  )
}

function readUnion(options: readonly Rule[], value: unknown, field: string, problems: string[]): unknown {
  const others = options.filter((option) => option.type !== 'null')
  if (value === null && others.length < options.length) return null
  const [first] = others
  if (others.length === 1 && first !== undefined) return readValue(first, value, field, problems)
  return readChoice(
    others.map((option) => option.const),
    value,
    field,
    problems,
  )
}

function readChoice(choices: readonly unknown[], value: unknown, field: string, problems: string[]): unknown {
  if (!choices.includes(value)) problems.push(`${field} ${wordChoice(choices)}`)
  return value
}

const wordChoice = (choices: readonly unknown[]): string =>
  `must be one of the following values: ${choices.join(', ')}`

function readArray(rule: Rule, value: unknown, field: string, problems: string[]): unknown {
  if (!Array.isArray(value)) {
    problems.push(`${field} must be an array`)
    return null
  }
  if (value.length < (rule.minItems ?? 0)) {
    problems.push(
      rule.minItems === 1
        ? `${field} should not be empty`
        : `${field} must contain at least ${rule.minItems} elements`,
    )
    return null
  }
  if (value.length > (rule.maxItems ?? Number.POSITIVE_INFINITY)) {
    problems.push(`${field} must contain no more than ${rule.maxItems} elements`)
    return null
  }
  const { items } = rule
  if (items === undefined) return value
  if (items.type === 'object') {
    return value.map((item, index) => readValue(items, item, `${field}.${index}`, problems))
  }
  const problem = value.map((item) => findItemProblem(items, item)).find((found) => found !== null)
  if (problem !== undefined) problems.push(`each value in ${field} ${problem}`)
  return value
}

function findItemProblem(items: Rule, item: unknown): string | null {
  if (items.enum === undefined) return findScalarProblem(items, item)
  return items.enum.includes(item) ? null : wordChoice(items.enum)
}

function findScalarProblem(rule: Rule, value: unknown): string | null {
  switch (rule.type) {
    case 'string':
      return findStringProblem(rule, value)
    case 'integer':
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) return numberProblem(rule)
      if (rule.type === 'integer' && !Number.isInteger(value)) return numberProblem(rule)
      if (value < (rule.minimum ?? Number.NEGATIVE_INFINITY)) return `must not be less than ${rule.minimum}`
      if (value > (rule.maximum ?? Number.POSITIVE_INFINITY))
        return `must not be greater than ${rule.maximum}`
      return null
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be a boolean value'
    default:
      throw new Error(`a schema uses ${JSON.stringify(rule)}, which validation does not know`)
  }
}

const numberProblem = ({ type }: Rule): string =>
  type === 'integer' ? 'must be an integer number' : 'must be a number'

function findStringProblem(rule: Rule, value: unknown): string | null {
  if (typeof value !== 'string') return isDateFormat(rule.format) ? dateProblem : 'must be a string'
  if (value === '' && (rule.minLength ?? 0) > 0) return 'should not be empty'
  // PostgreSQL cannot hold NUL, and UTF-8 no lone surrogate: better refused than changed.
  if (value.includes('\u0000')) return 'must not contain null characters'
  if (!value.isWellFormed()) return 'must be well-formed Unicode'
  const length = countCharacters(value)
  if (length < (rule.minLength ?? 0)) return `must be longer than or equal to ${rule.minLength} characters`
  if (length > (rule.maxLength ?? Number.POSITIVE_INFINITY)) {
    return `must be shorter than or equal to ${rule.maxLength} characters`
  }
  return rule.format === undefined ? null : findFormatProblem(rule, value)
}

const dateProblem = 'must be a valid ISO 8601 date string'
const isDateFormat = (format: string | undefined): boolean => format === 'date' || format === 'date-time'

/** Code points (ruling 4), not UTF-16 units. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

function findFormatProblem(rule: Rule, value: string): string | null {
  switch (rule.format) {
    case 'date':
      return isDate(value) && isWithin(rule, value) ? null : dateProblem
    case 'date-time':
      return isDateTime(value) ? null : dateProblem
    case 'email':
      return isEmail(value) ? null : 'must be an email'
    case 'uri':
      return isWebAddress(value) || hasScheme(rule, value) ? null : 'must be a URL address'
    case 'bcp47':
      return isLanguageTag(value) ? null : 'must be a BCP 47 language tag'
    case 'uuid':
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value) ? null : 'must be a UUID'
    default:
      throw new Error(`a schema uses the format ${rule.format}, which validation does not know`)
  }
}

const hasScheme = ({ 'x-or-scheme': scheme }: Rule, value: string): boolean =>
  scheme !== undefined && value.startsWith(`${scheme}:`)

/** Absolute, http or https, with a host. WHATWG parsing repairs `https:/\\host` and white space: refused here. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\\/?#]/i.test(text) && !/[\s\\]/.test(text) && URL.canParse(text)
}

/** Language, script and region, in whatever case: what people speak needs no variant, extension or private use. */
export function isLanguageTag(text: string): boolean {
  return /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i.test(text)
}

/** `YYYY-MM-DD` and a real day. The common validators also accept `1990`, `1990-W01` and 30 February. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** A real day, a time and a zone (RFC 3339): without a zone it would be anybody's guess when that is. */
export function isDateTime(text: string): boolean {
  const [, day, hours, zoneHours] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](\d{2}):[0-5]\d)$/.exec(text) ?? []
  return day !== undefined && isDate(day) && Number(hours) < 24 && Number(zoneHours ?? 0) <= 14
}

/** One `@`, a domain with a dot, nothing blank. Whether somebody reads it, only a message can tell. */
export function isEmail(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@')
  if (more.length > 0 || /[\s\p{Cc}<>()[\]\\,;:"]/u.test(text)) return false
  const isLocal = local.length <= 64 && /^[^.]+(\.[^.]+)*$/.test(local)
  return isLocal && /^([\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u.test(domain)
}

/** Days compare as text. */
const isWithin = (rule: Rule, day: string): boolean =>
  day >= (rule['x-date-minimum'] ?? day) && day <= toDay(rule['x-date-maximum'] ?? day)

/** At UTC+14 a day begins 14 hours before it does at Greenwich. */
const earliestZoneMs = 14 * 3_600_000

const toDay = (bound: string): string =>
  bound === 'today' ? new Date(Date.now() + earliestZoneMs).toISOString().slice(0, 10) : bound
