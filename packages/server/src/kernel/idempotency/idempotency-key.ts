import { createHash } from 'node:crypto'
import type { TenantId } from '../ids.js'

/** Long enough for any UUID or hash with a prefix; 255 is what others take, too. */
const keyLengthMax = 255

/** Visible ASCII, so that what a proxy or a log makes of it is the same key. */
const fitKey = /^[\x21-\x7e]+$/

export const keyProblem = `Idempotency-Key must be 1 to ${keyLengthMax} visible ASCII characters`

export const isFitKey = (key: string): boolean => key.length <= keyLengthMax && fitKey.test(key)

/** What a key is good for: one operation on what is in its path, of one tenant. */
export interface KeyScope {
  tenantId: TenantId
  operation: string
  params: Readonly<Record<string, string>>
}

/** The digest of a key, and all that is kept of it: partners make keys of all sorts of things. */
export const digestKey = ({ tenantId, operation, params }: KeyScope, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([tenantId, operation, Object.entries(params).toSorted(byName), key]))
    .digest('base64url')

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1)

/** The fingerprint of what a body says: the order of fields and white space do not count. */
export const fingerprintOf = (body: unknown): string =>
  createHash('sha256').update(writePlainly(body)).digest('base64url')

/** A body may be as deep as it is long: so nothing here calls itself. */
function writePlainly(body: unknown): string {
  const written: string[] = []
  const waiting: (Written | Value)[] = [{ value: body }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ('text' in next) {
      written.push(next.text)
      continue
    }
    const { value } = next
    if (typeof value !== 'object' || value === null) {
      written.push(JSON.stringify(value) ?? 'null')
    } else if (Array.isArray(value)) {
      waiting.push({ text: ']' })
      for (let at = value.length - 1; at >= 0; at--)
        waiting.push({ text: ',' }, { value: value[at] as unknown })
      written.push('[')
    } else {
      waiting.push({ text: '}' })
      for (const [name, field] of Object.entries(value).toSorted(byName).toReversed()) {
        waiting.push({ text: ',' }, { value: field }, { text: `${JSON.stringify(name)}:` })
      }
      written.push('{')
    }
  }
  return written.join('')
}

interface Written {
  text: string
}

interface Value {
  value: unknown
}
