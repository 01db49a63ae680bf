import { Type, type Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from './fields.js'

const CO_SIGNATURE_STATES = ['awaited', 'returned'] as const

/** A line: what is longer is spoken about. */
const returnReasonLengthMax = 500

/** A note that goes back and forth this often is no longer a matter of signatures. */
export const noteReturnsMax = 50

const NamedClinician = Type.Object({
  id: Id,
  name: Type.String({ description: 'As they are called today', examples: ['Bea Example'] }),
})

/** Our addition: how a note stands that was signed by a clinician under supervision. */
export const CoSignature = Type.Object(
  {
    state: oneOf(CO_SIGNATURE_STATES, {
      description:
        '`awaited`: signed and locked, the supervisor has yet to sign; `returned`: given back, and open for changes again',
      examples: ['awaited'],
    }),
    supervisor: Nullable(
      Type.Object(
        { ...NamedClinician.properties, active: Type.Boolean({ examples: [true] }) },
        {
          description:
            'Whose signature is awaited: the supervisor whom the signer has now. Null: they have none any more, and sign once more; or nothing is awaited',
        },
      ),
    ),
    returned: Nullable(
      Type.Object(
        {
          by: NamedClinician,
          reason: Type.String({ examples: ['Please add what was agreed for the weekend.'] }),
          at: Timestamp,
        },
        { description: 'Who gave it back last and why, until it is signed again' },
      ),
    ),
  },
  { $id: 'CoSignature' },
)
export type CoSignature = Static<typeof CoSignature>

/** In the widget: back to the clinician who signed, with a word why. */
export const NoteReturn = Type.Object({
  reason: Type.String({ minLength: 1, maxLength: returnReasonLengthMax, 'x-trimmed': true }),
})
export type NoteReturn = Static<typeof NoteReturn>
