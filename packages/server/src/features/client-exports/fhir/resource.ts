import { createHash } from 'node:crypto'

/** A resource of FHIR R4 (4.0.1). What one may hold is compared with HL7's schema by a test. */
export interface Resource {
  resourceType: string
  id: string
  [field: string]: unknown
}

export interface Reference {
  reference?: string
  display?: string
}

/**
 * A reference to another resource by its full URL, as every reference within a collection: there is no server that a relative one could be
 * relative to.
 */
export const referTo = (id: string): Reference => ({ reference: fullUrlOf(id) })

export const fullUrlOf = (id: string): string => `urn:uuid:${id}`

export const entryOf = (resource: Resource) => ({ fullUrl: fullUrlOf(resource.id), resource })

/** One thing of ours may be several resources, each with an id of its own that is the same every time (RFC 9562, version 8). */
export function deriveId(kind: string, ...names: readonly string[]): string {
  const digits = createHash('sha256')
    .update(JSON.stringify([kind, ...names]))
    .digest('hex')
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
  ]
  return [...parts, digits.slice(20, 32)].join('-')
}

/** FHIR knows no null, no empty text and no empty list: what is absent is left out. */
export function makeResource(resourceType: string, id: string, fields: Record<string, unknown>): Resource {
  return { resourceType, id, ...(withoutEmpty(fields) as Record<string, unknown>) }
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) {
    const kept = value.map(withoutEmpty).filter((one) => one !== undefined)
    return kept.length === 0 ? undefined : kept
  }
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (value === null || typeof value !== 'object') return value ?? undefined
  const kept = Object.entries(value)
    .map(([key, one]) => [key, withoutEmpty(one)] as const)
    .filter(([, one]) => one !== undefined)
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

/** The id that the Partner API knows it by, in the form that FHIR has for a UUID. */
export const ownIdentifier = (id: string) => ({ system: 'urn:ietf:rfc:3986', value: fullUrlOf(id) })

/** What another system called it. Whose that is, nobody told us: there is no `system`. */
export const externalIdentifier = (externalId: string | null) =>
  externalId === null ? null : { type: { text: 'External id' }, value: externalId }

export const loinc = 'http://loinc.org'
