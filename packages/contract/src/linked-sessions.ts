import { Type, type Static } from 'typebox'
import { externalIdLengthMax, Nullable, oneOf } from './fields.js'
import { NOTE_TYPES } from './notes.js'

/** One person may be heard as several. */
const voicesMax = 20

export const LinkedSessionCreate = Type.Object(
  {
    clientId: Type.String({
      format: 'uuid',
      description: 'Who it is: another client than the one of the session',
      examples: ['7f1c5f0e-6f0a-4b9e-9d0c-2f3b6f3f9a11'],
    }),
    voices: Type.Array(Type.Integer({ minimum: 1, maximum: 9_999 }), {
      minItems: 1,
      maxItems: voicesMax,
      description: 'The client’s, of the transcript’s `speakers`',
      examples: [[3]],
    }),
    clinicianId: Type.Optional(
      Nullable(
        Type.String({
          format: 'uuid',
          description:
            'A clinician who treats the client; without it the one of the session if they do, else the primary one',
          examples: ['7f1c5f0e-6f0a-4b9e-9d0c-2f3b6f3f9a11'],
        }),
      ),
    ),
    sessionExternalId: Type.Optional(
      Nullable(
        Type.String({
          maxLength: externalIdLengthMax,
          description: 'Your own identifier of the new session',
          examples: ['appointment-20261115-0930-b'],
        }),
      ),
    ),
    noteType: Type.Optional(
      Nullable(oneOf(NOTE_TYPES, { description: 'As of any session', examples: ['soap'] })),
    ),
    templateId: Type.Optional(
      Nullable(Type.String({ maxLength: 64, description: 'As of any session', examples: ['soap'] })),
    ),
  },
  { $id: 'LinkedSessionCreate' },
)
export type LinkedSessionCreate = Static<typeof LinkedSessionCreate>
