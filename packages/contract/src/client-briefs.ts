import { Type, type Static } from 'typebox'
import { Id, Nullable, oneOf, Timestamp } from './fields.js'
import { NOTE_TYPES } from './notes.js'
import { TreatmentPlan } from './treatment-plans.js'

/** What is read in the minute before a session; each list has the newest, and danger says how much there is. */
export const briefHomeworkMax = 10
export const briefDangerMax = 20
/** A line of a quarter with a score a week. */
export const briefPointsMax = 12

const LastSession = Type.Object({
  sessionId: Id,
  progressNoteId: Id,
  at: Timestamp,
  noteType: oneOf(NOTE_TYPES, { examples: ['soap'] }),
  signedAt: Nullable(Timestamp),
  plan: Nullable(
    Type.String({
      description:
        'What the note’s section says that holds the plan. Null where it says nothing, and where the clinician has left that section out: then it stands with what was reported, in the section that holds `reported`',
      examples: ['Sleep diary; back in a week.'],
    }),
  ),
  homework: Type.Array(
    Type.Object({
      words: Type.String({ description: 'As said', examples: ['I will write down when I wake up.'] }),
      transcriptItems: Type.Array(Type.Integer({ minimum: 0 }), { examples: [[31]] }),
    }),
    {
      maxItems: briefHomeworkMax,
      description: 'What was agreed on or proposed for the time until this session',
    },
  ),
})

const EmptiedSession = Type.Object(
  { sessionId: Id, at: Timestamp },
  {
    description:
      'A newer session than `lastSession`, of which a stretch was struck and whose note has not been written again yet. What is told here is without it',
  },
)

const BriefDanger = Type.Object({
  id: Id,
  label: Type.String({ examples: ['Suicidal thoughts: affirmed'] }),
  question: Nullable(
    Type.String({ description: 'The question of a questionnaire that was answered; null for what was said' }),
  ),
  words: Type.String({ examples: ['Some nights I think about it.'] }),
  sessionId: Nullable(Id),
  at: Timestamp,
})

const BriefScore = Type.Object({
  assessmentId: Type.String({ examples: ['phq9'] }),
  name: Type.String({ examples: ['PHQ-9'] }),
  score: Type.Number({ examples: [12] }),
  severityName: Nullable(Type.String({ examples: ['Moderate'] })),
  completedAt: Timestamp,
  change: Nullable(Type.Number({ description: 'Against the score before', examples: [-4] })),
  reliableChange: Nullable(
    oneOf(['improved', 'worsened', 'none'] as const, {
      description:
        'Whether it is larger than the instrument’s own error; null where nobody published a value',
      examples: ['none'],
    }),
  ),
  scoreMin: Type.Number({ examples: [0] }),
  scoreMax: Type.Number({ examples: [27] }),
  points: Type.Array(Type.Object({ at: Timestamp, score: Type.Number({ examples: [12] }) }), {
    maxItems: briefPointsMax,
    description: 'The newest, oldest first',
  }),
})
export type BriefScore = Static<typeof BriefScore>

/** Our addition: what a clinician wants to know before a session. */
export const ClientBrief = Type.Object(
  {
    clientId: Id,
    lastSession: Nullable(LastSession),
    emptiedSession: Nullable(EmptiedSession),
    openDanger: Type.Object({
      items: Type.Array(BriefDanger, { maxItems: briefDangerMax, description: 'Newest first' }),
      total: Type.Integer({ minimum: 0, examples: [0] }),
    }),
    scores: Type.Array(BriefScore, { description: 'One for each instrument' }),
    goals: Type.Array(Type.Pick(TreatmentPlan.properties.goals.items, ['id', 'text', 'targetDate']), {
      description: 'The open goals of the active treatment plan',
    }),
  },
  { $id: 'ClientBrief' },
)
export type ClientBrief = Static<typeof ClientBrief>

export const TIMELINE_KINDS = [
  'session',
  'note_finalized',
  'assessment_completed',
  'danger_opened',
  'danger_ended',
] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

/** Our addition: one thing that happened with a client. */
export const TimelineEntry = Type.Object(
  {
    id: Id,
    kind: oneOf(TIMELINE_KINDS, {
      description: '`danger_ended`: a clinician closed it, or a signed note holds it',
      examples: ['session'],
    }),
    at: Timestamp,
    sessionId: Nullable(Id),
    progressNoteId: Nullable(Id),
    assessmentScoreId: Nullable(Id),
    label: Type.String({
      description: 'The note’s title, the assessment’s name, or what was said about danger, in short',
      examples: ['SOAP Note'],
    }),
    status: Nullable(
      Type.String({
        description: 'For a session its `status`; for danger that ended `closed` or `held`',
        examples: ['completed'],
      }),
    ),
    score: Nullable(Type.Number({ examples: [12] })),
    severityName: Nullable(Type.String({ examples: ['Moderate'] })),
  },
  { $id: 'TimelineEntry' },
)
export type TimelineEntry = Static<typeof TimelineEntry>
