import { Type, type Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from './fields.js'

export const SIGNER_KINDS = ['clinician', 'partner'] as const

/** As long as a magic edit's instructions: a page and a half. What is longer is a note of its own. */
const textLengthMax = 5_000

/** A note is read with all of its addenda: fifty of the longest are 250,000 characters. */
export const addendaMax = 50

/** Our addition: what was added to a note after it was signed. */
export const Addendum = Type.Object(
  {
    id: Id,
    text: Type.String({ examples: ['The client called on the 4th: the next appointment is a week later.'] }),
    author: Type.Object({
      kind: oneOf(SIGNER_KINDS, {
        description: '`clinician`: in the widget; `partner`: by the Partner API',
        examples: ['clinician'],
      }),
      id: Id,
      name: Nullable(
        Type.String({
          description: 'Name of the clinician, as they are called today',
          examples: ['Ada Example'],
        }),
      ),
    }),
    createdAt: Timestamp,
  },
  { $id: 'Addendum' },
)
export type Addendum = Static<typeof Addendum>

export const AddendumRequest = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: textLengthMax,
      'x-trimmed': true,
      description: 'White space around it is trimmed',
      examples: ['The client called on the 4th: the next appointment is a week later.'],
    }),
    id: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'A version-4 UUID of your choice, lower case. The same one sent again, after a lost answer, adds nothing',
        examples: ['3f0c2f0e-5a3d-4a55-9a55-2b1f6f1f5a10'],
      }),
    ),
  },
  { $id: 'AddendumRequest' },
)
export type AddendumRequest = Static<typeof AddendumRequest>
