import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { newSecretText, type ApiClientId } from '../../kernel/ids.js'

export interface PartnerSecrets {
  clientId: ApiClientId
  clientSecret: string
  apiKey: string
}

export const newClientId = (): string => `cid_${randomBytes(12).toString('base64url')}`

/** The form of Standard Webhooks, so that any of its libraries verifies with it as it is (ruling 8). */
export const newClientSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export const newApiKey = (): string => `cnk_${newSecretText()}`

const apiKeyPattern = /^cnk_[A-Za-z0-9_-]{43}$/

/** What cannot be one of ours is refused without a look-up. */
export const isApiKeyShaped = (text: string): boolean => apiKeyPattern.test(text)

/** 256 random bits need no slow hash: there is nothing to guess. By way of hex it takes a third of the time of `createHash`. */
export const digestOf = (secret: string): Buffer => Buffer.from(hash('sha256', secret), 'hex')

export const isSameDigest = (a: Buffer, b: Buffer): boolean => timingSafeEqual(a, b)
