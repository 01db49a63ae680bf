import { Type, type Static } from 'typebox'
import { Id, Nullable, Timestamp } from './fields.js'
import { PageQuery } from './lists.js'

/** Assessments are named by short strings (contract part 2), not by UUIDs. */
const AssessmentId = Type.String({ examples: ['phq9'] })

export const Assessment = Type.Object(
  {
    id: AssessmentId,
    name: Type.String({ examples: ['PHQ-9'] }),
    description: Type.String(),
    isDefault: Type.Boolean({ description: 'Whether the clinic administers it by default' }),
    questionCount: Type.Integer({
      description: 'Questions that count towards the score',
      examples: [9],
    }),
    createdAt: Type.String({
      format: 'date-time',
      description: 'When the version of the assessment that is administered now was published here',
      examples: ['2026-11-15T00:00:00.000Z'],
    }),
  },
  { $id: 'Assessment' },
)
export type Assessment = Static<typeof Assessment>

export const AssessmentQuery = Type.Object({
  ...PageQuery.properties,
  defaultOnly: Type.Optional(Type.Boolean({ description: 'Only the default assessments of the clinic' })),
})

/** More than there are assessments; one call need never name more. */
const assessmentIdsMax = 20

export const AssessmentAdministration = Type.Object(
  {
    assessmentIds: Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: ['phq9'] }), {
      minItems: 1,
      maxItems: assessmentIdsMax,
      description: 'Ids of assessments that the clinic offers. One named twice is administered once.',
    }),
  },
  { $id: 'AssessmentAdministration' },
)
export type AssessmentAdministration = Static<typeof AssessmentAdministration>

/** The check constraint of `assessment_assignments` names the same. */
export const ASSIGNMENT_STATUSES = ['outstanding', 'completed', 'expired', 'revoked'] as const
export type AssignmentStatus = (typeof ASSIGNMENT_STATUSES)[number]

export const AssessmentAssignment = Type.Object(
  {
    id: Id,
    assessmentId: AssessmentId,
    status: Type.String({ enum: [...ASSIGNMENT_STATUSES] }),
    url: Type.String({
      format: 'uri',
      description:
        'The page on which the client answers. Whoever has it can answer: give it to the client only.',
    }),
  },
  { $id: 'AssessmentAssignment' },
)
export type AssessmentAssignment = Static<typeof AssessmentAssignment>

export const AssessmentAssignments = Type.Object(
  { assignments: Type.Array(AssessmentAssignment) },
  { $id: 'AssessmentAssignments' },
)
export type AssessmentAssignments = Static<typeof AssessmentAssignments>

export const AssessmentAnswer = Type.Object(
  {
    questionKey: Type.String({ examples: ['phq9_1'] }),
    questionDisplay: Type.String({ examples: ['Little interest or pleasure in doing things'] }),
    answerValue: Type.Integer({ examples: [2] }),
    answerDisplay: Type.String({ examples: ['More than half the days'] }),
  },
  { $id: 'AssessmentAnswer' },
)
export type AssessmentAnswer = Static<typeof AssessmentAnswer>

export const AssessmentScore = Type.Object(
  {
    id: Id,
    assessmentId: AssessmentId,
    clientId: Id,
    score: Type.Integer({ description: 'The total', examples: [10] }),
    severity: Nullable(
      Type.String({
        description: 'The band of the total; `null` for an assessment without bands',
        examples: ['moderate'],
      }),
    ),
    flags: Type.Array(Type.String(), {
      description: 'What needs a look whatever the total is, such as an answer about self-harm',
    }),
    completedAt: Timestamp,
    createdAt: Timestamp,
    answers: Type.Array(AssessmentAnswer, { description: 'As they were worded when the client answered' }),
  },
  { $id: 'AssessmentScore' },
)
export type AssessmentScore = Static<typeof AssessmentScore>
