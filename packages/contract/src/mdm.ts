import { Type, type Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from './fields.js'

/** Contract part 2. */
export const MDM_LEVELS = ['na', 'minimal', 'low', 'moderate', 'high'] as const

/** Our addition: what each statement rests on, so that a prescriber can look it up. */
const Evidence = Type.Array(Type.Integer({ minimum: 0 }), {
  description: 'Indexes into the transcript’s `transcriptItems`',
  examples: [[14, 15]],
})

const Level = oneOf(MDM_LEVELS, { examples: ['moderate'] })

/** What is derived from a session, without the names under which it is kept. */
export const MdmFindings = Type.Object({
  problemsAddressed: Type.Array(
    Type.Object({
      problem: Type.String({ examples: ['Generalized anxiety'] }),
      level: Level,
      rationale: Type.String({ examples: ['Symptoms worse than at the last visit; dose raised'] }),
      evidence: Evidence,
    }),
  ),
  riskOfComplications: Type.Object({
    level: Level,
    rationale: Type.String({ examples: ['Prescription drug management'] }),
    evidence: Evidence,
  }),
  crisisInterventionIdentified: Type.Boolean(),
  crisisInterventionRationale: Nullable(Type.String()),
  crisisInterventionEvidence: Evidence,
})
export type MdmFindings = Static<typeof MdmFindings>

export const Mdm = Type.Object(
  { id: Id, mdmId: Id, sessionId: Id, ...MdmFindings.properties, createdAt: Timestamp },
  {
    $id: 'MdmElements',
    description: 'Medical decision making elements of a session with a prescriber note type',
  },
)
export type Mdm = Static<typeof Mdm>
