import { partnerTokenSeconds, type PartnerCredentials, type PartnerToken } from '@casenote/contract'
import { refuse } from '../../kernel/refuse.js'
import { signToken } from '../../kernel/secrets/signed-tokens.js'
import { digestOf, isSameDigest } from './partner-credentials.js'
import type { KnownPartner } from './partner-directory.js'

/** The same comparisons whatever is wrong, so that the answer's time does not tell (decisions 1). */
export function authenticatePartner(
  partner: KnownPartner,
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
  if (!isClient || !isSecret) throw refuse.unauthorized('Invalid client credentials')
  const accessToken = signToken(partner.ring, 'partner', {}, { nowMs, seconds: partnerTokenSeconds })
  return { accessToken, expiresIn: partnerTokenSeconds, tokenType: 'Bearer' }
}
