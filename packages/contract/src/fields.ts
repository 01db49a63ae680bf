import { Type, type TSchemaOptions } from 'typebox'

/** Field schemas that several resources share. Each is written once, so that its limit and example are, too. */

export const Id = Type.String({
  format: 'uuid',
  description: 'Version-4 UUID',
  examples: ['7f1c5f0e-6f0a-4b9e-9d0c-2f3b6f3f9a11'],
})

export const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601 with `Z`, to the millisecond',
  examples: ['2026-11-15T09:30:00.000Z'],
})

/** `null` is always there, never left out (ruling 6). */
export const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

/** Long enough for any name that people have; short enough to index. */
export const nameLengthMax = 200

export const PersonName = Type.String({ minLength: 1, maxLength: nameLengthMax, examples: ['Testwell'] })

/** RFC 5321 allows 254 characters in a path. */
export const Email = Type.String({ format: 'email', maxLength: 254, examples: ['juniper@example.com'] })

export const ExternalId = Type.String({
  maxLength: 255,
  description:
    "The caller's own identifier; free-form, expected to be unique within an organization, not enforced",
  examples: ['ehr-4711'],
})

/**
 * Any tag, not only of languages that we have words in: what somebody speaks is a fact of their record, whoever can word
 * something in it. RFC 5646 allows 35 characters as the longest that anybody must keep.
 */
export const LanguageTag = Type.String({
  format: 'bcp47',
  // For whoever makes a client of the document: the format is none of JSON Schema's.
  pattern: '^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$',
  maxLength: 35,
  description: 'BCP 47 language tag: a language, and if wanted a script and a region',
  examples: ['es', 'es-US', 'zh-Hant'],
})

/** One of a fixed list. An `enum`, which validates, documents and serializes without a union's cost. */
export const oneOf = <const Values extends readonly string[]>(values: Values, options: TSchemaOptions = {}) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options })

/** What browsers and servers agree on as the longest URL that works everywhere. */
export const urlLengthMax = 2_000

/** Presigned URLs carry signatures and security tokens: several times the length of an address that people see. */
export const fileUrlLengthMax = 8_000

/** A partner's own identifier: free-form, and short enough to index. */
export const externalIdLengthMax = 255
