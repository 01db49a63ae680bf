import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export type SignatureCheck = 'ok' | 'wrong' | 'missing' | 'too_old' | 'too_new'

/** Standard Webhooks: what was recorded on the way cannot be sent again later than this. Clocks differ, so both ways. */
const toleranceSeconds = 5 * 60

const secretPrefix = 'whsec_'

/**
 * Checks a request as Standard Webhooks says, on its own and not with the code that signs: a mistake there must show
 * here. The signature comes first: a time that nobody signed tells nothing.
 */
export function verifySignature(
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
  secret: string,
  nowMs: number,
): SignatureCheck {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const signatures = headers['webhook-signature']
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string')
    return 'missing'
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  // During a rotation there are two; one that fits is enough.
  if (!signatures.split(' ').some((signature) => isSame(signature, `v1,${digest}`))) return 'wrong'
  const ageSeconds = /^\d{1,12}$/.test(timestamp) ? nowMs / 1000 - Number(timestamp) : Number.NaN
  if (Number.isNaN(ageSeconds)) return 'wrong'
  if (ageSeconds > toleranceSeconds) return 'too_old'
  return ageSeconds < -toleranceSeconds ? 'too_new' : 'ok'
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
