import type { TSchema } from 'typebox'

/** Servers refuse a strict schema with these (OpenAI the lengths, others the ranges): we hold answers to them ourselves. */
const boundKeywords = new Set(['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'])

/** What all servers with JSON schema output understand: types, enums, closed objects with every member required. */
export function toStrictSchema(schema: TSchema): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key: string, value: unknown) =>
      boundKeywords.has(key) && typeof value === 'number' ? undefined : requireAll(value),
    ),
  )
}

/** What we can do without, a strict schema asks for all the same. */
const requireAll = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
    ? { ...value, required: Object.keys(value.properties as object) }
    : value
