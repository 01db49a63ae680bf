import { Type, type Static } from 'typebox'
import { Nullable, oneOf, Timestamp } from './fields.js'
import { PageQuery } from './lists.js'

export const STATUS_CLASSES = ['2xx', '4xx', '5xx'] as const
export type StatusClass = (typeof STATUS_CLASSES)[number]

export const RequestLog = Type.Object(
  {
    requestId: Type.String({
      format: 'uuid',
      description: 'The `X-Request-Id` of the answer',
      examples: ['5d3f9c1e-7a86-4a0b-9f0e-2c1c0f6f7d11'],
    }),
    at: Timestamp,
    method: Nullable(Type.String({ examples: ['GET'] })),
    path: Nullable(
      Type.String({
        description: 'As this document writes it, with the names of ids instead of them',
        examples: ['/sessions/{sessionId}'],
      }),
    ),
    operation: Type.String({ description: 'The `operationId`', examples: ['session.read'] }),
    status: Type.Integer({ examples: [404] }),
    code: Nullable(Type.String({ description: 'The error’s code, where the answer named one' })),
    latencyMs: Type.Integer({ minimum: 0, examples: [12] }),
    ids: Type.Array(
      Type.Object({ kind: Type.String({ examples: ['session'] }), id: Type.String({ format: 'uuid' }) }),
      { description: 'The ids in the path, whoever’s they are' },
    ),
  },
  { $id: 'RequestLog' },
)
export type RequestLog = Static<typeof RequestLog>

export const RequestLogQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(oneOf(STATUS_CLASSES, { description: 'Which answers: by the first digit' })),
  // A filter that cannot match gives an empty list (ruling 2): any text is taken.
  operation: Type.Optional(Type.String({ description: 'One `operationId`', examples: ['session.create'] })),
  before: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Only calls before this moment: given with every page, no call comes twice',
      examples: ['2026-11-17T09:30:00Z'],
    }),
  ),
})
