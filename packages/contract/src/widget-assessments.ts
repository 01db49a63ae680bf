import { Type, type Static } from 'typebox'
import { AssessmentAdministration } from './assessments.js'
import { Id, Nullable, Timestamp } from './fields.js'

/** Sent by a clinician from the widget: by mail where that can be done and is wanted, else by hand. */
export const WidgetAdministration = Type.Object({
  assessmentIds: AssessmentAdministration.properties.assessmentIds,
  sendEmail: Type.Boolean(),
})
export type WidgetAdministration = Static<typeof WidgetAdministration>

/** One link leads to all that is outstanding of the client. Shown once. */
export const WidgetLink = Type.Object({ url: Type.String(), isEmailed: Type.Boolean(), expiresAt: Timestamp })
export type WidgetLink = Static<typeof WidgetLink>

const assignmentId = Type.String({ format: 'uuid' })

export const WidgetReissue = Type.Object({ assignmentId, sendEmail: Type.Boolean() })
export type WidgetReissue = Static<typeof WidgetReissue>

export const WidgetRevocation = Type.Object({ assignmentId })
export type WidgetRevocation = Static<typeof WidgetRevocation>

export const WidgetAnswersQuery = Type.Object({ scoreId: Type.String({ format: 'uuid' }) })

/** One completed assessment, item by item. */
export const WidgetAnswers = Type.Object({
  scoreId: Id,
  name: Type.String(),
  score: Type.Number(),
  /** In words; null where the instrument has none. */
  severityName: Nullable(Type.String()),
  completedAt: Timestamp,
  /** Language of the words that the client read; null where nobody kept it. */
  language: Nullable(Type.String()),
  /** In the words that the client read. */
  answers: Type.Array(
    Type.Object({
      key: Type.String(),
      question: Type.String(),
      answer: Type.String(),
      /** Null: it does not count towards the score. */
      points: Nullable(Type.Number()),
      /** Whether it is one of those that somebody must see. */
      isFlagged: Type.Boolean(),
    }),
  ),
})
export type WidgetAnswers = Static<typeof WidgetAnswers>
