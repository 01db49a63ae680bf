import { Type, type Static } from 'typebox'
import { Addendum, addendaMax, SIGNER_KINDS } from './addenda.js'
import { CoSignature } from './co-signatures.js'
import { Id, nameLengthMax, Nullable, oneOf, Timestamp } from './fields.js'
import { TEMPLATE_KINDS, TEMPLATE_PARTS } from './note-templates.js'
import { NOTE_TYPES } from './notes.js'

/** Contract part 3 and ruling 6. */
export const NOTE_STATUSES = ['generating', 'generated', 'regenerated', 'finalized', 'failed'] as const
export type NoteStatus = (typeof NOTE_STATUSES)[number]

/** Where a version of a note came from. */
export const NOTE_ORIGINS = ['generation', 'regeneration', 'magic_edit', 'edit'] as const
export type NoteOrigin = (typeof NOTE_ORIGINS)[number]

export const MAGIC_EDIT_STATUSES = ['pending', 'completed', 'failed'] as const
export type MagicEditStatus = (typeof MAGIC_EDIT_STATUSES)[number]

/** The longest section of the longest template has some 250 words; this is forty times that. */
const contentLengthMax = 50_000

/** Contract part 8. */
const userInstructionsLengthMax = 5_000

/** Who answers for a sentence of a note. */
export const JUDGEMENTS = ['verified', 'exact_checks_only', 'refused', 'clinicians_words'] as const

/** Why a sentence was refused. */
export const REFUSAL_REASONS = [
  'no_evidence',
  'number',
  'dose',
  'medicine',
  'quote',
  'denial',
  'not_asked',
  'speaker',
  'contradicted',
  'not_said',
  'certainty',
  'time',
  'whose',
  'act',
  'must_not',
] as const

const Evidence = Type.Object({
  sentence: Type.String({ examples: ['Client reports improved sleep.'] }),
  transcriptItems: Type.Array(Type.Integer({ minimum: 0 }), {
    description: 'Indexes into the transcript’s `transcriptItems`',
    examples: [[14, 15]],
  }),
  supported: Type.Boolean({ description: 'False only for a sentence that was refused' }),
  judgement: oneOf(JUDGEMENTS, {
    description:
      '`verified`: a language model compared it with the transcript, and exact checks found nothing; `exact_checks_only`: no model did; `refused`: not borne out; `clinicians_words`: typed or asked for by the clinician',
    examples: ['verified'],
  }),
  reason: Nullable(oneOf(REFUSAL_REASONS, { description: 'Why it was refused', examples: ['dose'] })),
})

export const NoteSection = Type.Object(
  {
    key: Type.String({ examples: ['subjective'] }),
    title: Type.String({ examples: ['Subjective'] }),
    content: Type.String({ examples: ['Client reports improved sleep.'] }),
    evidence: Type.Array(Evidence),
  },
  { $id: 'NoteSection' },
)
export type NoteSection = Static<typeof NoteSection>

/** Why something is among a note's open points. */
export const REVIEW_REASONS = [
  'not_written',
  'contradicted',
  'suspected',
  'quoted_instead',
  'left_out',
  'no_unit',
  'unclear_answer',
  'must_stand',
  'not_read',
] as const

export const REVIEW_KINDS = ['danger', 'medicine', 'allergy', 'score', 'decision', 'template'] as const

/** Our addition: what was said and is not in the note, or needs the clinician's eye before it is signed. */
export const ReviewItem = Type.Object(
  {
    id: Type.String({ examples: ['danger-12-suicide-thoughts'] }),
    kind: oneOf(REVIEW_KINDS, { examples: ['danger'] }),
    label: Type.String({ examples: ['Suicidal thoughts: affirmed'] }),
    words: Type.String({ description: 'As said', examples: ['Some nights I think about it.'] }),
    transcriptItems: Type.Array(Type.Integer({ minimum: 0 }), { examples: [[12, 13]] }),
    reason: oneOf(REVIEW_REASONS, { examples: ['not_written'] }),
    speaker: Type.Optional(
      Type.String({
        description:
          'Who said the words, as in the transcript; only where several people besides the clinician spoke',
        examples: ['speaker_2'],
      }),
    ),
  },
  { $id: 'ReviewItem' },
)
export type ReviewItem = Static<typeof ReviewItem>

/** Our addition: what a note says about a goal. */
const GoalProgress = Type.Object({
  goalId: Type.String({ examples: ['7f1c5f0e-6f0a-4b9e-9d0c-2f3b6f3f9a11'] }),
  treatmentPlanId: Nullable(
    Type.String({ format: 'uuid', description: '`null` for a goal of the session’s `context`' }),
  ),
  sentences: Type.Array(
    Type.Object({
      section: Type.String({ examples: ['subjective'] }),
      sentence: Type.String({ examples: ['Client reports improved sleep.'] }),
    }),
    { description: 'Empty: nothing in the note speaks to it' },
  ),
})

export const WRITER_ENGINES = ['extract', 'openai', 'local', 'embedded'] as const

/** Our addition: who wrote it. */
const Writer = Type.Object({
  engine: oneOf(WRITER_ENGINES, {
    description:
      '`extract`: quotes of what was said, chosen without a language model; `embedded`: rules of an earlier version',
    examples: ['openai'],
  }),
  model: Type.String({ examples: ['Qwen3-30B-A3B-Instruct'] }),
  isExtract: Type.Boolean({ description: 'The note holds quotes and no prose', examples: [false] }),
})
export type NoteWriter = Static<typeof Writer>

/** Our addition: who signed it. */
const SignedBy = Type.Object({
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
  at: Timestamp,
})
export type NoteSigner = Static<typeof SignedBy>

export const NotePreferences = Type.Object({
  treatmentApproaches: Type.Array(Type.String({ examples: ['Cognitive Behavioral Therapy'] })),
  sessionSetting: Nullable(Type.String({ examples: ['telehealth'] })),
})
export type NotePreferences = Static<typeof NotePreferences>

export const ProgressNote = Type.Object(
  {
    id: Id,
    progressNoteId: Type.String({
      format: 'uuid',
      description: 'Changes with every regeneration; every id that the note ever had keeps leading to it',
      examples: ['0b1f5a52-3c55-4d0e-8a3e-5d0c5a2f6f10'],
    }),
    sessionId: Id,
    noteType: oneOf(NOTE_TYPES, { examples: ['soap'] }),
    template: Type.Object({
      noteType: oneOf(NOTE_TYPES, { examples: ['soap'] }),
      sessionType: Nullable(
        Type.String({ description: 'As chosen in the widget', examples: ['individual'] }),
      ),
      id: Type.String({ description: 'Id of the template that it is written with', examples: ['soap'] }),
      version: Type.Integer({ minimum: 1, examples: [1] }),
      title: Type.String({ examples: ['SOAP Note'] }),
      sections: Type.Array(
        Type.Object({
          key: Type.String({ examples: ['subjective'] }),
          title: Type.String({ examples: ['Subjective'] }),
          holds: Type.Array(oneOf([...TEMPLATE_KINDS, ...TEMPLATE_PARTS]), {
            description: 'Which kinds of talk stand in it, as in the template',
            examples: [['reported']],
          }),
        }),
      ),
    }),
    preferences: NotePreferences,
    status: oneOf(NOTE_STATUSES, {
      description:
        '`generating` exactly while `isLoading`; `failed`: there is no text, and none is being written',
      examples: ['generated'],
    }),
    isLoading: Type.Boolean({ description: 'True while generating' }),
    isEmptied: Type.Boolean({
      description:
        'Its texts went with a stretch that was struck, and it is being written again, or that has failed: then it is regenerated, or given words by `PATCH`',
      examples: [false],
    }),
    note: Type.Array(NoteSection, { description: 'Empty or partial while generating' }),
    review: Type.Array(ReviewItem, {
      description: 'Said and not written, or to be looked at before signing; danger first',
    }),
    goals: Type.Array(GoalProgress, {
      description:
        'Open goals of the treatment plan and of the session’s `context` when it was written, each with the sentences that speak to it',
    }),
    writer: Nullable(Writer),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    finalizedAt: Nullable(Timestamp),
    signedBy: Nullable(SignedBy),
    coSignedBy: Nullable(SignedBy),
    coSignature: Nullable(CoSignature),
    addenda: Type.Array(Addendum, {
      description: `Added after it was finalized, oldest first, at most ${addendaMax}; the finalized text never changes`,
    }),
  },
  { $id: 'ProgressNote' },
)
export type ProgressNote = Static<typeof ProgressNote>

export const NotePatch = Type.Object(
  {
    note: Type.Array(
      Type.Object({
        key: Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'A section of the note’s template; none twice',
          examples: ['subjective'],
        }),
        title: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: nameLengthMax,
            description: 'Without it the template’s',
            examples: ['Subjective'],
          }),
        ),
        content: Type.String({ maxLength: contentLengthMax, examples: ['Client reports improved sleep.'] }),
      }),
      {
        minItems: 1,
        maxItems: 100,
        description:
          'All sections; what is left out is removed. `evidence` may be sent back as read and is not taken: it stays with the sentences that stayed',
      },
    ),
  },
  { $id: 'ProgressNotePatch' },
)
export type NotePatch = Static<typeof NotePatch>

export const MagicEditRequest = Type.Object(
  {
    userInstructions: Type.String({
      minLength: 1,
      maxLength: userInstructionsLengthMax,
      'x-trimmed': true,
      description: 'What to change, in plain words; white space around it is trimmed',
      examples: ['Shorten the plan and mention the next appointment.'],
    }),
  },
  { $id: 'MagicEditRequest' },
)
export type MagicEditRequest = Static<typeof MagicEditRequest>

/** A call that takes no body. */
export const RegenerationQuery = Type.Object({
  templateId: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'Written with this template from now on, of whatever note type; without it with the newest version of its own',
      examples: ['soap'],
    }),
  ),
})

export const MagicEdit = Type.Object(
  {
    id: Id,
    progressNoteId: Type.String({
      format: 'uuid',
      description: 'The id that the note had when the edit was asked for',
      examples: ['0b1f5a52-3c55-4d0e-8a3e-5d0c5a2f6f10'],
    }),
    sessionId: Id,
    clientId: Id,
    clinicianId: Id,
    userInstructions: Type.String({ examples: ['Shorten the plan.'] }),
    status: oneOf(MAGIC_EDIT_STATUSES, { examples: ['completed'] }),
    failureReason: Nullable(Type.String()),
    createdAt: Timestamp,
    completedAt: Nullable(Timestamp),
  },
  { $id: 'MagicEdit' },
)
export type MagicEdit = Static<typeof MagicEdit>

export const NoteVersion = Type.Object(
  {
    id: Id,
    version: Type.Integer({ minimum: 1, examples: [1] }),
    progressNoteId: Type.String({
      format: 'uuid',
      description: 'The id that the note had with this version',
      examples: ['0b1f5a52-3c55-4d0e-8a3e-5d0c5a2f6f10'],
    }),
    origin: oneOf(NOTE_ORIGINS, { examples: ['generation'] }),
    note: Type.Array(NoteSection),
    createdAt: Timestamp,
  },
  { $id: 'ProgressNoteVersion' },
)
export type NoteVersion = Static<typeof NoteVersion>
