import { Type, type Static } from 'typebox'
import { Id, Nullable, Timestamp, urlLengthMax } from './fields.js'
import { CheckModesShown } from './signing-checks.js'
import { DigestHeader } from './webhooks.js'

export const Partner = Type.Object(
  {
    id: Id,
    name: Type.String({ examples: ['Acme EHR'] }),
    environment: Type.Union([Type.Literal('sandbox'), Type.Literal('production')]),
    callbackUrl: Nullable(Type.String({ format: 'uri', examples: ['https://ehr.example/casenote/events'] })),
    limits: Type.Object({
      ratePerSecond: Type.Integer({ examples: [10_000] }),
      burst: Type.Integer({ examples: [20_000] }),
      perDay: Type.Integer({ examples: [50_000_000] }),
    }),
    idempotency: Type.Boolean({
      description:
        'Whether a POST with an `Idempotency-Key` is done once in 24 hours; the operator switches it on',
      examples: [false],
    }),
    uniqueExternalIds: Type.Boolean({
      description:
        'Whether an `externalId` or `sessionExternalId` that is taken is refused with 409; the operator switches it on',
      examples: [false],
    }),
    signingChecks: CheckModesShown,
    partnerErasure: Type.Boolean({
      description: 'Whether you may erase clients and what is theirs for good; the operator switches it on',
      examples: [false],
    }),
    requiresRecordingConsent: Type.Boolean({
      description:
        'Whether recordings need the client’s consent: then a session from `fileUrl` is refused without it',
      examples: [false],
    }),
    createdAt: Timestamp,
  },
  { $id: 'Partner' },
)
export type Partner = Static<typeof Partner>

export const PartnerPatch = Type.Object(
  {
    callbackUrl: Type.Optional(
      Nullable(
        Type.String({
          format: 'uri',
          maxLength: urlLengthMax,
          description:
            'Where events are sent: the primary webhook endpoint. `null` removes it. Production: https and a public host.',
          examples: ['https://ehr.example/casenote/events'],
        }),
      ),
    ),
    digestHeader: Type.Optional(DigestHeader),
  },
  { $id: 'PartnerPatch' },
)
export type PartnerPatch = Static<typeof PartnerPatch>
