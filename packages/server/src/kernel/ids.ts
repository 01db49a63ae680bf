import { createHash, randomBytes, randomUUID } from 'node:crypto'

/** Ids on the wire are version-4 UUIDs (ruling 2); order has its own column. */
export const newId = (): string => randomUUID()

/** 256 bits, in the alphabet that ruling 9 allows for tokens. */
export const newSecretText = (): string => randomBytes(32).toString('base64url')

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Only the spelling that we hand out is an id. PostgreSQL would also read capitals, braces and missing hyphens;
 * an id in another spelling is "does not exist" (ruling 1, step 5).
 */
export const isId = (text: string): boolean => uuidPattern.test(text)

/** 32 hexadecimal digits as the id that they are. */
export const hexToId = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')

/** A UUID of version 8 (RFC 9562, 5.8) from SHA-256: what it names cannot be changed unseen. */
export function hashToId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return hexToId(`${hex.slice(0, 12)}8${hex.slice(13, 16)}8${hex.slice(17, 32)}`)
}
