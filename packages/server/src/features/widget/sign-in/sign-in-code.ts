import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { SignInId } from '../../../kernel/ids.js'
import type { VersionedKey } from '../../../kernel/secrets/sealing.js'
import { deriveKey, type TenantKeyRing } from '../../../kernel/secrets/tenant-keys.js'

/** Eight digits: with the limits on asking, guessing at one address all year long succeeds once in 228 years. */
const codeDigits = 8

/**
 * Follows from the id and a key outside the database: nothing that is stored gives a code away, and the worker that mails
 * it finds it by itself. Null: the key was retired meanwhile.
 */
export function deriveCode(ring: TenantKeyRing, keyVersion: number, signInId: SignInId): string | null {
  const key = ring.find('token', keyVersion)
  if (key === null || ring.isRetired('token', keyVersion)) return null
  const digest = createHmac('sha256', deriveKey(key, 'sign-in code')).update(signInId).digest()
  // 64 bits: none of the 10^8 codes is likelier than another by more than 10^-11.
  return String(digest.readBigUInt64BE() % 10n ** BigInt(codeDigits)).padStart(codeDigits, '0')
}

/** Keyed, so that a dump does not show by trying who asked. */
export const hashAddress = (key: VersionedKey, foldedEmail: string): Buffer =>
  createHmac('sha256', deriveKey(key, 'sign-in address')).update(foldedEmail).digest()

/** The hash of the network that somebody asks from, made like that of an address. */
export const hashSource = (key: VersionedKey, network: string): Buffer =>
  createHmac('sha256', deriveKey(key, 'sign-in source')).update(network).digest()

export const hashVerifier = (verifier: string): Buffer => createHash('sha256').update(verifier).digest()

/** A code as people type it, with a space or a dash in the middle. */
export const readCode = (typed: string): string => typed.replaceAll(/[^0-9]/g, '')

export function isSame(one: Buffer | string, other: Buffer | string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
