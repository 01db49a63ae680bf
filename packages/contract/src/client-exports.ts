import { Type, type Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from './fields.js'

export const CLIENT_EXPORT_STATUSES = ['preparing', 'ready', 'failed', 'expired'] as const

/** Our addition: all that is kept about a client, as one file to download. */
export const ClientExport = Type.Object(
  {
    id: Id,
    clientId: Id,
    status: oneOf(CLIENT_EXPORT_STATUSES, {
      description: '`expired`: the file was deleted; ask for another export',
      examples: ['ready'],
    }),
    sizeBytes: Nullable(
      Type.Integer({
        minimum: 0,
        description: 'Size of the file; `null` until it is ready',
        examples: [48_213_004],
      }),
    ),
    createdAt: Timestamp,
    readyAt: Nullable(Timestamp),
    expiresAt: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'When the file is deleted: a day after it was ready, or when another export of the client is',
        examples: ['2026-11-18T09:30:00.000Z'],
      }),
    ),
  },
  { $id: 'ClientExport' },
)
export type ClientExport = Static<typeof ClientExport>
