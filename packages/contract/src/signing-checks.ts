import { Type, type Static } from 'typebox'
import { Id, Nullable, oneOf } from './fields.js'

/** What is looked at before a note is signed, in the order in which it is shown. */
export const SIGNING_CHECKS = [
  'danger_not_written',
  'unsupported_sentence',
  'empty_section',
  'cloned_text',
  'service_minutes',
  'goal_not_linked',
] as const
export type SigningCheckCode = (typeof SIGNING_CHECKS)[number]

/** What a partner wants of a check. */
export const CHECK_MODES = ['off', 'warn', 'block_in_widget', 'block_everywhere'] as const
export type CheckMode = (typeof CHECK_MODES)[number]

export type CheckModes = Record<SigningCheckCode, CheckMode>

const CHECK_STATES = ['passed', 'failed', 'not_checked'] as const

/** How what was found is put right. */
export const CHECK_MENDS = [
  'write_words',
  'change_sentence',
  'fill_section',
  'rewrite_sentence',
  'correct_service',
  'write_about_goal',
] as const
export type CheckMend = (typeof CHECK_MENDS)[number]

/** As many as somebody mends one by one; `total` says how many there are. */
export const checkFindingsMax = 50

const CheckFinding = Type.Object({
  sectionKey: Nullable(
    Type.String({
      description: 'The section it is about, or in which it belongs',
      examples: ['assessment'],
    }),
  ),
  sentence: Nullable(
    Type.String({ description: 'As it stands in the note', examples: ['Client reports improved sleep.'] }),
  ),
  label: Nullable(
    Type.String({ description: 'What was said, in short', examples: ['Suicidal thoughts: affirmed'] }),
  ),
  words: Nullable(
    Type.String({
      description: 'As said; of a goal, as it is worded',
      examples: ['Some nights I think about it.'],
    }),
  ),
  quote: Nullable(
    Type.String({
      description:
        'To be written as it is for `write_words`, from which the service knows the words again; null where nobody said them in this session, as an answer of a questionnaire',
      examples: ['Client said: “Some nights I think about it.”'],
    }),
  ),
  transcriptItems: Type.Array(Type.Integer({ minimum: 0 }), {
    description: 'Indexes into the transcript’s `transcriptItems`',
    examples: [[12, 13]],
  }),
  mend: oneOf(CHECK_MENDS, {
    description:
      'How it is put right. `write_words`: write what was said into the section; `change_sentence`: correct or remove it; `fill_section`: write the section; `rewrite_sentence`: say it of this session, or remove it; `correct_service`: correct `serviceCode`, `startedAt` or `endedAt` of the session’s context; `write_about_goal`: say what was done about it, in words of the goal',
    examples: ['write_words'],
  }),
})
export type CheckFinding = Static<typeof CheckFinding>

export const SigningCheck = Type.Object(
  {
    code: oneOf(SIGNING_CHECKS, { examples: ['danger_not_written'] }),
    mode: oneOf(CHECK_MODES, {
      description: 'What the partner wants of it; checks that are `off` are not listed',
      examples: ['warn'],
    }),
    state: oneOf(CHECK_STATES, {
      description: '`not_checked`: there was no answer in time, or nothing to check it by; it stops nobody',
      examples: ['failed'],
    }),
    message: Nullable(
      Type.String({
        description: 'A plain sentence; null where it passed',
        examples: ['1 thing that was said about danger is not in the note.'],
      }),
    ),
    findings: Type.Array(CheckFinding, { maxItems: checkFindingsMax }),
    total: Type.Integer({
      minimum: 0,
      description: `How many were found; ${checkFindingsMax} of them are listed at most`,
      examples: [1],
    }),
  },
  { $id: 'SigningCheck' },
)
export type SigningCheck = Static<typeof SigningCheck>

/** Our addition: how a note stands before it is signed. */
export const SigningChecks = Type.Object(
  {
    progressNoteId: Id,
    sessionId: Id,
    checks: Type.Array(SigningCheck),
    blocksWidget: Type.Boolean({
      description: 'Whether one that failed keeps the note from being signed in the widget',
      examples: [false],
    }),
    blocksPartnerApi: Type.Boolean({
      description: 'Whether one that failed keeps it from being finalized by the Partner API',
      examples: [false],
    }),
  },
  { $id: 'SigningChecks' },
)
export type SigningChecks = Static<typeof SigningChecks>

/** What a partner has chosen, each check by its name. */
export const CheckModesShown = Type.Object(
  Object.fromEntries(
    SIGNING_CHECKS.map((code) => [code, oneOf(CHECK_MODES, { examples: ['warn'] })]),
  ) as Record<SigningCheckCode, ReturnType<typeof oneOf<typeof CHECK_MODES>>>,
  {
    description:
      'What is checked before a note is signed, and what a failed check does: nothing (`off`), a warning in the widget, no signature in the widget, or none in the widget and none by `finalize`. The operator sets it',
  },
)
