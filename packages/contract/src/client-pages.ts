import { Type, type Static } from 'typebox'
import { Id, Nullable, oneOf } from './fields.js'

/** What the clients' pages and the service say to each other: ours, unpublished, one version at both ends. */

/** `/a/{token}`, `/i/{token}` and `/c/{token}`. */
export const LINK_KINDS = ['assessments', 'invitation', 'consent'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

/** Length of the token in a link that somebody opens; longer than any of ours. */
const linkTokenLengthMax = 500

export const LinkOpening = Type.Object({
  kind: oneOf(LINK_KINDS),
  token: Type.String({ maxLength: linkTokenLengthMax }),
  dateOfBirth: Type.String({ maxLength: 20 }),
})
export type LinkOpening = Static<typeof LinkOpening>

export const OpenedLink = Type.Object({ bearer: Type.String() })
export type OpenedLink = Static<typeof OpenedLink>

/** Added-up points of answers, or how many lie within bounds: the rules by which a question is asked or passed over. */
const Bounds = { atLeast: Type.Optional(Type.Number()), atMost: Type.Optional(Type.Number()) }
const PageCondition = Type.Union([
  Type.Object({
    sum: Type.Array(Type.String()),
    times: Type.Optional(Type.Number()),
    ...Bounds,
  }),
  Type.Object({
    count: Type.Array(
      Type.Object({
        of: Type.Array(Type.String()),
        from: Type.Optional(Type.Number()),
        to: Type.Optional(Type.Number()),
      }),
    ),
    ...Bounds,
  }),
])
export type PageCondition = Static<typeof PageCondition>

export const PageQuestion = Type.Object({
  key: Type.String(),
  leadIn: Nullable(Type.String()),
  text: Type.String(),
  help: Nullable(Type.String()),
  options: Type.Array(Type.Object({ value: Type.Number(), text: Type.String() })),
  onlyIf: Type.Array(PageCondition),
  isReversed: Type.Boolean(),
  pointsIfSkipped: Type.Number(),
  /** From this answer on crisis help is shown at once. */
  selfHarmFrom: Nullable(Type.Number()),
  /** Given in this opening. What was given in an earlier one is not shown again: somebody else may hold the phone. */
  answer: Nullable(Type.Number()),
  isAnswered: Type.Boolean(),
  /** Whether it is asked after the answers that the service has; the page knows better where it has them itself. */
  isShown: Type.Boolean(),
})
export type PageQuestion = Static<typeof PageQuestion>

export const PageAssessment = Type.Object({
  assignmentId: Id,
  language: Type.String(),
  intro: Nullable(Type.String()),
  attribution: Nullable(Type.String()),
  questions: Type.Array(PageQuestion),
})
export type PageAssessment = Static<typeof PageAssessment>

/** As the client's record says; null: it does not. What the person picks on the page goes before it. */
const OfRecord = Nullable(Type.String())

export const PageSitting = Type.Object({
  clinicName: Type.String(),
  language: OfRecord,
  /** Everything outstanding, oldest first. */
  assessments: Type.Array(PageAssessment),
  /** Encrypts what the page keeps across a reload; only a browser that is still let in gets it again. */
  storageKey: Type.String(),
  nowMs: Type.Number(),
})
export type PageSitting = Static<typeof PageSitting>

/** More than one form has questions. */
const answersMax = 300

export const PageAnswers = Type.Object({
  answers: Type.Array(
    Type.Object({
      answerId: Type.String({ format: 'uuid' }),
      assignmentId: Type.String({ format: 'uuid' }),
      questionKey: Type.String({ minLength: 1, maxLength: 100 }),
      value: Type.Integer(),
      /** In which the question was read. */
      language: Type.String({ minLength: 1, maxLength: 20 }),
      /** By the service's clock, as the page knows it from `nowMs`. */
      givenAtMs: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }),
    }),
    { minItems: 1, maxItems: answersMax },
  ),
})
export type PageAnswers = Static<typeof PageAnswers>

/** `closedIds`: assignments that cannot be answered any more, whose answers were left out. */
export const SavedAnswers = Type.Object({ closedIds: Type.Array(Id) })
export type SavedAnswers = Static<typeof SavedAnswers>

export const FinishedSitting = Type.Object({
  /** Outstanding still, because answers are missing. */
  remaining: Type.Integer({ minimum: 0 }),
})
export type FinishedSitting = Static<typeof FinishedSitting>

export const INVITATION_STATES = ['open', 'accepted', 'declined'] as const
export const PageInvitation = Type.Object({
  clinicName: Type.String(),
  organizationName: Type.String(),
  language: OfRecord,
  state: oneOf(INVITATION_STATES),
})
export type PageInvitation = Static<typeof PageInvitation>

export const InvitationAnswer = Type.Object({ isAccepted: Type.Boolean() })
export type InvitationAnswer = Static<typeof InvitationAnswer>

/** Where somebody finds help at once. Stands in the page itself, so that it is there without a network. */
export const CrisisHelp = Type.Object(
  {
    /** By language; the page takes the reader's, else the first. */
    languages: Type.Record(
      Type.String({ pattern: '^[a-z]{2,3}(-[A-Z][A-Za-z]{1,3})?$' }),
      Type.Object(
        {
          title: Type.String({ minLength: 1, maxLength: 200 }),
          text: Type.String({ minLength: 1, maxLength: 1_000 }),
          contacts: Type.Array(
            Type.Object(
              {
                label: Type.String({ minLength: 1, maxLength: 100 }),
                href: Type.String({ pattern: '^(tel:|sms:|https://)\\S+$', maxLength: 500 }),
                note: Type.Optional(Type.String({ maxLength: 200 })),
              },
              { additionalProperties: false },
            ),
            { minItems: 1, maxItems: 8 },
          ),
        },
        { additionalProperties: false },
      ),
      { minProperties: 1 },
    ),
  },
  { additionalProperties: false },
)
export type CrisisHelp = Static<typeof CrisisHelp>
