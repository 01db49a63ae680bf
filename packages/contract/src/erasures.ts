import { Type, type Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from './fields.js'

export const ERASURE_KINDS = ['client', 'session', 'transcript', 'draft'] as const
export const ERASURE_STATUSES = ['erasing', 'erased', 'refused'] as const

const confirm = oneOf(['erase'], {
  description: 'There is no way back, and no backup brings it back: say so',
  examples: ['erase'],
})

/** Asks to erase what holds no signed note. */
export const ErasureRequest = Type.Object({ confirm }, { $id: 'ErasureRequest' })

/** Asks to erase what may hold signed notes. */
export const RecordErasureRequest = Type.Object(
  {
    confirm,
    includeSignedNotes: Type.Optional(
      Type.Boolean({
        description: 'Signed notes go with it. Without it a record that has any is refused with 409',
        examples: [true],
      }),
    ),
  },
  { $id: 'RecordErasureRequest' },
)

/** In the order in which it was signed: whoever verifies it writes it again as it came. */
export const ErasureReceipt = Type.Object(
  {
    statement: Type.Object({
      what: Type.String({ examples: ['casenote erasure receipt'] }),
      erasureId: Id,
      partnerId: Id,
      kind: oneOf(ERASURE_KINDS, { examples: ['client'] }),
      subjectId: Type.String({
        format: 'uuid',
        description: 'What was erased; of a note the id that it has here, which never changes',
        examples: ['3f0c2b1e-8a54-4c1d-9d0e-5b7a2f6c1e90'],
      }),
      clientId: Id,
      askedBy: oneOf(['operator', 'partner', 'restore'], { examples: ['partner'] }),
      askedAt: Timestamp,
      doneAt: Timestamp,
      recordings: Type.Integer({
        minimum: 0,
        description: 'How many recordings went with it',
        examples: [3],
      }),
      isKeyDestroyed: Type.Boolean({
        description:
          'Whether the client’s own key was destroyed: what backups still hold of the client opens for nobody',
        examples: [true],
      }),
      askedId: Type.Optional(
        Type.String({
          format: 'uuid',
          description: 'The id that it was asked for by, where a partner asked',
          examples: ['3f0c2b1e-8a54-4c1d-9d0e-5b7a2f6c1e90'],
        }),
      ),
    }),
    keyVersion: Type.Integer({ minimum: 1, examples: [1] }),
    publicKey: Type.String({
      description: 'PEM, Ed25519. Compare it with the one that the operator gave you',
      examples: ['-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n'],
    }),
    signature: Type.String({
      description: 'Base64, of `statement` as JSON without spaces, in the order in which it came',
      examples: ['m1…=='],
    }),
  },
  { $id: 'ErasureReceipt' },
)

/** Our addition: something that is deleted for good. */
export const Erasure = Type.Object(
  {
    id: Id,
    kind: oneOf(ERASURE_KINDS, { examples: ['client'] }),
    subjectId: Type.String({
      format: 'uuid',
      description: 'The id that was asked for: of a transcript its session’s, of a draft its note’s',
      examples: ['3f0c2b1e-8a54-4c1d-9d0e-5b7a2f6c1e90'],
    }),
    clientId: Id,
    status: oneOf(ERASURE_STATUSES, {
      description: '`refused`: something was signed, or placed under a legal hold, since it was asked for',
      examples: ['erased'],
    }),
    requestedAt: Timestamp,
    finishedAt: Nullable(Timestamp),
    receipt: Nullable(ErasureReceipt),
  },
  { $id: 'Erasure' },
)
export type Erasure = Static<typeof Erasure>
