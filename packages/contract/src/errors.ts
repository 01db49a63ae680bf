import { Type, type Static } from 'typebox'
import { Timestamp } from './fields.js'
import { SessionFailure } from './session-failure.js'

/** Gateway errors: a bare object with a single field (contract part 7). */
export const GATEWAY_MESSAGES = {
  unknownRoute: 'Missing Authentication Token',
  badKey: 'Forbidden',
  rateExceeded: 'Too Many Requests',
  quotaExceeded: 'Limit Exceeded',
} as const

export const GatewayError = Type.Object(
  { message: Type.String({ enum: Object.values(GATEWAY_MESSAGES) }) },
  { $id: 'GatewayError', description: 'Answered by the gateway, before the application is reached' },
)

const ValidationMessage = Type.Object({
  message: Type.Array(Type.String(), {
    description: 'One message for each offending field, field name first',
  }),
  error: Type.Literal('Bad Request'),
  statusCode: Type.Literal(400),
})

export const PartnerApiError = Type.Object(
  {
    error: Type.Object({
      type: Type.String({ description: 'Internal and unstable: do not match on it' }),
      message: Type.Union([Type.String(), ValidationMessage], {
        description: 'An object for validation failures, a plain string for everything else',
      }),
      statusCode: Type.Integer({ description: 'The HTTP status; branch on this' }),
      timestamp: Timestamp,
      details: Type.Array(Type.Unknown(), { maxItems: 0, description: 'Reserved; always empty' }),
    }),
    failure: Type.Optional(SessionFailure),
    path: Type.String({ description: 'The failed path as routed inside, without `/v2`; diagnostic only' }),
  },
  { $id: 'PartnerApiError', description: 'Application error' },
)
export type PartnerApiError = Static<typeof PartnerApiError>
