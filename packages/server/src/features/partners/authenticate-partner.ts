import { partnerTokenSeconds, type PartnerCredentials, type PartnerToken } from '@casenote/contract'
import type { CallerTenant } from '../../http/gateway.js'
import { refuse } from '../../kernel/refuse.js'
import { readToken, signToken, type ReadToken } from '../../kernel/secrets/signed-tokens.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { digestOf, isSameDigest } from './partner-credentials.js'

/** Lets a partner in by its credentials. The comparisons are the same whatever is wrong, so that the answer's time does not tell (ruling 1). */
export function authenticatePartner(
  partner: CallerTenant,
  credentials: PartnerCredentials,
  nowMs: number,
): PartnerToken {
  const isClient = isSameDigest(digestOf(credentials.clientId), partner.clientIdDigest)
  const given = digestOf(credentials.clientSecret)
  let isSecret = false
  for (const { digest, expiresAtMs } of partner.secretDigests) {
    const isMatch = isSameDigest(given, digest) && expiresAtMs > nowMs
    isSecret = isSecret || isMatch
  }
  if (!isClient || !isSecret)
    throw refuse.unauthorized('invalid_client_credentials', 'Invalid client credentials')
  return { accessToken: signOnce(partner, nowMs), expiresIn: partnerTokenSeconds, tokenType: 'Bearer' }
}

/** Reads a partner's token as any token is read, but for those that a sandbox was made to expire. */
export function readPartnerToken(
  { ring, tokenEpoch }: Pick<CallerTenant, 'ring' | 'tokenEpoch'>,
  token: string,
  nowMs: number,
): ReadToken<'partner'> {
  const read = readToken(ring, 'partner', token, nowMs)
  if (read.state !== 'valid' || (read.claims.epoch ?? 0) >= tokenEpoch) return read
  return { state: 'expired', claims: read.claims }
}

const lastSigned = new WeakMap<TenantKeyRing, { second: number; epoch: number; token: string }>()

/** A token says whose it is and in which second it was made, nothing else: all of one second are the same. */
function signOnce({ ring, tokenEpoch: epoch }: CallerTenant, nowMs: number): string {
  const second = Math.floor(nowMs / 1000)
  const last = lastSigned.get(ring)
  if (last?.second === second && last.epoch === epoch) return last.token
  const token = signToken(ring, 'partner', epoch === 0 ? {} : { epoch }, {
    nowMs,
    seconds: partnerTokenSeconds,
  })
  lastSigned.set(ring, { second, epoch, token })
  return token
}
