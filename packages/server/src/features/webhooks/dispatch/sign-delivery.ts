import { createHmac } from 'node:crypto'
import type { EventId } from '../../../kernel/ids.js'

/** How the part before the base64 key reads in a secret of Standard Webhooks. */
const secretPrefix = 'whsec_'

export interface Signable {
  /** The `webhook-id`. */
  eventId: EventId
  /** The exact bytes that are sent. */
  body: Buffer
  digestHeader: string | null
}

/**
 * The headers that prove who sent it, as Standard Webhooks says: one signature for each secret that is good at the
 * moment, the newest first, so that a receiver verifies with either during a rotation. The plain digest can only be
 * one: it is the newest's (ruling 8).
 */
export function signDelivery(
  { eventId, body, digestHeader }: Signable,
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    return `v1,${hmac.update(`${eventId}.${timestamp}.`).update(body).digest('base64')}`
  })
  const headers: Record<string, string> = {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
  const [newest] = secrets
  if (digestHeader !== null && newest !== undefined) {
    headers[digestHeader] = createHmac('sha256', newest).update(body).digest('hex')
  }
  return headers
}
