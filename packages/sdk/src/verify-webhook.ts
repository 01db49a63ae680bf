import { CasenoteError } from './errors.js'
import type { WebhookEvent } from './events.js'
import { findHeader, type HeadersLike } from './headers.js'

/** It is not from the service, or not now: answer 400 and do nothing. */
export class WebhookVerificationError extends CasenoteError {
  override name = 'WebhookVerificationError'
}

export interface VerifyOptions {
  /** How far the sender's clock, and the way here, may be off; 300 if not given. */
  toleranceSeconds?: number | undefined
}

/** During a rotation there are two; more than this is nobody's. */
const signaturesMax = 10
const secretPrefix = 'whsec_'

/**
 * The event in a webhook's body, once it is proven that the service sent it: Standard Webhooks, with your `clientSecret`,
 * or several while you change it. Give the body as it came, before anything has parsed it.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeadersLike,
  secrets: string | readonly string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature').split(' ', signaturesMax)
  // This way round, so that a timestamp that is no number is refused, too.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw new WebhookVerificationError('webhook-timestamp is too far from now')
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = join(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = await importKey(secret)
    for (const signature of signatures) {
      if (await isBy(key, signature, signed)) return parse(bytes)
    }
  }
  throw new WebhookVerificationError('webhook-signature is by none of the secrets')
}

function readHeader(headers: HeadersLike, name: string): string {
  const value = findHeader(headers, name)
  if (value === null) throw new WebhookVerificationError(`${name} is missing`)
  return value
}

async function importKey(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith(secretPrefix) ? decodeBase64(secret.slice(secretPrefix.length)) : null
  if (bytes === null || bytes.length === 0) throw new TypeError('the secret is not of the form whsec_…')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** Web Crypto compares in constant time. */
async function isBy(key: CryptoKey, signature: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const bytes = signature.startsWith('v1,') ? decodeBase64(signature.slice('v1,'.length)) : null
  return bytes !== null && (await crypto.subtle.verify('HMAC', key, bytes, signed))
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return null // No base64: then it is no signature, or no secret.
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

function parse(bytes: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent
  } catch (error) {
    throw new WebhookVerificationError('the body is signed, but it is not JSON', { cause: error })
  }
}
