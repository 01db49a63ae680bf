import { randomBytes } from 'node:crypto'
import type { ConsolePasskeyOffer, ConsolePasskeyQuestion } from '@casenote/contract'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { AskedHost } from '../../http/console-api.js'
import { hexToId, type ConsoleUserId, type TenantId } from '../../kernel/ids.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import { operatorScope, type ConsoleUser } from './console-realm.js'

type Purpose = 'enrol' | 'sign-in'

const placeOf = (purpose: Purpose) => ({
  tenantId: operatorScope.tenantId,
  table: 'console',
  row: purpose,
  column: 'challenge',
})

/** For whoever looks for their phone. */
const challengeGoodMs = 5 * 60_000

/** Says when it was made, sealed: any process knows it again, and none has to keep it. */
function makeChallenge(masterKeys: MasterKeys, purpose: Purpose, nowMs: number): string {
  const made = Buffer.alloc(8)
  made.writeBigUInt64BE(BigInt(nowMs))
  return masterKeys.wrap(placeOf(purpose), Buffer.concat([made, randomBytes(16)])).toString('base64url')
}

/** When a challenge was made; null: it is none of ours, or too old. */
function readChallenge(masterKeys: MasterKeys, purpose: Purpose, text: string, nowMs: number): number | null {
  const bytes = masterKeys.unwrapRecent(placeOf(purpose), Buffer.from(text, 'base64url'))
  if (bytes === null) return null
  const madeMs = Number(bytes.readBigUInt64BE(0))
  return nowMs - madeMs <= challengeGoodMs ? madeMs : null
}

/** EdDSA, ES256, RS256: what phones, keys and Windows have. */
const algorithms = [-8, -7, -257]

export const makeCreationOptions = (
  masterKeys: MasterKeys,
  { scope, userId, userName }: ConsoleUser,
  { hostname }: AskedHost,
  { nowMs, known }: { nowMs: number; known: readonly Buffer[] },
): ConsolePasskeyOffer => ({
  challenge: makeChallenge(masterKeys, 'enrol', nowMs),
  rp: { id: hostname, name: 'Casenote' },
  user: { id: toHandle(scope.tenantId, userId), name: userName, displayName: userName },
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
  timeout: challengeGoodMs,
  attestation: 'none',
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  // A device that has one makes no second.
  excludeCredentials: known.map((id) => ({ type: 'public-key', id: id.toString('base64url') })),
})

/** What a browser is asked for to sign in with a passkey, of nobody in particular: the browser shows whose passkeys it has. */
export const makeRequestOptions = (
  masterKeys: MasterKeys,
  { hostname }: AskedHost,
  nowMs: number,
): ConsolePasskeyQuestion => ({
  challenge: makeChallenge(masterKeys, 'sign-in', nowMs),
  rpId: hostname,
  timeout: challengeGoodMs,
  userVerification: 'required',
  allowCredentials: [],
})

/** Tenant and user, so that whoever signs in finds both without typing. */
const toHandle = (tenantId: TenantId, userId: ConsoleUserId): string =>
  Buffer.from(`${tenantId}${userId}`.replaceAll('-', ''), 'hex').toString('base64url')

export function readHandleTenant(handle: unknown): string | null {
  if (typeof handle !== 'string') return null
  const bytes = Buffer.from(handle, 'base64url')
  if (bytes.length !== 32) return null
  return hexToId(bytes.subarray(0, 16).toString('hex'))
}

/** Half a second of processor time, for every process that listens, before it does: so that nobody waits for somebody's first passkey. */
export const loadPasskeys = () => import('@simplewebauthn/server')

export interface MadePasskey {
  credentialId: Buffer
  publicKey: Buffer
  signCount: number
  origin: string
}

/** Null: it is no answer to our challenge from that host. */
export async function verifyMade(
  masterKeys: MasterKeys,
  credential: unknown,
  { origin, hostname }: AskedHost,
  nowMs: number,
): Promise<MadePasskey | null> {
  const { verifyRegistrationResponse } = await loadPasskeys()
  try {
    const verified = await verifyRegistrationResponse({
      response: credential as RegistrationResponseJSON,
      expectedChallenge: (text) => readChallenge(masterKeys, 'enrol', text, nowMs) !== null,
      expectedOrigin: origin,
      expectedRPID: hostname,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified.verified) return null
    const { id, publicKey, counter } = verified.registrationInfo.credential
    return {
      credentialId: Buffer.from(id, 'base64url'),
      publicKey: Buffer.from(publicKey),
      signCount: counter,
      origin,
    }
  } catch {
    return null // What comes from a browser may be anything; the library throws for all that is wrong with it.
  }
}

/** The challenge that was answered, and the authenticator's new count; null: it is no answer of this passkey. */
export async function verifyUsed(
  masterKeys: MasterKeys,
  credential: unknown,
  { origin, hostname }: AskedHost,
  known: { credentialId: Buffer; origin: string; publicKey: Buffer; signCount: number },
  nowMs: number,
): Promise<{ signCount: number; challengedAt: Date } | null> {
  if (known.origin !== origin) return null
  const { verifyAuthenticationResponse } = await loadPasskeys()
  let madeMs: number | null = null
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credential as AuthenticationResponseJSON,
      expectedChallenge: (text) => {
        madeMs = readChallenge(masterKeys, 'sign-in', text, nowMs)
        return madeMs !== null
      },
      expectedOrigin: origin,
      expectedRPID: hostname,
      requireUserVerification: true,
      credential: {
        id: known.credentialId.toString('base64url'),
        publicKey: new Uint8Array(known.publicKey),
        counter: known.signCount,
      },
    })
    if (!verified || madeMs === null) return null
    return { signCount: authenticationInfo.newCounter, challengedAt: new Date(madeMs) }
  } catch {
    return null // As above.
  }
}
