import { Type, type Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from './fields.js'
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

/** A link that works for a season lies forgotten in a mailbox. */
const expiresInDaysMax = 90

const ExpiresInDays = Type.Integer({
  minimum: 1,
  maximum: expiresInDaysMax,
  description: 'How long the link works; 30 days unless it is said',
  examples: [30],
})

export const AssessmentAdministration = Type.Object(
  {
    assessmentIds: Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: ['phq9'] }), {
      minItems: 1,
      maxItems: assessmentIdsMax,
      description: 'Ids of assessments that the clinic offers. One named twice is administered once.',
    }),
    expiresInDays: Type.Optional(Nullable(ExpiresInDays)),
    sendEmail: Type.Optional(
      Nullable(
        Type.Boolean({
          description:
            'False: nothing is sent to the client even where the service could; the caller hands over the link',
        }),
      ),
    ),
  },
  { $id: 'AssessmentAdministration' },
)
export type AssessmentAdministration = Static<typeof AssessmentAdministration>

export const AssessmentReissue = Type.Object(
  {
    expiresInDays: AssessmentAdministration.properties.expiresInDays,
    sendEmail: AssessmentAdministration.properties.sendEmail,
  },
  { $id: 'AssessmentReissue' },
)
export type AssessmentReissue = Static<typeof AssessmentReissue>

/** The check constraint of `assessment_assignments` names the same. */
export const ASSIGNMENT_STATUSES = ['outstanding', 'completed', 'expired', 'revoked'] as const
export type AssignmentStatus = (typeof ASSIGNMENT_STATUSES)[number]

export const AssessmentAssignment = Type.Object(
  {
    id: Id,
    assessmentId: AssessmentId,
    status: oneOf(ASSIGNMENT_STATUSES),
    url: Type.String({
      format: 'uri',
      description: 'The page on which the client answers. Shown once; give it to the client only.',
    }),
    expiresAt: Timestamp,
  },
  { $id: 'AssessmentAssignment' },
)
export type AssessmentAssignment = Static<typeof AssessmentAssignment>

const isEmailed = Type.Boolean({
  description:
    "Whether the service sends the link to the client's e-mail address itself; false: the caller hands it over",
})

export const AssessmentAssignments = Type.Object(
  { assignments: Type.Array(AssessmentAssignment), isEmailed },
  { $id: 'AssessmentAssignments' },
)
export type AssessmentAssignments = Static<typeof AssessmentAssignments>

export const ReissuedAssignment = Type.Object(
  { ...AssessmentAssignment.properties, isEmailed },
  { $id: 'ReissuedAssignment' },
)
export type ReissuedAssignment = Static<typeof ReissuedAssignment>

/** The check constraint of `client_mails` names the same. */
export const MAIL_STATUSES = ['waiting', 'sent', 'failed', 'cancelled'] as const
export type MailStatus = (typeof MAIL_STATUSES)[number]

/** An assignment as it is listed: its link was shown once, when it was made. */
export const ListedAssignment = Type.Object(
  {
    id: Id,
    assessmentId: AssessmentId,
    clientId: Id,
    status: oneOf(ASSIGNMENT_STATUSES),
    expiresAt: Timestamp,
    completedAt: Nullable(Timestamp),
    emailStatus: Nullable(
      oneOf(MAIL_STATUSES, {
        description:
          'What became of the newest mail with this link; `null` if none was to be sent, or that is long ago',
      }),
    ),
    createdAt: Timestamp,
  },
  { $id: 'ListedAssignment' },
)
export type ListedAssignment = Static<typeof ListedAssignment>

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

const SubscaleScore = Type.Object({
  key: Type.String({ examples: ['b'] }),
  name: Type.String({ examples: ['Intrusion (criterion B)'] }),
  score: Type.Integer({ examples: [9] }),
})

const BandResult = Type.Object({
  set: Type.String({ examples: ['severity'] }),
  setName: Type.String({ examples: ['Severity of depression'] }),
  band: Type.String({ examples: ['moderate'] }),
  bandName: Type.String({ examples: ['Moderate'] }),
})

const CriterionResult = Type.Object({
  key: Type.String({ examples: ['dsm5_symptom_rule'] }),
  name: Type.String(),
  isMet: Type.Boolean(),
})

/** How a change is told where a value for it is published. */
export const CHANGE_DIRECTIONS = ['improved', 'worsened', 'none'] as const
export type ChangeDirection = (typeof CHANGE_DIRECTIONS)[number]

const ScoreChange = Type.Object({
  previousScoreId: Id,
  difference: Type.Integer({ description: 'This total less the one before', examples: [-6] }),
  reliable: Nullable(
    oneOf(CHANGE_DIRECTIONS, {
      description:
        "Whether the change is larger than the assessment's own error explains; `null` where no value is published",
    }),
  ),
  meaningful: Nullable(
    oneOf(CHANGE_DIRECTIONS, {
      description: 'Whether the change is large enough to matter; `null` where no value is published',
    }),
  ),
})

export const AssessmentScore = Type.Object(
  {
    id: Id,
    assessmentId: AssessmentId,
    clientId: Id,
    score: Type.Integer({ description: 'The total', examples: [10] }),
    severity: Nullable(
      Type.String({
        description:
          'The band of the total, or of a screen whether it is `positive`; `null` for an assessment without bands',
        examples: ['moderate'],
      }),
    ),
    flags: Type.Array(Type.String(), {
      description: 'What needs a look whatever the total is, such as an answer about self-harm: `self_harm`',
    }),
    completedAt: Timestamp,
    createdAt: Timestamp,
    answers: Type.Array(AssessmentAnswer, { description: 'As they were worded when the client answered' }),
    subscales: Type.Array(SubscaleScore),
    bands: Type.Array(BandResult, {
      description: 'The total in every published set of bands; the first one is `severity`',
    }),
    criteria: Type.Array(CriterionResult, {
      description: 'Published rules beyond the total. Not a diagnosis',
    }),
    change: Nullable(ScoreChange),
    assessmentVersion: Type.String({
      description: 'The version of the assessment that was answered',
      examples: ['2026-11-15'],
    }),
    scorerVersion: Type.String({ description: 'The version of the rules that counted', examples: ['1'] }),
    language: Nullable(Type.String({ description: 'What it was answered in', examples: ['en'] })),
  },
  { $id: 'AssessmentScore' },
)
export type AssessmentScore = Static<typeof AssessmentScore>
