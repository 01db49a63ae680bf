import { EVENT_BODIES } from '@casenote/contract'
import { makeExample } from './example.js'

type Json = Record<string, unknown>

/** What every delivery carries; Standard Webhooks names them. */
const headers: Record<string, { name: string; description: string; example: string }> = {
  WebhookId: {
    name: 'webhook-id',
    description: 'The event’s id: the same for every attempt, and at all of your endpoints',
    example: '7f1c5f0e-6f0a-4b9e-9d0c-2f3b6f3f9a11',
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    description: 'Seconds since 1970 at this attempt; refuse what is more than 5 minutes away',
    example: '1794735000',
  },
  WebhookSignature: {
    name: 'webhook-signature',
    description:
      '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the `clientSecret`; during a rotation two of them, separated by a space',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
}

export const webhookParameters: Record<string, Json> = Object.fromEntries(
  Object.entries(headers).map(([key, { name, description, example }]) => [
    key,
    { name, in: 'header', required: true, description, schema: { type: 'string' }, example },
  ]),
)

/** `webhooks` of the document: each event with its body. `refer` writes a schema with an id once and refers to it. */
export function describeWebhooks(refer: (schema: unknown) => unknown): Json {
  return Object.fromEntries(
    Object.entries(EVENT_BODIES).map(([eventType, { summary, description, schema }]) => [
      eventType,
      {
        post: {
          operationId: `event.${eventType}`,
          summary,
          description,
          tags: ['webhook endpoints'],
          security: [],
          parameters: Object.keys(webhookParameters).map((key) => ({
            $ref: `#/components/parameters/${key}`,
          })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: refer(schema), example: makeExample(schema) } },
          },
          responses: {
            '2XX': { description: 'Taken, within 15 s; the body is ignored' },
            '4XX': {
              description: 'Not taken: tried again, ten times over 75 hours. 410 disables the endpoint',
            },
            '5XX': { description: 'Not taken: tried again; `Retry-After` makes it later' },
          },
        },
      },
    ]),
  )
}
