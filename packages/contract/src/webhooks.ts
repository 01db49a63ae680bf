import { Type, type Static } from 'typebox'
import { ALL_EVENT_TYPES, FURTHER_EVENT_TYPES } from './events.js'
import { Id, Nullable, Timestamp, urlLengthMax } from './fields.js'
import { PageQuery } from './lists.js'

const EventTypeName = Type.String({ enum: [...ALL_EVENT_TYPES], examples: ['progress_note_generated'] })

/** Set by the service, never by a partner: 410 Gone, or failing for 5 days in a row (ruling 8). */
export const DISABLED_REASONS = ['gone', 'failing'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

export const WebhookEndpoint = Type.Object(
  {
    id: Id,
    url: Type.String({ format: 'uri', examples: ['https://ehr.example/casenote/events'] }),
    eventTypes: Type.Array(EventTypeName),
    enabled: Type.Boolean(),
    disabledReason: Nullable(
      Type.String({
        enum: [...DISABLED_REASONS],
        description:
          '`gone`: it answered 410. `failing`: every attempt of 5 days failed. `null`: not disabled by us.',
      }),
    ),
    digestHeader: Nullable(Type.String({ examples: ['X-Acme-Signature'] })),
    isPrimary: Type.Boolean({ description: 'Whether it is the `callbackUrl` of the partner' }),
    createdAt: Timestamp,
  },
  { $id: 'WebhookEndpoint' },
)
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

const url = Type.String({
  format: 'uri',
  maxLength: urlLengthMax,
  description: 'Where events are sent. Production: https and a public host.',
  examples: ['https://ehr.example/casenote/events'],
})

/** The digest header of an endpoint, however it is set. */
export const DigestHeader = Nullable(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description:
      'One more header, with the lower-case hex HMAC-SHA256 of the raw body, keyed with the whole newest `clientSecret`',
    examples: ['X-Acme-Signature'],
  }),
)

const settings = {
  eventTypes: Type.Optional(
    Type.Array(EventTypeName, {
      minItems: 1,
      // Duplicates are removed, so a few are no mistake; hundreds are.
      maxItems: 100,
      description: `Which events are sent. If never given: the seven of the contract; further ones (${FURTHER_EVENT_TYPES.join(', ')}) go only to endpoints that name them`,
    }),
  ),
  enabled: Type.Optional(Type.Boolean({ description: 'Nothing is sent to an endpoint that is not enabled' })),
  digestHeader: Type.Optional(DigestHeader),
}

export const NewWebhookEndpoint = Type.Object(
  { url, ...settings, enabled: Type.Optional(Type.Boolean({ default: true })) },
  { $id: 'NewWebhookEndpoint' },
)
export type NewWebhookEndpoint = Static<typeof NewWebhookEndpoint>

export const WebhookEndpointPatch = Type.Object(
  { url: Type.Optional(url), ...settings },
  { $id: 'WebhookEndpointPatch' },
)
export type WebhookEndpointPatch = Static<typeof WebhookEndpointPatch>

/** The check constraint of `webhook_deliveries` names the same. */
export const DELIVERY_STATUSES = ['pending', 'delivering', 'succeeded', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export const WebhookAttempt = Type.Object(
  {
    at: Timestamp,
    status: Nullable(
      Type.Integer({ description: 'The HTTP status; `null` without an answer', examples: [200] }),
    ),
    durationMs: Type.Integer({ examples: [87] }),
    error: Nullable(Type.String({ description: 'Why there was no answer', examples: ['timeout'] })),
  },
  { $id: 'WebhookAttempt' },
)
export type WebhookAttempt = Static<typeof WebhookAttempt>

export const WebhookDelivery = Type.Object(
  {
    id: Id,
    eventType: EventTypeName,
    webhookId: Type.String({ format: 'uuid', description: 'The `webhook-id` header: one for each event' }),
    status: Type.String({ enum: [...DELIVERY_STATUSES] }),
    attempts: Type.Array(WebhookAttempt, { description: 'Oldest first; the newest 50 of them' }),
    nextAttemptAt: Nullable(Timestamp),
    createdAt: Timestamp,
  },
  { $id: 'WebhookDelivery' },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const DeliveryQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(Type.String({ enum: [...DELIVERY_STATUSES] })),
  // A filter that cannot match gives an empty list (ruling 2): any text is taken.
  eventType: Type.Optional(Type.String({ examples: ['transcript_ready'] })),
})

export const WebhookTest = Type.Object({ eventType: EventTypeName }, { $id: 'WebhookTest' })
export type WebhookTest = Static<typeof WebhookTest>

export const WebhookRecovery = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      description: 'Events recorded at this moment or later',
      examples: ['2026-11-15T09:30:00Z'],
    }),
  },
  { $id: 'WebhookRecovery' },
)
export type WebhookRecovery = Static<typeof WebhookRecovery>

export const WebhookRecovered = Type.Object(
  { recovered: Type.Integer({ minimum: 0, examples: [12] }) },
  { $id: 'WebhookRecovered' },
)
export type WebhookRecovered = Static<typeof WebhookRecovered>
