import { createSigner, createVerifier } from 'fast-jwt'
import type { ClinicianId, TenantId, WidgetSessionId } from '../ids.js'
import { deriveKey, type TenantKeyRing } from './tenant-keys.js'

/** What a token says beside whose it is and how long it is good, by who it is for. */
interface ClaimsFor {
  /** How often its sandbox was told to let all tokens expire; none: never. */
  partner: { epoch?: number }
  clinician: { sub: ClinicianId; wsid: WidgetSessionId }
}

/** Who a token is for. Each audience has a key of its own, so one can never pass for the other. */
type TokenAudience = keyof ClaimsFor

interface CommonClaims {
  /** Read unverified only to find the key that verifies it. */
  tid: TenantId
  iat: number
  exp: number
}

type TokenClaims<Audience extends TokenAudience> = CommonClaims & ClaimsFor[Audience]

export type ReadToken<Audience extends TokenAudience> =
  | { state: 'valid'; claims: TokenClaims<Audience>; keyVersion: number }
  /** The token is past its time, or signed with a key that was retired: ours, and good no more. */
  | { state: 'expired'; claims: TokenClaims<Audience> }
  /** Malformed, forged, of another tenant or audience, or signed with a key that is gone. */
  | { state: 'unrecognized' }

type Verify = (token: string) => CommonClaims
type Sign = (claims: CommonClaims) => string

/** Longer tokens than ours are refused before any work is done on them. */
const tokenLengthMax = 2_048
const keyIdPattern = /^v(\d{1,9})$/

/** Keyed by ring: when the directory changes, rings are replaced and their signers go with them. */
const signers = new WeakMap<TenantKeyRing, Map<TokenAudience, Sign>>()
const verifiers = new WeakMap<TenantKeyRing, Map<string, Verify>>()

export function signToken<Audience extends TokenAudience>(
  ring: TenantKeyRing,
  audience: Audience,
  claims: ClaimsFor[Audience],
  lifetime: { nowMs: number; seconds: number },
): string {
  const iat = Math.floor(lifetime.nowMs / 1000)
  const all = { ...claims, tid: ring.tenantId, iat, exp: iat + lifetime.seconds }
  return signerOf(ring, audience)(all)
}

export function readToken<Audience extends TokenAudience>(
  ring: TenantKeyRing,
  audience: Audience,
  token: string,
  nowMs: number,
): ReadToken<Audience> {
  const version = readKeyVersion(token)
  const verify = version === null ? null : verifierOf(ring, audience, version)
  if (version === null || verify === null) return { state: 'unrecognized' }
  let claims: TokenClaims<Audience>
  try {
    // The key is of this audience alone, and we sign nothing else with it.
    claims = verify(token) as TokenClaims<Audience>
  } catch {
    return { state: 'unrecognized' } // Nothing but a signature that does not match can be the cause here.
  }
  if (claims.tid !== ring.tenantId) return { state: 'unrecognized' }
  const hasEnded = claims.exp * 1000 <= nowMs || ring.isRetired('token', version)
  return hasEnded ? { state: 'expired', claims } : { state: 'valid', claims, keyVersion: version }
}

/** The tenant that a token names, unverified. Null if it does not look like one of ours. */
export function readClaimedTenant(token: string): TenantId | null {
  const [, payload] = splitToken(token)
  const tid = (parseJson(payload) as { tid?: unknown } | null)?.tid
  return typeof tid === 'string' ? tid : null
}

const verifiedMax = 1_000

/**
 * Who shows a token again costs no HMAC, and no hash of the token as the library's own cache does. By the tokens
 * themselves, as the directory is by API keys: whoever reads this memory has the signing keys, too.
 */
function rememberVerified(verify: Verify): Verify {
  const verified = new Map<string, CommonClaims>()
  return (token) => {
    const known = verified.get(token)
    if (known !== undefined) return known
    const claims = verify(token)
    if (verified.size >= verifiedMax) verified.clear()
    verified.set(token, claims)
    return claims
  }
}

/** One for each version of a key: few headers are ever good. */
const knownHeadersMax = 100
const knownHeaders = new Map<string, number>()

function readKeyVersion(token: string): number | null {
  const [header] = splitToken(token)
  const known = knownHeaders.get(header)
  if (known !== undefined) return known
  const version = parseKeyVersion(header)
  if (version !== null && knownHeaders.size < knownHeadersMax) knownHeaders.set(header, version)
  return version
}

function parseKeyVersion(header: string): number | null {
  const parsed = parseJson(header) as { alg?: unknown; kid?: unknown } | null
  if (parsed?.alg !== 'HS256' || typeof parsed.kid !== 'string') return null
  const version = keyIdPattern.exec(parsed.kid)?.[1]
  return version === undefined ? null : Number(version)
}

function splitToken(token: string): [string, string] {
  if (token.length > tokenLengthMax) return ['', '']
  const [header = '', payload = ''] = token.split('.', 2)
  return [header, payload]
}

function parseJson(base64url: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64url, 'base64url').toString())
  } catch {
    return null // Not a token of ours.
  }
}

function signerOf(ring: TenantKeyRing, audience: TokenAudience): Sign {
  const ofRing = signers.get(ring) ?? new Map<TokenAudience, Sign>()
  signers.set(ring, ofRing)
  let sign = ofRing.get(audience)
  if (sign === undefined) {
    const key = ring.newest('token')
    const options = { algorithm: 'HS256', key: deriveKey(key, audience), kid: `v${key.version}` } as const
    sign = createSigner(options) as Sign
    ofRing.set(audience, sign)
  }
  return sign
}

function verifierOf(ring: TenantKeyRing, audience: TokenAudience, version: number): Verify | null {
  const ofRing = verifiers.get(ring) ?? new Map<string, Verify>()
  verifiers.set(ring, ofRing)
  const name = `${audience}/${version}`
  let verify = ofRing.get(name)
  if (verify === undefined) {
    const key = ring.find('token', version)
    if (key === null) return null
    // Expiry is judged by the caller's clock.
    const options = { algorithms: ['HS256' as const], key: deriveKey(key, audience), ignoreExpiration: true }
    verify = rememberVerified(createVerifier(options) as Verify)
    ofRing.set(name, verify)
  }
  return verify
}
