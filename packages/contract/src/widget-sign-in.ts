import { Type, type Static } from 'typebox'
import { Email, Id, oneOf, Timestamp } from './fields.js'
import { TEXT_LANGUAGES } from './languages.js'

/** 32 bytes in base64url. */
const Secret = Type.String({ minLength: 43, maxLength: 43, pattern: '^[A-Za-z0-9_-]{43}$' })

/** A code by mail, asked for by the frame of a page without tokens (decision 0030). All of it may be known to anybody. */
export const SignInRequest = Type.Object({
  partnerId: Type.String({ format: 'uuid' }),
  email: Email,
  /** Origin of the page around the frame, as the browser told the frame. */
  origin: Type.String({ minLength: 1, maxLength: 300 }),
  /** SHA-256 of a secret that stays in the frame. */
  challenge: Secret,
  /** Language of the window, for the mail; an older frame does not say it. */
  language: Type.Optional(oneOf(TEXT_LANGUAGES)),
})
export type SignInRequest = Static<typeof SignInRequest>

export const SignInStarted = Type.Object({ signInId: Id, expiresAt: Timestamp })
export type SignInStarted = Static<typeof SignInStarted>

export const SignInCode = Type.Object({
  partnerId: Type.String({ format: 'uuid' }),
  signInId: Type.String({ format: 'uuid' }),
  code: Type.String({ minLength: 1, maxLength: 20 }),
  verifier: Secret,
})
export type SignInCode = Static<typeof SignInCode>
