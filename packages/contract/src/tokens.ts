import { Type, type Static } from 'typebox'

/** Contract part 8. */
export const partnerTokenSeconds = 3_600
export const clinicianTokenSeconds = 600
export const refreshTokenSeconds = 7 * 24 * 3_600

/** No credential that we issue is longer; what is longer is refused before it is looked at. */
const credentialLengthMax = 1_000

export const PartnerCredentials = Type.Object(
  {
    clientId: Type.String({
      minLength: 1,
      maxLength: credentialLengthMax,
      examples: ['cid_3v8mQ0ZxW1b2n4Hq'],
    }),
    clientSecret: Type.String({
      minLength: 1,
      maxLength: credentialLengthMax,
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  },
  { $id: 'PartnerCredentials' },
)
export type PartnerCredentials = Static<typeof PartnerCredentials>

export const PartnerToken = Type.Object(
  {
    accessToken: Type.String({ description: 'Sent in the `Access-Token` header, not as `Authorization`' }),
    expiresIn: Type.Literal(partnerTokenSeconds),
    tokenType: Type.Literal('Bearer'),
  },
  { $id: 'PartnerToken' },
)
export type PartnerToken = Static<typeof PartnerToken>

/** PascalCase by contract part 2; handed to the widget unchanged. */
export const ClinicianTokens = Type.Object(
  {
    AccessToken: Type.String(),
    IdToken: Type.String({ description: 'Reserved; identical to AccessToken' }),
    RefreshToken: Type.String({ description: 'Single-use, rotating, valid for 7 days' }),
    ExpiresIn: Type.Literal(clinicianTokenSeconds),
  },
  { $id: 'ClinicianTokens' },
)
export type ClinicianTokens = Static<typeof ClinicianTokens>

export const TokenRenewal = Type.Object({
  RefreshToken: Type.String({ minLength: 1, maxLength: credentialLengthMax }),
  /** Chosen by the frame and kept until the renewal is answered, so that a lost answer can be asked for again. */
  renewalId: Type.Optional(Type.String({ minLength: 8, maxLength: 100 })),
})
export type TokenRenewal = Static<typeof TokenRenewal>

export const WidgetLogout = Type.Object({
  RefreshToken: Type.Optional(Type.String({ minLength: 1, maxLength: credentialLengthMax })),
})
export type WidgetLogout = Static<typeof WidgetLogout>
